"""Programs as text: in the forms that come with OpenPendant, and in the languages of other makers."""

from collections.abc import Mapping
from pathlib import Path

from openpendant.controllers import VendorText
from openpendant.programs import Program
from openpendant.programs.export import FORMS, export_program, fitting_forms
from openpendant.robots import load
from openpendant.scene import Cell

from .table import find_maker, makers


def export_forms(cell: Cell, program: Program) -> tuple[str, ...]:
    """Return the names of the forms that are of use for the robot of a program, its own language first.

    Raises:
        UnknownNameError: The cell has no such robot, or the catalogue no such model.
    """
    known = fitting_forms(cell, program)
    model = next(one.model for one in cell.robots if one.name == program.robot)
    maker = find_maker(load(model))
    own = () if maker is None or maker.uploads is None else (maker.uploads.dialect,)
    return tuple(dict.fromkeys((*own, *known)))


def export_as(
    form: str,
    cell: Cell,
    program: Program,
    *,
    programs: Mapping[str, Program] | None = None,
    folder: Path | str | None = None,
) -> tuple[VendorText, ...]:
    """Return the files of an export. Pure; for a worker.

    Args:
        form: One of `export_forms`, or another language that can say the program.
        cell: Without fault.
        program: Of the cell.
        programs: Others by name, for calls.
        folder: The cell's folder, where mesh files are looked for.

    Raises:
        UnknownNameError: There is no such form.
        InputError: A move cannot be executed, a called program is for another arm, or the form cannot say it.
    """
    uploads = (maker.uploads for maker in makers() if maker.uploads is not None) if form not in FORMS else iter(())
    own = next((one for one in uploads if one.dialect == form), None)
    if own is not None:
        return own.export(cell, program, programs=programs, folder=folder)
    return export_program(form, cell, program, programs=programs, folder=folder)
