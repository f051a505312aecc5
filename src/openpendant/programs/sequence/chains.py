"""Legs and chains: moves that are made without a rest between them, planned as one trajectory.

Where a chain ends is decided in `sequence`. Check and run plan the same chains, so what was checked is what moves.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from openpendant.kinematics import Unreachable
from openpendant.motion import FINE, Blocked, Move, MoveArc, MoveJoint, MoveLine, Trajectory, plan
from openpendant.programs.document import GoTo, MoveAxis, parse_speed, parse_zone, scaled_speed
from openpendant.spatial import inverse

from .program_arm import ProgramArm
from .step_order import StepTurn

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Leg:
    """A move of a program that is ready to be planned."""

    leaf: StepTurn
    move: Move
    tool: str
    """The tool of the cell whose TCP is meant; empty: the one that the arm carries."""
    q_guess: Array
    """(n,): joints at its end; for lines and arcs those nearest to its start, which need not be where it arrives."""
    override: float
    """Speed override, 0 to 1."""


@dataclass(frozen=True, eq=False)
class MoveChain:
    """Moves from rest to rest, one after another without a rest."""

    setting: ProgramArm
    q_start: Array
    legs: tuple[Leg, ...]
    stopped_by: str = ""
    """Why the last zone is not used; empty: it is `fine` anyway."""
    after: tuple[tuple[StepTurn, ...], ...] = ()
    """By move, the steps without a duration that come between its end and the next move; empty: none at all."""

    @property
    def moves(self) -> list[Move]:
        """What is planned: the last move comes to rest."""
        moves = [leg.move for leg in self.legs]
        return [*moves[:-1], replace(moves[-1], zone=FINE)]

    @property
    def tool(self) -> str:
        """The tool that is moved."""
        return self.legs[0].tool

    def key(self) -> tuple[object, ...]:
        """Return what decides how it is planned, for remembering plans."""
        parts: list[object] = [self.setting.key, self.tool, self.q_start.tobytes()]
        for move in self.moves:
            match move:
                case MoveJoint(q_end=q):
                    parts.append(q.tobytes())
                case MoveLine(T_end=T, redundancy=free):
                    parts += [T.tobytes(), free]
                case MoveArc(T_via=via, T_end=T, redundancy=free):
                    parts += [via.tobytes(), T.tobytes(), free]
            parts += [move.speed, move.zone]
        return tuple(parts)


def plan_step(setting: ProgramArm, leaf: StepTurn, q_now: Array, override: float) -> Leg | Unreachable:
    """Return the move of a GoTo or MoveAxis step from where the arm is, or why its end cannot be reached."""
    step = leaf.step
    if isinstance(step, MoveAxis):
        q = np.array(step.q, dtype=np.float64)
        speed = scaled_speed(parse_speed(step.speed), override)
        return Leg(leaf, MoveJoint(q, speed, parse_zone(step.zone)), "", q, override)
    if not isinstance(step, GoTo):
        raise TypeError(f"{type(step).__name__} is not a move")
    axes = "frame" if step.offset is None else step.offset.axes
    T = setting.T_base(step.to, leaf.offset, axes)
    speed, zone = scaled_speed(parse_speed(step.speed), override), parse_zone(step.zone)
    q = setting.joints_for(step, T, q_now) if step.how == "joint" else _joints_at(setting, step, T, q_now)
    if isinstance(q, Unreachable):
        return q
    if step.how == "joint":
        return Leg(leaf, MoveJoint(q, speed, zone), step.tool, q, override)
    free = setting.redundancy_of(step.to)
    if step.how == "line" or step.via is None:
        return Leg(leaf, MoveLine(T, speed, zone, redundancy=free), step.tool, q, override)
    T_via = setting.T_base(step.via, leaf.offset, axes)
    return Leg(leaf, MoveArc(T_via, T, speed, zone, redundancy=free), step.tool, q, override)


def _joints_at(setting: ProgramArm, step: GoTo, T: Array, q_now: Array) -> Array | Unreachable:
    """Return the joints nearest to where the arm is, by whole turns too: a guess of where a line will arrive."""
    arm = setting.placed.kinematics
    T_flange = T @ inverse(setting.T_flange_tool(step.tool))
    Q, found = arm.ik_array(T_flange, q_now)
    if found.any():
        turns = 2.0 * np.pi * np.round((q_now - Q[found]) / (2.0 * np.pi))
        near = Q[found] + np.where(arm.chain.prismatic[np.argsort(arm.chain.order)], 0.0, turns)
        inside = (near >= arm.limits_lower) & (near <= arm.limits_upper)
        near = np.where(inside, near, Q[found])
        return near[np.linalg.norm(near - q_now, axis=1).argmin()]
    result = arm.ik(T_flange, seed=q_now, variants=True)
    return np.array(result.solutions[0].q) if result.unreachable is None else result.unreachable


def plan_chain(chain: MoveChain) -> Trajectory | Blocked:
    """Return the trajectory of a chain, or which of its moves cannot be executed and why."""
    setting = chain.setting
    tool = setting.T_flange_tool(chain.tool)
    return plan(setting.placed.kinematics, setting.limits, chain.q_start, chain.moves, tool)
