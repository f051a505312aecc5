"""The maps of the house name every room, and no room that is not there."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "openpendant"
PAGE = ROOT / "web" / "src"
ROOMS = ROOT / "docs" / "design" / "rooms.md"
SHORT = ROOT / "CONTRIBUTING.md"
IN_FULL = ("messages",)
"""Rooms of which the map names each module."""
ABOUT_ALL = ("docs", "e2e", "examples")
"""Folders of tests of the product as a whole."""


def drawn(page: Path, heading: str) -> dict[str, str]:
    """Return the sentences of the map under `heading`, by path as "scene/document" or "errors.py"."""
    text = page.read_text()
    block = re.compile(r"^```\n(.*?)^```", re.MULTILINE | re.DOTALL).search(text, text.index(heading))
    assert block is not None, f"{page.name} has no map under {heading!r}"
    found: dict[str, str] = {}
    above: list[str] = []
    for line in block[1].splitlines():
        entry = re.fullmatch(r"((?:  )*)([\w.-]+/?) +(\S.*)", line)
        assert entry is not None, f"{page.name}: {line!r} is not a name and a sentence"
        above = [*above[: len(entry[1]) // 2], entry[2].rstrip("/")]
        place = "/".join(above)
        assert place not in found, f"{page.name} has {place} twice"
        found[place] = entry[3]
    return found


def packages(folder: Path) -> set[str]:
    return {path.parent.name for path in folder.glob("*/__init__.py")}


def modules(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("*.py") if not path.name.startswith("__")}


def in_the_tree() -> set[str]:
    """Return rooms, the rooms in them but for kernels and single robots, and modules that stand beside rooms."""
    found = packages(SOURCE) | modules(SOURCE)
    for room in packages(SOURCE):
        inner = {name for name in packages(SOURCE / room) if name != "kernels"}
        if room == "robots":
            inner = {name for name in inner if not (SOURCE / room / name / "facts.toml").exists()}
        layered = {f"{name}.py" for name in layers_of(room) if (SOURCE / room / f"{name}.py").exists()}
        named = modules(SOURCE / room) if room in IN_FULL else layered
        found |= {f"{room}/{name}" for name in inner | named}
    return found


def layers_of(room: str) -> list[str]:
    """Return what the import contract lists for a room, from above; strangers of one layer in the order written."""
    container = f"openpendant.{room}" if room else "openpendant"
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    for contract in contracts:
        if contract["type"] == "layers" and contract.get("containers") == [container]:
            return [name.strip() for layer in contract["layers"] for name in layer.split("|")]
    return []


def test_the_map_is_the_tree():
    assert set(drawn(ROOMS, "# The rooms")) == in_the_tree()


def test_the_short_map_is_the_tree():
    assert set(drawn(SHORT, "## Where things live")) == packages(SOURCE) | modules(SOURCE)


@pytest.mark.parametrize(
    ("page", "heading", "room"),
    [
        (ROOMS, "# The rooms", ""),
        (ROOMS, "# The rooms", "programs"),
        (ROOMS, "# The rooms", "scene"),
        (ROOMS, "# The rooms", "virtual"),
        (SHORT, "## Where things live", ""),
    ],
)
def test_imports_go_downwards_on_the_map(page: Path, heading: str, room: str):
    """The order of the lines is the order of the layers that `lint-imports` holds."""
    above = f"{room}/" if room else ""
    places = [place for place in drawn(page, heading) if place.startswith(above)]
    names = [place.removeprefix(above).removesuffix(".py") for place in places]
    assert [name for name in names if "/" not in name] == layers_of(room)


def test_the_map_of_the_page_is_the_tree():
    folders = {path.relative_to(PAGE).as_posix() for path in PAGE.rglob("*") if path.is_dir()}
    folders = {name for name in folders if not name.startswith("state/texts/")}
    files = {path.name for path in PAGE.glob("*.ts") if not path.name.endswith((".test.ts", ".d.ts"))}
    assert set(drawn(ROOMS, "## The page")) == folders | files


def test_files_that_the_pages_name_exist():
    """Written as `room/module.py` in the pages of the house, or from the root of the repository."""
    named = {
        name
        for page in (ROOMS, SHORT, ROOMS.with_name("decisions.md"))
        for name in re.findall(r"`((?:[\w.-]+/)+[\w.-]+\.(?:py|ts|svelte|toml|json|md))`", page.read_text())
    }
    assert len(named) > 60
    missing = {name for name in named if not any((base / name).exists() for base in (ROOT, SOURCE, ROOT / "web/src"))}
    assert not missing


def test_folders_of_tests_are_folders_of_the_tree():
    """So that `tests/motion/kernels/test_ratios.py` is where a reader of `motion/kernels/ratios.py` looks for it."""
    tests = ROOT / "tests"
    folders = {path.parent.relative_to(tests) for path in tests.rglob("test_*.py")} - {Path(), *map(Path, ABOUT_ALL)}
    assert len(folders) > 60
    assert not {str(folder) for folder in folders if not (SOURCE / folder).is_dir()}


def test_what_tests_share_is_found():
    """Folders with helpers are named in `pythonpath`: files of tests are not imported by their folder."""
    tests = ROOT / "tests"
    helpers = {path.parent for path in tests.rglob("*.py") if not path.name.startswith(("test_", "conftest"))}
    helpers = {path.relative_to(ROOT).as_posix() for path in helpers if "plugin" not in path.parts}
    options = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    assert helpers <= set(options["pythonpath"])


def test_what_tests_share_has_a_name_of_its_own():
    tests = ROOT / "tests"
    names = [path.stem for path in tests.glob("*/*.py") if path.name != "conftest.py"]
    helpers = [name for name in names if not name.startswith("test_")]
    assert len(helpers) == len(set(helpers))
