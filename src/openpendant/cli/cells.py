"""Cells on the command line: a folder, or the name of a demo."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from openpendant.programs import Program
    from openpendant.scene import Cell

CellArgument = Annotated[str, typer.Argument(metavar="CELL", help="Folder of a cell, or the name of a demo cell.")]
ProgramArgument = Annotated[
    str | None, typer.Argument(metavar="PROGRAM", help="Program of the cell; optional if the cell has only one.")
]


@dataclass(frozen=True)
class ProgramInCell:
    """A program and the cell that it belongs to."""

    cell: "Cell"
    folder: Path
    program: "Program"
    programs: "dict[str, Program]"


def open_program(cell: str, program: str | None) -> ProgramInCell:
    """Return what was chosen.

    Raises:
        InputError: No such cell or program.
        CellFileError: A file of the cell cannot be used.
    """
    from openpendant.errors import InputError, UnknownNameError
    from openpendant.programs import read_programs
    from openpendant.scene import demo_names, load_cell
    from openpendant.scene.demo_cells import FOLDER

    folder = Path(cell)
    if not (folder / "cell.json").is_file():
        if cell not in demo_names():
            known = ", ".join(demo_names())
            raise InputError(f"{cell!r} is neither a folder with a cell.json nor a demo cell ({known})")
        folder = FOLDER / cell
    document = load_cell(folder)
    programs = read_programs(folder, document.cell)
    if not programs:
        raise InputError(f"cell {document.cell.name!r} has no programs; put them into {folder / 'programs'}")
    if program is None:
        if len(programs) > 1:
            raise InputError(f"cell {document.cell.name!r} has several programs; choose one: {', '.join(programs)}")
        program = next(iter(programs))
    if program not in programs:
        raise UnknownNameError(f"program in cell {document.cell.name}", program, programs)
    return ProgramInCell(document.cell, folder, programs[program], programs)
