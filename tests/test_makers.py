"""Nobody but a maker's own folders knows it by name: a walk through the words of the code."""

import io
import math
import re
import tokenize
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from openpendant.makers.universal_robots import UNIVERSAL_ROBOTS
from openpendant.plugins import load_plugins
from openpendant.virtual.ur import MODELS

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "openpendant"
PAGE = ROOT / "web" / "src"
MAKERS = {"ur", "ur3", "ur3e", "ur5e", "ur10e", "urscript", "rtde", "polyscope", "universal robots"}
MAKERS |= {"abb", "rapid", "irb", "irb120", "irc5", "yumi", "egm", "rws"}
MAKERS |= {"vplus", "staubli", "stäubli", "adept", "rx90", "rx90l", "robomap"}
"""Makers, their models, languages and protocols."""
OWN = (
    *(f"robots/{path.parent.name}/" for path in (SOURCE / "robots").glob("*/facts.toml")),
    "robots/conventions/",
    "controllers/abb/",
    "controllers/ur/",
    "virtual/abb/",
    "virtual/ur/",
    "dialects/rapid/",
    "dialects/urscript/",
    "protocols/rtde/",
    "protocols/dashboard/",
    "protocols/ur_primary/",
    "protocols/abb_text/",
    "protocols/egm/",
    "protocols/rws/",
    "protocols/rapid_server/",
    "protocols/yumi_packet/",
    "rapid_modules/",
    "programs/export/",
    "makers/",
)
"""Where a maker's name belongs."""
NEAR = {
    "said/texts/makers.py": "what a maker's own rooms say",
    "spatial/vendor.py": "poses in the numbers that controllers show: arithmetic, used by conventions and exports",
    "spatial/__init__.py": "the door of these",
    "cli/rapid.py": "the verb that copies the modules of rapid_modules",
    "cli/program.py": "names that verb",
    "compat/vr_arm_client.py": "speaks the protocol of one maker's robots, as the earlier system did",
}
"""Where it stands for other reasons."""
TOKENS = (tokenize.NAME, tokenize.STRING, *([tokenize.FSTRING_MIDDLE] if hasattr(tokenize, "FSTRING_MIDDLE") else []))


def code_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield names and strings with their lines; strings that stand alone are docstrings and no code."""
    text = path.read_text(encoding="utf-8")
    before = tokenize.NEWLINE
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        alone = token.type == tokenize.STRING and before in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
        if token.type in TOKENS and not alone:
            yield token.start[0], token.string
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            before = token.type


def makers_in(text: str) -> set[str]:
    """Return the makers' words in a piece of code: in snake_case, in CamelCase, in sentences."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    words = re.findall(r"[a-zäöü0-9]+", f"{apart} {text}".lower())
    signs = {"vplus"} if re.search(r"\bV\+", text) else set[str]()
    pairs = [(a + b, f"{a} {b}") for a, b in pairwise(words)]
    return signs | MAKERS & {*words, *(one for pair in pairs for one in pair)}


def test_words_are_found() -> None:
    assert makers_in("UrDriver") == makers_in("probe_ur") == {"ur"}
    assert makers_in("'no robot of Universal Robots'") == {"universal robots"}
    assert makers_in("YuMiArm") == makers_in("'a YuMi'") == {"yumi"}
    assert makers_in("'PolyScope shows V+'") == {"polyscope", "vplus"}
    assert makers_in("your url is our curve") == set()


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_only_a_makers_own_code_names_it(path: Path) -> None:
    name = path.relative_to(SOURCE).as_posix()
    if name.startswith(OWN) or name in NEAR:
        return
    found = [(line, text) for line, text in code_of(path) if makers_in(text)]
    assert found == []


PLAIN = re.compile(r"/\*.*?\*/|<!--.*?-->|^\s*//.*?$", re.DOTALL | re.MULTILINE)
PAGE_OWN = {
    "ui/studio/program/export-dialog.svelte": "forms of export that the page has words for",
    "ui/studio/program/export-tokens.ts": "colours of the makers' languages",
}


def test_the_page_names_no_maker() -> None:
    found: list[tuple[str, set[str]]] = []
    for path in sorted(PAGE.rglob("*")):
        name = path.relative_to(PAGE).as_posix()
        code = path.suffix in (".ts", ".svelte") and ".test." not in name
        # Texts are words for people, and the wire's comments come from docstrings.
        if not code or name.startswith(("state/texts/", "wire/")) or name in PAGE_OWN:
            continue
        words = makers_in(PLAIN.sub("", path.read_text(encoding="utf-8")))
        if words:
            found.append((name, words))
    assert found == []


def test_nobody_knows_the_maker_of_a_package_of_a_users_own() -> None:
    toy = re.compile(r"crane", re.IGNORECASE)
    assert not [path for path in SOURCE.rglob("*.py") if toy.search(path.read_text(encoding="utf-8"))]


def test_virtual_models_are_those_that_there_are() -> None:
    assert set(UNIVERSAL_ROBOTS.virtual.models) == set(MODELS)


def test_a_broken_package_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog) -> None:
    info = tmp_path / "broken-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[openpendant.test_group]\nbad = not_there:MAKER\ngood = math:pi\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert dict(load_plugins("openpendant.test_group")) == {"good": math.pi}
    assert "bad" in caplog.text
    load_plugins.cache_clear()
