"""export_program: any of the forms, by its name."""

from collections.abc import Mapping
from pathlib import Path

from openpendant.controllers import VendorText
from openpendant.errors import UnknownNameError
from openpendant.programs.program import Program
from openpendant.scene import Cell

from .csv import export_csv
from .rapid import export_rapid
from .replay import export_replay
from .urscript import export_urscript
from .vplus import export_vplus

__all__ = ["FORMS", "export_program"]

FORMS = {
    "rapid": export_rapid,
    "urscript": export_urscript,
    "vplus": export_vplus,
    "replay": export_replay,
    "csv": export_csv,
}
"""By name; `replay` is V+ as stored points."""


def export_program(
    form: str,
    cell: Cell,
    program: Program,
    *,
    programs: Mapping[str, Program] | None = None,
    folder: Path | str | None = None,
) -> tuple[VendorText, ...]:
    """Return the files of an export.

    Raises:
        UnknownNameError: There is no such form.
        InputError: A move cannot be made, or the form cannot say it.
    """
    if form not in FORMS:
        raise UnknownNameError("form of export", form, FORMS)
    return FORMS[form](cell, program, programs=programs, folder=folder)
