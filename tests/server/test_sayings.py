"""The page knows the server's most frequent sentences by their patterns: each of them is still said."""

import ast
import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from openpendant.controllers.states import EventKind
from openpendant.errors import InputError, UnknownNameError
from openpendant.server.studio.control import ControlBook

ROOT = Path(__file__).parents[2]
SAYINGS = json.loads((ROOT / "web" / "src" / "state" / "texts" / "said.json").read_text())


SPOKEN = (
    "server/studio/operation.py",
    "server/studio/runbook.py",
    "server/studio/started_cell.py",
    "server/studio/control.py",
    "server/studio/probing.py",
    "server/access/roles.py",
    "cell/runs.py",
    "cell/riding.py",
    "cell/run_watch.py",
)
"""Where people are refused something at a robot."""
PROGRAMMERS = (
    "is not for a robot",
    "takes whole trajectories over the bus",
    "a ride over the bus needs a robot",
    "mode is ",
)
"""Said to whoever writes a program against this one; no page can bring it about."""
FILLED = {
    "need": "operator",
    "STILL_S": "2",
    "silent_s": "2.1",
    "role": "viewer",
    "outcome": "failed",
    "was": "",
    "away": "0.1",
    "LONGEST_ADDRESS": "253",
}


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
    assert known(str(refused.value)) == "hasControl"
    assert known(str(UnknownNameError("step", "s9", ["s1", "s2"]))) == "unknownNear"
    assert known(str(UnknownNameError("robot in this cell", "ur3e", []))) == "unknown"


def known(said: str) -> str:
    """Return the key of the first pattern that fits, as the page looks for it; empty: none does."""
    return next((one["key"] for one in SAYINGS if re.match(python_pattern(one["pattern"]), said)), "")


def spoken() -> list[str]:
    """Return examples of all sentences that are raised, or returned by `why_not`, in the files above."""
    found: list[str] = []
    for file in SPOKEN:
        for node in ast.walk(ast.parse((ROOT / "src" / "openpendant" / file).read_text())):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
                # What is unknown by its name is said in one place, by the error itself.
                if ast.unparse(node.exc.func) != "UnknownNameError":
                    found.append(example(node.exc.args[0]))
            elif isinstance(node, ast.FunctionDef) and node.name == "why_not":
                returned = [one.value for one in ast.walk(node) if isinstance(one, ast.Return)]
                found += [example(value) for value in returned if value is not None]
    return [one for one in found if " " in one and not any(words in one for words in PROGRAMMERS)]


def example(said: ast.expr) -> str:
    """Return a sentence with something in each of its places; empty: it is no literal."""
    if isinstance(said, ast.Constant):
        return str(said.value)
    if not isinstance(said, ast.JoinedStr):
        return ""
    parts: list[str] = []
    for part in said.values:
        if isinstance(part, ast.FormattedValue):
            inside = ast.unparse(part.value)
            text = FILLED.get(inside, "something")
            parts.append(repr(text) if part.conversion == ord("r") else text)
        else:
            parts.append(ast.literal_eval(part))
    return "".join(parts)


def test_many_sentences_are_found() -> None:
    assert len(spoken()) > 15


@pytest.mark.parametrize("said", sorted(set(spoken())))
def test_every_refusal_at_a_robot_is_known_to_the_page(said: str) -> None:
    assert known(said) not in ("", "named") or said.startswith("something: ")


def test_every_kind_of_event_has_words() -> None:
    words = (ROOT / "web" / "src" / "ui" / "studio" / "operate-words.ts").read_text()
    table = words.split("const EVENTS: Words = {")[1].split("}")[0]
    known = {quoted or plain for quoted, plain in re.findall(r'^  (?:"([^"]+)"|(\w+)):', table, re.MULTILINE)}
    told = "".join(path.read_text() for path in (ROOT / "src" / "openpendant" / "cell").glob("*.py"))
    kinds = set(get_args(EventKind)) | set(re.findall(r'tell\("([a-z ]+)",', told))
    assert len(kinds) > 20
    assert kinds - known == set()
