"""export_program: any of the forms, by its name; fitting_forms: which of them the robot of a program understands."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from openpendant import robots
from openpendant.controllers import VendorText
from openpendant.errors import UnknownNameError
from openpendant.programs.document import Program
from openpendant.scene import Cell

from .csv import export_csv
from .rapid import export_rapid
from .urscript import export_urscript
from .vplus import export_vplus
from .vplus_replay import export_replay

SIX = 6
"""Joints of the arms that the languages for arms of any maker are written for."""


@dataclass(frozen=True)
class Form:
    """One way to write a program down."""

    write: Callable[..., tuple[VendorText, ...]]
    conventions: tuple[str, ...]
    """Robots that understand it, by the convention in their facts; none: everybody."""
    any_maker: bool = True
    """Whether it can be written for an arm whose maker is not known, as one that came from a URDF."""


FORMS = {
    "rapid": Form(export_rapid, ("abb",), any_maker=False),
    "urscript": Form(export_urscript, ("ur",)),
    "vplus": Form(export_vplus, ("vplus",)),
    "replay": Form(export_replay, ("vplus",)),
    "csv": Form(export_csv, ()),
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
    """Return the files of an export; also in a language that is not the robot's, where that can say it.

    Args:
        form: 'rapid', 'urscript', 'vplus', 'replay' (V+ as stored points) or 'csv'.
        cell: Without fault.
        program: Of the cell.
        programs: Others by name, for calls.
        folder: The cell's folder, where mesh files are looked for.

    Returns:
        Name and text of each file, in the units of its language.

    Raises:
        UnknownNameError: There is no such form.
        InputError: A move cannot be executed, a called program is for another arm, or the form cannot say it.
    """
    if form not in FORMS:
        raise UnknownNameError("form of export", form, FORMS)
    return FORMS[form].write(cell, program, programs=programs, folder=folder)


def fitting_forms(cell: Cell, program: Program) -> tuple[str, ...]:
    """Return the names of the forms that are of use for the robot of a program, its own language first.

    Raises:
        UnknownNameError: The cell has no such robot, or the catalogue no such model.
    """
    models = {robot.name: robot.model for robot in cell.robots}
    if program.robot not in models:
        raise UnknownNameError("robot in this cell", program.robot, models)
    robot = robots.load(models[program.robot])
    arms = [arm for name, arm in robot.arms.items() if program.arm in ("", name)]
    strange = robot.facts.convention == "plain" and any(arm.dof == SIX for arm in arms)
    own = [name for name, form in FORMS.items() if robot.facts.convention in form.conventions]
    others = [name for name, form in FORMS.items() if not form.conventions or (strange and form.any_maker)]
    return (*own, *sorted(others, key=lambda name: bool(FORMS[name].conventions)))
