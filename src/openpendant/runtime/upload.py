"""What an uploaded run needs: the vendor's text, and the corridor that the check has covered."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from openpendant.controllers import VendorTasks, VendorText
from openpendant.errors import InputError
from openpendant.gate import REDUCED_SETPOINTS_M_S, GateFacts, fastest_speeds
from openpendant.makers import find_maker
from openpendant.messages import bus
from openpendant.motion import joint_limits
from openpendant.programs import (
    Action,
    GoTo,
    MoveAxis,
    Program,
    SpeedOverride,
    Trace,
    map_steps,
    named_tcps,
    trace_program,
)
from openpendant.programs.document import parse_speed
from openpendant.programs.sequence import ProgramArms
from openpendant.robots import load
from openpendant.said import say
from openpendant.scene import Cell, Scene, transform_of

from .corridor import Corridor, WatchedArm, corridor_of

FIRST_STEP = "reduced_speed"
SAMPLE_S = 0.005
PLACES = 65


@dataclass(frozen=True, eq=False)
class Uploadable:
    """A program that is ready to be uploaded."""

    text: VendorText | VendorTasks
    """What the controller runs; the programs of several tasks start together."""
    corridor: Corridor
    arm: str
    """robot/arm."""
    tcps: bus.Tcps = ()
    """TCPs that it names beside that of the tool which the arm carries, on the flange."""
    others: tuple[WatchedArm, ...] = ()
    """Arms of the same robot that the programs of other tasks move."""


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
        InputError: It cannot be exported: it has no moves, or moves of more than one robot, or of more arms than the
            language can say; or the robot does not run it.
    """
    models = {one.name: one.model for one in cell.robots}
    maker = find_maker(load(models[program.robot])) if program.robot in models else None
    if maker is None or maker.uploads is None:
        raise InputError(say("run.no_upload", robot=program.robot))
    # The speed of a move depends on where it begins: what is exported must begin where the check did.
    cell = _starting_at(cell, start)
    visits = trace_program(cell, program, programs=programs, folder=folder)
    arms = list(dict.fromkeys(key for key, _ in visits.ways))
    if {key.partition("/")[0] for key in arms} != {program.robot}:
        raise InputError(say("run.one_robot", program=program.name, arms=", ".join(sorted(arms)) or "none"))
    scene, known = Scene(cell, folder), {**programs, program.name: program}
    tcps = named_tcps(scene, program, programs)
    settings = ProgramArms(scene, known)
    pace = min(_reduced(visits, settings, key, tcps.get(key, ())) for key in arms) if reduced else 1.0
    if pace < 1.0:
        programs = {name: _slower(one, pace) for name, one in programs.items()}
        program = _slower(program, pace, first=True)
    texts = maker.uploads.export(cell, program, programs=programs, folder=folder)
    text = texts[0] if len(texts) == 1 else VendorTasks(program.name, texts)
    main = texts[0].arm or settings.of(program.name).placed.arm
    arms.sort(key=lambda key: key.partition("/")[2] != main)
    ways = {key: [trajectory for arm, trajectory in visits.ways if arm == key] for key in arms}
    first, *others = arms
    beside = (
        WatchedArm(key.partition("/")[2], corridor_of(ways[key]), start[key], tcps.get(key, ())) for key in others
    )
    return Uploadable(text, corridor_of(ways[first]), first, tcps.get(first, ()), tuple(beside))


def _starting_at(cell: Cell, start: Mapping[str, tuple[float, ...]]) -> Cell:
    """Return a cell whose arms start at joints by robot/arm."""
    joints: dict[str, dict[str, tuple[float, ...]]] = {robot.name: dict(robot.joints) for robot in cell.robots}
    for key, q in start.items():
        robot, _, arm = key.partition("/")
        joints[robot][arm] = tuple(q)
    robots = tuple(msgspec.structs.replace(robot, joints=joints[robot.name]) for robot in cell.robots)
    return msgspec.structs.replace(cell, robots=robots)


def _reduced(visits: Trace, settings: ProgramArms, key: str, tcps: bus.Tcps) -> float:
    """Return the pace, up to 1, at which every TCP and the elbow of an arm keep under 250 mm/s on its controller.

    Its moves reach their programmed speeds sooner than ours, so on short ones it is faster than the trajectory that was
    checked: what counts is how fast a move is once it has that speed.
    """
    placed = settings.scene.arm(key)
    tools = {tool.name: tool.tcp for tool in settings.scene.cell.tools}
    limits, dof = joint_limits(placed.model, placed.arm), placed.kinematics.dof
    facts = GateFacts(placed.kinematics.chain, limits, placed.T_flange_tcp, np.zeros(dof)).with_tcps(tcps)
    fastest = 1e-9
    for _, trajectory in (one for one in visits.ways if one[0] == key):
        along = trajectory.sample(SAMPLE_S)
        fastest = max(fastest, float(fastest_speeds(facts, along.q, along.qd).max()))
    mine = (turns for (name, _), turns in visits.turns.items() if settings.of(name).key == key)
    for visit in (turn for turns in mine for turn in turns):
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
            T_flange_tool = transform_of(tools[visit.leg.tool]) if visit.leg.tool else placed.T_flange_tcp
            p = (placed.kinematics.fk(Q, check_limits=False) @ T_flange_tool)[:, :3, 3]
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
