"""Trace: where a program takes the arm, step by step; what exports and recordings are made from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError
from openpendant.motion import MoveArc, Trajectory
from openpendant.programs.document import Program, find_call_fault, find_program_fault
from openpendant.programs.sequence import Leg, MoveChain
from openpendant.said import say
from openpendant.scene import Cell, Scene

Array = NDArray[np.float64]

SAME_ARC = 1e-6
"""Poses that differ by less (metres, and elements of rotations) are the same."""
SAME_TURN = 1e-5
"""Turns whose joints round to the same multiples of this (radians, metres) are one."""


@dataclass(frozen=True, eq=False)
class TracedMove:
    """One turn of a move."""

    leg: Leg
    q_before: Array
    q: Array
    """Joints at the programmed point, which a rounded corner passes by."""
    stops: bool
    """Whether the arm comes to rest there."""


@dataclass(frozen=True, eq=False)
class TimedChain:
    """A chain on its way through time."""

    start_s: float
    chain: MoveChain
    trajectory: Trajectory


@dataclass(eq=False)
class Trace:
    """What was visited, in order."""

    first: dict[tuple[str, str], TracedMove] = field(default_factory=dict[tuple[str, str], TracedMove])
    """By program and step id: its first turn, in whatever way the inputs answered."""
    turns: dict[tuple[str, str], list[TracedMove]] = field(default_factory=dict[tuple[str, str], list[TracedMove]])
    """By program and step id: its turns that differ in where they begin or end, the first one first."""
    main: list[TracedMove] = field(default_factory=list[TracedMove])
    """All turns, with inputs as they are taken to be."""
    stretches: list[TimedChain] = field(default_factory=list[TimedChain])
    ways: list[tuple[str, Trajectory]] = field(default_factory=list[tuple[str, Trajectory]])
    """By robot/arm, every trajectory that may be made, in whatever way the inputs answer."""
    changing_arcs: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    """By program and step id: arcs that are not the same circle at every turn."""
    _arcs: dict[tuple[str, str], Array] = field(default_factory=dict[tuple[str, str], Array])
    """By program and step id: start, point on the way and end of an arc at its first turn, (3, 4, 4)."""
    _known: set[tuple[str, str, bytes]] = field(default_factory=set[tuple[str, str, bytes]])
    """Program, step id and joints of each of `turns`."""

    def add(self, chain: MoveChain, trajectory: Trajectory, start_s: float, *, main: bool) -> None:
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
            visit = TracedMove(leg, before, q, corner is None or corner.space == "stop")
            self.first.setdefault((leg.leaf.program, leg.leaf.step.id), visit)
            self._keep_turn(visit)
            self._compare_arc(chain, leg, before)
            if main:
                self.main.append(visit)
        self.ways.append((chain.setting.key, trajectory))
        if main:
            self.stretches.append(TimedChain(start_s, chain, trajectory))

    def _keep_turn(self, visit: TracedMove) -> None:
        """Write down a turn that is not like one before it."""
        key = (visit.leg.leaf.program, visit.leg.leaf.step.id)
        joints = np.round(np.concatenate([visit.q_before, visit.q]) / SAME_TURN).astype(np.int64).tobytes()
        if (*key, joints) not in self._known:
            self._known.add((*key, joints))
            self.turns.setdefault(key, []).append(visit)

    def _compare_arc(self, chain: MoveChain, leg: Leg, q_before: Array) -> None:
        """Write down whether an arc is another one than at its first turn."""
        if not isinstance(leg.move, MoveArc):
            return
        setting, key = chain.setting, (leg.leaf.program, leg.leaf.step.id)
        T_start = setting.placed.kinematics.fk(q_before, check_limits=False) @ setting.T_flange_tool(leg.tool)
        arc = np.stack([T_start, leg.move.T_via, leg.move.T_end])
        if float(np.abs(arc - self._arcs.setdefault(key, arc)).max()) > SAME_ARC:
            self.changing_arcs.add(key)


def trace_program(
    cell: Cell,
    program: Program,
    *,
    programs: Mapping[str, Program] | None = None,
    folder: Path | str | None = None,
    start: Mapping[str, ArrayLike] | None = None,
    inputs: Mapping[str, bool] | None = None,
) -> Trace:
    """Return where a program takes the arms; collisions are not looked for.

    Args:
        cell: Without fault.
        program: Of the cell.
        programs: Others by name, for calls.
        folder: The cell's folder.
        start: Joints by robot/arm (radians); arms that are not named start as the cell says.
        inputs: What inputs are taken to be; default: their initial values.

    Raises:
        InputError: The program has a fault, or one of its moves cannot be executed; says which and why.
    """
    from .explorer import Explorer, Options

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
