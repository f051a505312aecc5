"""The page knows the server's most frequent sentences by their patterns: each of them is still said."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from openpendant.errors import InputError
from openpendant.server.studio.control import ControlBook

ROOT = Path(__file__).parents[2]
SAYINGS = json.loads((ROOT / "web" / "src" / "state" / "texts" / "said.json").read_text())


def python_pattern(pattern: str) -> str:
    return pattern.replace("(?<", "(?P<")


def pieces(pattern: str) -> list[str]:
    """Return what a pattern has between its places; where that is put together, `source` tells how it is written."""
    between = re.split(r"\(\?[<:][^)]*\)\??", pattern.removeprefix("^").removesuffix("$"))
    return [re.sub(r"\\(.)", r"\1", piece).strip().removeprefix(": ").removesuffix("?") for piece in between]


@pytest.fixture(scope="module")
def sources() -> str:
    text = "\n".join(path.read_text() for path in sorted((ROOT / "src" / "openpendant").rglob("*.py")))
    # Sentences that go over several lines are one.
    return re.sub(r'"\s*\n\s*f?"', "", text)


@pytest.mark.parametrize("saying", SAYINGS, ids=[one["key"] for one in SAYINGS])
def test_the_server_still_says_it(saying: dict[str, Any], sources: str) -> None:
    written = saying.get("source") or [piece for piece in pieces(saying["pattern"]) if len(piece) > 2]
    missing = [piece for piece in written if piece not in sources]
    assert written
    assert missing == [], f"{saying['key']}: nothing in src/openpendant says {missing}"


def test_what_is_really_said_is_found() -> None:
    book = ControlBook()
    book.take("ur3e", "a", {})
    with pytest.raises(InputError) as refused:
        book.take("ur3e", "b", {"a": "Ann"})
    first = next(one for one in SAYINGS if re.match(python_pattern(one["pattern"]), str(refused.value)))
    assert first["key"] == "hasControl"
