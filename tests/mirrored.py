"""`python tests/mirrored.py`: how much of the tests mirrors the sources, room by room.

`scene/document/files.py` is mirrored by `tests/scene/document/test_files.py`. Other tests are about several modules, or
about the product as a whole.
"""

from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "openpendant"
TESTS = ROOT / "tests"


def mirror_of(module: Path) -> Path:
    """Return where the tests of a module are, if it has a file of its own."""
    return TESTS / module.relative_to(SOURCE).with_name(f"test_{module.name}")


def modules() -> list[Path]:
    """Return all modules but for doors (`__init__.py`, `__main__.py`)."""
    return sorted(path for path in SOURCE.rglob("*.py") if not path.name.startswith("__"))


def room_of(module: Path) -> str:
    place = module.relative_to(SOURCE).parts
    return place[0] if len(place) > 1 else "(beside rooms)"


def main() -> None:
    there = modules()
    mirrored = {module for module in there if mirror_of(module).exists()}
    of_room = Counter(room_of(module) for module in there)
    with_tests = Counter(room_of(module) for module in mirrored)
    for room in sorted(of_room):
        print(f"{room:16} {with_tests[room]:4} of {of_room[room]:4}")  # noqa: T201
    files = [path for path in TESTS.rglob("test_*.py") if not path.is_relative_to(TESTS / "e2e")]
    print(f"{len(mirrored)} of {len(there)} modules ({len(mirrored) / len(there):.0%}) have a file of tests")  # noqa: T201
    print(f"{len(mirrored)} of {len(files)} files of tests ({len(mirrored) / len(files):.0%}) mirror a module")  # noqa: T201


if __name__ == "__main__":
    main()
