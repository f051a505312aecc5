"""Demo cells that come with OpenPendant."""

from pathlib import Path

from openpendant.errors import InputError, UnknownNameError
from openpendant.said import say

from .document import CELL_FILE, CellDocument, load_cell

FOLDER = Path(__file__).parent / "demos"


def demo_names() -> tuple[str, ...]:
    """Return the names of the demo cells, in order."""
    return tuple(sorted(path.parent.name for path in FOLDER.glob(f"*/{CELL_FILE}")))


def load_demo(name: str) -> CellDocument:
    """Return a demo cell as a separate document: it has no folder until it is saved somewhere.

    Raises:
        UnknownNameError: No demo has that name.
    """
    return CellDocument(load_cell(_folder(name)).cell)


def copy_demo(name: str, folder: Path | str) -> CellDocument:
    """Copy a demo cell with all its files into a folder and return its document.

    Raises:
        UnknownNameError: No demo has that name.
        InputError: There is a cell in that folder already.
    """
    source, target = _folder(name), Path(folder)
    if (target / CELL_FILE).exists():
        raise InputError(say("project.cell_there", folder=str(target)))
    for path in sorted(source.rglob("*")):
        if path.is_file() and path.name != CELL_FILE:
            copy = target / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    document = load_demo(name)
    document.save(target)
    return document


def _folder(name: str) -> Path:
    if name not in demo_names():
        raise UnknownNameError("demo cell", name, demo_names())
    return FOLDER / name
