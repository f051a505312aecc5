"""What an uploaded run needs: the vendor's text, and the corridor that the check has covered."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from openpendant.controllers import VendorText
from openpendant.errors import InputError
from openpendant.gate import REDUCED_SETPOINTS_M_S, GateFacts, fastest_speeds
from openpendant.motion import joint_limits
from openpendant.programs import Action, GoTo, MoveAxis, Program, SpeedOverride, Visits, map_steps, visit_program
from openpendant.programs.export import export_urscript, fitting_forms
from openpendant.programs.words import parse_speed
from openpendant.said import say
from openpendant.scene import Cell, PlacedArm, Scene

from .corridor import Corridor, corridor_of

__all__ = ["Uploadable", "prepare_upload"]

FIRST_STEP = "reduced_speed"
LOOK_S = 0.005
PLACES = 65


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
        InputError: It cannot be exported: it has no moves, or moves of more than one arm; or the robot does not run it.
    """
    if "urscript" not in fitting_forms(cell, program):
        raise InputError(say("run.no_urscript", robot=program.robot))
    visits = visit_program(cell, program, programs=programs, folder=folder, start=start)
    arms = {key for key, _ in visits.ways}
    if len(arms) != 1:
        raise InputError(say("run.one_arm", program=program.name, arms=", ".join(sorted(arms)) or "none"))
    ways = [trajectory for _, trajectory in visits.ways]
    pace = _reduced(visits, Scene(cell, folder).arm(next(iter(arms)))) if reduced else 1.0
    if pace < 1.0:
        programs = {name: _slower(one, pace) for name, one in programs.items()}
        program = _slower(program, pace, first=True)
    (text,) = export_urscript(cell, program, programs=programs, folder=folder)
    return Uploadable(text, corridor_of(ways), arms.pop())


def _reduced(visits: Visits, placed: PlacedArm) -> float:
    """Return the pace, up to 1, at which tool and elbow keep under 250 mm/s on the vendor's controller.

    Its moves reach their programmed speeds sooner than ours, so on short ones it is faster than the trajectory that was
    checked: what counts is how fast a move is once it has that speed.
    """
    limits, dof = joint_limits(placed.model, placed.arm), placed.kinematics.dof
    facts = GateFacts(placed.kinematics.chain, limits, placed.T_flange_tcp, np.zeros(dof))
    fastest = 1e-9
    for _, trajectory in visits.ways:
        along = trajectory.sample(LOOK_S)
        fastest = max(fastest, float(fastest_speeds(facts, along.q, along.qd).max()))
    for visit in visits.first.values():
        step = visit.leg.leaf.step
        way = visit.q - visit.q_before
        shortest_s = float((np.abs(way) / limits.velocity).max())
        if isinstance(step, GoTo) and step.how != "joint":
            speed = parse_speed(step.speed)
            tool = speed.tool_m_s if np.isfinite(speed.tool_m_s) else 1.0
            fastest = max(fastest, tool * speed.joint_fraction)
        elif isinstance(step, GoTo | MoveAxis) and shortest_s > 1e-9:
            speed = parse_speed(step.speed)
            Q = visit.q_before + np.linspace(0.0, 1.0, PLACES)[:, None] * way
            share = speed.joint_fraction / shortest_s
            p = (placed.kinematics.fk(Q, check_limits=False) @ placed.T_flange_tcp)[:, :3, 3]
            tool = share * (PLACES - 1) * float(np.linalg.norm(np.diff(p, axis=0), axis=1).max())
            share *= min(1.0, speed.tool_m_s / max(tool, 1e-9))
            there = fastest_speeds(facts, Q, np.repeat(share * way[None, :], PLACES, axis=0))
            fastest = max(fastest, float(there.max()))
    return min(1.0, REDUCED_SETPOINTS_M_S / fastest)


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
