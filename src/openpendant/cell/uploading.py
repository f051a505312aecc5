"""What an uploaded run needs: the vendor's text, and the corridor that the check has covered."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from openpendant.controllers import VendorText
from openpendant.errors import InputError
from openpendant.programs import Action, Program, SpeedOverride, map_steps, visit_program
from openpendant.programs.export import export_urscript
from openpendant.scene import Cell

from .corridor import Corridor, corridor_of
from .remote import reduced_pace

__all__ = ["Uploadable", "prepare_upload"]

FIRST_STEP = "reduced_speed"


@dataclass(frozen=True, eq=False)
class Uploadable:
    """A program that is ready to be uploaded."""

    text: VendorText
    corridor: Corridor
    arm: str
    """robot/arm."""


def prepare_upload(
    cell: Cell,
    program: Program,
    programs: Mapping[str, Program],
    folder: Path | None,
    start: Mapping[str, tuple[float, ...]],
    *,
    reduced: bool,
) -> Uploadable:
    """Return the vendor's text of a program and its corridor. Pure; for a worker.

    Args:
        cell: Without fault.
        program: Of the cell, checked.
        programs: Others by name, for calls.
        folder: The cell's folder.
        start: Joints by robot/arm where the check began.
        reduced: Whether the tool is to stay under 250 mm/s: the same way, slower.

    Raises:
        InputError: It cannot be exported: it has no moves, or moves of more than one arm.
    """
    visits = visit_program(cell, program, programs=programs, folder=folder, start=start)
    arms = {key for key, _ in visits.ways}
    if len(arms) != 1:
        raise InputError(f"an uploaded program moves one arm; {program.name} moves {', '.join(sorted(arms)) or 'none'}")
    ways = [trajectory for _, trajectory in visits.ways]
    pace = min(reduced_pace(way) for way in ways) if reduced else 1.0
    if pace < 1.0:
        programs = {name: _slower(one, pace) for name, one in programs.items()}
        program = _slower(program, pace, first=True)
    (text,) = export_urscript(cell, program, programs=programs, folder=folder)
    return Uploadable(text, corridor_of(ways), arms.pop())


def _slower(program: Program, pace: float, *, first: bool = False) -> Program:
    """Return a program with all overrides of speed lowered; with one at its beginning where it is the `first`."""

    def lower(step: Action) -> Action:
        if isinstance(step, SpeedOverride):
            return msgspec.structs.replace(step, percent=step.percent * pace)
        return step

    lowered = map_steps(program, lower)
    if not first:
        return lowered
    begin = SpeedOverride(id=FIRST_STEP, percent=float(np.floor(1000.0 * 100.0 * pace) / 1000.0))
    return msgspec.structs.replace(lowered, steps=(begin, *lowered.steps))
