"""`openpendant export`: a program in a vendor's language."""

from pathlib import Path
from typing import Annotated

import typer

from .cells import CellArgument, ProgramArgument, open_program

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Give `app` the verb."""
    app.command("export")(export)


def export(
    cell: CellArgument,
    program: ProgramArgument = None,
    to: Annotated[
        str, typer.Option("--to", metavar="FORM", help="rapid, urscript, vplus, replay (V+ points) or csv.")
    ] = "csv",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="PATH", help="File, or folder where it ends in '/'.")
    ] = None,
) -> None:
    """Write a program in a vendor's language, or its timed joint path as CSV. Without -o it is printed."""
    from openpendant.programs.export import export_program

    chosen = open_program(cell, program)
    files = export_program(to, chosen.cell, chosen.program, programs=chosen.programs, folder=chosen.folder)
    if output is None:
        for number, file in enumerate(files):
            print(file.text if number == 0 else f"\n{file.text}", end="")
        return
    folder = output if len(files) > 1 or output.is_dir() or str(output).endswith("/") else None
    for file in files:
        path = output if folder is None else folder / file.name
        write(path, file.text)
        print(path)


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    from openpendant.errors import InputError
    from openpendant.scene import write_atomic

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path.parent} cannot be made: {error.strerror}") from None
    write_atomic(path, text.encode())
