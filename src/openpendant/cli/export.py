"""`openpendant export`: a program in a vendor's language."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .cells import CellArgument, Chosen, ProgramArgument, open_program

if TYPE_CHECKING:
    from openpendant.controllers import VendorText

__all__ = ["add_to"]

FORMS = ("rapid", "urscript", "vplus", "replay", "csv")


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
    from openpendant.errors import InputError

    if to not in FORMS:
        raise InputError(f"no form {to!r}; known: {', '.join(FORMS)}")
    files = texts_of(open_program(cell, program), to)
    if output is None:
        for number, file in enumerate(files):
            print(file.text if number == 0 else f"\n{file.text}", end="")
        return
    folder = output if len(files) > 1 or output.is_dir() or str(output).endswith("/") else None
    for file in files:
        path = output if folder is None else folder / file.name
        write(path, file.text)
        print(path)


def texts_of(chosen: Chosen, form: str) -> "tuple[VendorText, ...]":
    """Return the files of an export."""
    from openpendant.programs import export as exports

    makers = {
        "rapid": exports.export_rapid,
        "urscript": exports.export_urscript,
        "vplus": exports.export_vplus,
        "replay": exports.export_replay,
        "csv": exports.export_csv,
    }
    return makers[form](chosen.cell, chosen.program, programs=chosen.programs, folder=chosen.folder)


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    from openpendant.errors import InputError
    from openpendant.scene import write_atomic

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path.parent} cannot be made: {error.strerror}") from None
    write_atomic(path, text.encode())
