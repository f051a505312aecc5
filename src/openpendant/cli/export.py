"""`openpendant export`: a program in a vendor's language."""

from pathlib import Path
from typing import Annotated

import typer

from .cells import CellArgument, ProgramArgument, open_program


def add_to(app: typer.Typer) -> None:
    """Give `app` the verb."""
    app.command("export")(export)


def export(
    cell: CellArgument,
    program: ProgramArgument = None,
    to: Annotated[
        str, typer.Option("--to", metavar="FORM", help="Export form, such as csv; an unknown form lists all of them.")
    ] = "csv",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="PATH", help="File to write; a folder if it ends in '/'.")
    ] = None,
) -> None:
    """Write a program in a vendor's language, or its timed joint path as CSV. Without -o, print it."""
    from openpendant.makers import export_as

    chosen = open_program(cell, program)
    files = export_as(to, chosen.cell, chosen.program, programs=chosen.programs, folder=chosen.folder)
    if output is None:
        for number, file in enumerate(files):
            print(file.text if number == 0 else f"\n{file.text}", end="")
        return
    folder = output if len(files) > 1 or output.is_dir() or str(output).endswith("/") else None
    if folder is not None and folder.parent.is_dir():
        # The folder itself was asked for, by its name; those above it were not.
        folder.mkdir(exist_ok=True)
    for file in files:
        path = output if folder is None else folder / file.name
        write(path, file.text)
        print(path)


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all, into a folder that exists."""
    from openpendant.documents import write_atomic
    from openpendant.errors import InputError

    if not path.parent.is_dir():
        raise InputError(f"{path} was not written: there is no folder {path.parent}; create it first")
    write_atomic(path, text.encode())
