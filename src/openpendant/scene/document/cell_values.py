"""Values of the things of a cell: what an edit has left behind, to be compared with what is there now."""

from openpendant.documents import Key
from openpendant.said import say

from .cell import SECTIONS, Cell, CellItem

CellValue = CellItem | tuple[str, str, str]
"""A thing; of the cell itself its name, title and notes."""


def cell_values(cell: Cell, keys: tuple[Key, ...]) -> dict[Key, CellValue | None]:
    """Return what the things of a cell are now, by their names, empty for the cell itself; None: gone."""
    wanted = {key[0] for key in keys}
    found: dict[Key, CellValue | None] = dict.fromkeys(keys)
    for section in SECTIONS:
        items: tuple[CellItem, ...] = getattr(cell, section)
        for item in items:
            if item.name in wanted:
                found[(item.name,)] = item
    if ("",) in found:
        found[("",)] = (cell.name, cell.title, cell.notes)
    return found


def describe_cell_key(key: Key) -> str:
    """Return a thing of a cell, or the cell itself, as text."""
    return say("thing.named", name=key[0]) if key[0] else say("thing.cell")
