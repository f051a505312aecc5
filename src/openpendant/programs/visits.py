"""Visits: where a program takes the arm, step by step; what exports and recordings are made from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError
from openpendant.motion import MoveArc, Trajectory
from openpendant.said import say
from openpendant.scene import Cell, Scene

from .faults import find_call_fault, find_program_fault
from .planning import Chain, Leg
from .program import Program

__all__ = ["Stretch", "Visit", "Visits", "visit_program"]

Array = NDArray[np.float64]

SAME_ARC = 1e-6
"""Poses that differ by less (metres, and elements of rotations) are the same."""


@dataclass(frozen=True, eq=False)
class Visit:
    """One turn of a move."""

    leg: Leg
    q_before: Array
    q: Array
    """Joints at the programmed point, which a rounded corner passes by."""
    stops: bool
    """Whether the arm comes to rest there."""


@dataclass(frozen=True, eq=False)
class Stretch:
    """A chain on its way through time."""

    start_s: float
    chain: Chain
    trajectory: Trajectory


@dataclass(eq=False)
class Visits:
    """What was visited, in order."""

    first: dict[tuple[str, str], Visit] = field(default_factory=dict[tuple[str, str], Visit])
    """By program and step id: its first turn, in whatever way the inputs answered."""
    main: list[Visit] = field(default_factory=list[Visit])
    """All turns, with inputs as they are taken to be."""
    stretches: list[Stretch] = field(default_factory=list[Stretch])
    ways: list[tuple[str, Trajectory]] = field(default_factory=list[tuple[str, Trajectory]])
    """By robot/arm, every trajectory that may be made, in whatever way the inputs answer."""
    changing_arcs: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    """By program and step id: arcs that are not the same circle at every turn."""
    _arcs: dict[tuple[str, str], Array] = field(default_factory=dict[tuple[str, str], Array])
    """By program and step id: start, point on the way and end of an arc at its first turn, (3, 4, 4)."""

    def add(self, chain: Chain, trajectory: Trajectory, start_s: float, *, main: bool) -> None:
        """Write down a chain that was made."""
        corners = {corner.move: corner for corner in trajectory.corners}
        ends = {span.move: span.end_s for span in trajectory.spans}
        q = chain.q_start
        for index, leg in enumerate(chain.legs):
            before, corner = q, corners.get(index)
            if corner is not None:
                q = corner.q_corner
            elif index in ends:
                q = trajectory.at(ends[index]).q
            visit = Visit(leg, before, q, corner is None or corner.space == "stop")
            self.first.setdefault((leg.leaf.program, leg.leaf.step.id), visit)
            self._compare_arc(chain, leg, before)
            if main:
                self.main.append(visit)
        self.ways.append((chain.setting.key, trajectory))
        if main:
            self.stretches.append(Stretch(start_s, chain, trajectory))

    def _compare_arc(self, chain: Chain, leg: Leg, q_before: Array) -> None:
        """Write down whether an arc is another one than at its first turn."""
        if not isinstance(leg.move, MoveArc):
            return
        setting, key = chain.setting, (leg.leaf.program, leg.leaf.step.id)
        T_start = setting.placed.kinematics.fk(q_before, check_limits=False) @ setting.T_flange_tool(leg.tool)
        arc = np.stack([T_start, leg.move.T_via, leg.move.T_end])
        if float(np.abs(arc - self._arcs.setdefault(key, arc)).max()) > SAME_ARC:
            self.changing_arcs.add(key)


def visit_program(
    cell: Cell,
    program: Program,
    *,
    programs: Mapping[str, Program] | None = None,
    folder: Path | str | None = None,
    start: Mapping[str, ArrayLike] | None = None,
    inputs: Mapping[str, bool] | None = None,
) -> Visits:
    """Return where a program takes the arms; collisions are not looked for.

    Args:
        cell: Without fault.
        program: Of the cell.
        programs: Others by name, for calls.
        folder: The cell's folder.
        start: Joints by robot/arm (radians); arms that are not named start as the cell says.
        inputs: What inputs are taken to be; default: their initial values.

    Raises:
        InputError: The program has a fault, or one of its moves cannot be made; says which and why.
    """
    from .exploring import Explorer, Options

    known = {**(programs or {}), program.name: program}
    fault = find_program_fault(program, cell, known) or find_call_fault(program, known)
    if fault is not None:
        raise InputError(say("check.fault", program=program.name, pointer=fault.pointer, why=fault.message))
    scene = Scene(cell, None if folder is None else Path(folder))
    q_start = {key: np.array(arm.q_start) for key, arm in scene.arms.items()}
    for key, q in (start or {}).items():
        placed = scene.arm(key)
        q_start[placed.key] = placed.kinematics.check_q(q)
    explorer = Explorer(scene, program, known, q_start, None, Options(dict(inputs or {}), alternatives=False))
    report = explorer.report("")
    if report.first_failing is not None:
        raise InputError(say("check.not_made", program=program.name, why=report.summary))
    return explorer.visits
