"""Cells on the command line: a folder, one of the user's projects, or a demo."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from openpendant.programs import Program
    from openpendant.scene import Cell

CellArgument = Annotated[
    str, typer.Argument(metavar="CELL", help="Folder of a cell, one of your projects, or a demo cell.")
]
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
    from openpendant.scene import load_cell

    folder = find_cell(cell)
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


def find_cell(cell: str) -> Path:
    """Return the folder of a cell.

    Args:
        cell: A folder; the id or title of one of the user's projects; the name of a demo. In this order.

    Raises:
        InputError: It is none of these, or several projects have that title; names what there is.
    """
    from openpendant.errors import InputError
    from openpendant.projects import Library
    from openpendant.scene import demo_names
    from openpendant.scene.demo_cells import FOLDER
    from openpendant.user_folders import user_projects_folder

    folder = Path(cell)
    if (folder / "cell.json").is_file():
        return folder
    library = Library(user_projects_folder())
    projects = library.projects()
    found = [one.id for one in projects if one.id == cell] or [one.id for one in projects if one.title == cell]
    if len(found) > 1:
        raise InputError(f"several projects are called {cell!r}; choose one: {', '.join(found)}")
    if found:
        return library.path(found[0])
    if cell in demo_names():
        return FOLDER / cell
    own = ", ".join(one.id for one in projects) or "none"
    raise InputError(
        f"{cell!r} is neither a folder with a cell.json, one of your projects ({own}), nor a demo cell "
        f"({', '.join(demo_names())})"
    )
