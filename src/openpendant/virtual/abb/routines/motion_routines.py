"""Motion in programs: MoveJ, MoveL, MoveC, MoveAbsJ, where the arm is, what it could reach, stop and start."""

import math
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any

from openpendant.dialects.rapid import (
    EventKind,
    HostRoutine,
    HostWait,
    RapidFailure,
    Reference,
    TaskCaller,
    host_routine,
)
from openpendant.motion import FINE, MoveArc, MoveJoint, MoveLine, Speed, Zone
from openpendant.virtual.abb.panel import MANUAL_MM_S, ControllerPanel
from openpendant.virtual.abb.unit import SIX, TOOL0, WOBJ0, MechanicalUnit
from openpendant.virtual.arm import PathFault, PathMove

from .synced_moves import SyncedMoves
from .turns import Turns

Given = Mapping[str, Any]
AHEAD = 6
"""Moves that a program may be ahead of the arm."""
SLOWEST_MM_S = 0.01
COSTLY = 10
"""Turns that inverse kinematics of seven axes takes: as many as there are in a tick."""
FAULTS = {
    "limit": EventKind(50027, "Joint Out of Range"),
    "singular": EventKind(50026, "Close to singularity"),
    "unreachable": EventKind(50050, "Position outside reach"),
    "degenerate": EventKind(50055, "Circle uncertain"),
}
"""By kind of fault (ABB, Operating manual Trouble shooting IRC5)."""
WITHOUT_EFFECT = "ConfL SingArea CirPathMode GripLoad MotionSup PathAccLim WorldAccLim SoftAct SoftDeact"
"""Accepted. Lines go as after ConfL \\Off; the virtual arm has no load and no supervision."""


def kind_of(fault: PathFault) -> EventKind:
    """Return class and number of a path that cannot be made."""
    return FAULTS.get(fault.kind, EventKind(50050, "Position outside reach"))


@dataclass(eq=False)
class MotionSettings:
    """What instructions have set for a task; Move instructions that follow use it."""

    joint_configuration: bool = True
    override: float = 1.0
    most_mm_s: float = 5000.0
    acceleration: float = 1.0
    stopped: bool = False


class MotionRoutines:
    """Programs and the arms of a controller."""

    def __init__(
        self, units: Mapping[str, MechanicalUnit], panel: ControllerPanel, turns: Turns, synced: SyncedMoves
    ) -> None:
        """Move `units`, by task."""
        self._units, self._panel, self._turns, self._synced = dict(units), panel, turns, synced
        self._settings = {task: MotionSettings() for task in units}

    def reset(self) -> None:
        """Return to the settings that a program begins with."""
        self._settings = {task: MotionSettings() for task in self._units}

    def stopped(self, task: str) -> bool:
        """Return whether the program of a task has stopped its arm (StopMove)."""
        return self._settings[task].stopped

    def table(self) -> tuple[HostRoutine, ...]:
        """Return the routines."""
        return (
            host_routine("MoveAbsJ", self._move_joints, waits=True),
            host_routine("MoveJ", self._move_to, waits=True),
            host_routine("MoveL", self._move_straight, waits=True),
            host_routine("MoveC", self._move_round, waits=True),
            host_routine("WaitRob", self._wait, waits=True),
            host_routine("CJointT", lambda task, given: self._unit(task, given).jointtarget),
            host_routine("CRobT", self._where),
            host_routine("CPos", lambda task, given: self._where(task, given)[0]),
            host_routine("CalcRobT", self._calculate_pose),
            host_routine("CalcJointT", self._calculate_joints, waits=True),
            host_routine("StopMove", lambda task, _: self._stop(task, stopped=True)),
            host_routine("StartMove", lambda task, _: self._stop(task, stopped=False)),
            host_routine("IsStopMoveAct", lambda task, _: self._of(task).stopped),
            host_routine("ClearPath", lambda task, _: self._unit(task, {}).settle()),
            host_routine("VelSet", self._limit_speed),
            host_routine("AccSet", self._limit_acceleration),
            host_routine("ConfJ", self._keep_joint_configuration),
            *(host_routine(name, lambda _task, _given: None) for name in WITHOUT_EFFECT.split()),
        )

    # Moves

    def _move_joints(self, task: TaskCaller, given: Given) -> HostWait:
        unit = self._unit(task, {})
        try:
            q = unit.joints_of(given["ToJointPos"])
        except RapidFailure as failure:
            raise _untrapped(failure) from None
        yield from self._go(task, unit, given, MoveJoint(q, *self._pace(task, given)), q)

    def _move_to(self, task: TaskCaller, given: Given) -> HostWait:
        unit = self._unit(task, {})
        q = self._end(unit, given, keep=self._of(task).joint_configuration)
        yield from self._go(task, unit, given, MoveJoint(q, *self._pace(task, given)), q)

    def _move_straight(self, task: TaskCaller, given: Given) -> HostWait:
        unit = self._unit(task, {})
        q = self._end(unit, given, keep=False)
        T = unit.tool_pose_of(given["ToPoint"], given.get("WObj", WOBJ0))
        yield from self._go(task, unit, given, MoveLine(T, *self._pace(task, given)), q)

    def _move_round(self, task: TaskCaller, given: Given) -> HostWait:
        unit = self._unit(task, {})
        wobj = given.get("WObj", WOBJ0)
        q = self._end(unit, given, keep=False)
        T_via, T_end = (unit.tool_pose_of(given[name], wobj) for name in ("CirPoint", "ToPoint"))
        yield from self._go(task, unit, given, MoveArc(T_via, T_end, *self._pace(task, given)), q)

    def _end(self, unit: MechanicalUnit, given: Given, *, keep: bool) -> Any:
        wobj = given.get("WObj", WOBJ0)
        try:
            return unit.solve(given["ToPoint"], given["Tool"], wobj, configuration=keep, near=unit.ahead)
        except RapidFailure as failure:
            raise _untrapped(failure) from None

    def _go(self, task: TaskCaller, unit: MechanicalUnit, given: Given, move: Any, q_end: Any) -> HostWait:
        arm, settings = unit.arm, self._of(task)
        T_flange_tool = unit.T_flange_tool(given["Tool"])
        while (arm.T_flange_tool != T_flange_tool).any():
            # A path has one tool: with another one it begins from rest.
            self._look(unit)
            if arm.queue.ahead == 0 and arm.still:
                arm.set_tool(T_flange_tool)
            else:
                yield
        made = PathMove(move, acceleration_fraction=settings.acceleration, duration_s=max(given.get("T", 0.0), 0.0))
        stops, cleared = move.zone.fine, unit.cleared
        lost, finished = unit.lost, (yield from self._add(unit, given, made, q_end))
        while arm.queue.finished < finished if stops else arm.queue.ahead > AHEAD:
            yield
            self._look(unit)
            if unit.cleared != cleared:
                return
            if unit.lost != lost:
                # The brakes have made the arm forget its moves; this one is still to be made.
                lost, finished = unit.lost, (yield from self._add(unit, given, made, q_end))
        while stops and not unit.in_position and unit.lost == lost:
            yield

    def _add(self, unit: MechanicalUnit, given: Given, made: PathMove, q_end: Any) -> Generator[None, None, int]:
        """Ask for a move, with those of other tasks where it has an ID; return how many are finished when it is."""
        if "ID" in given and self._synced.several:
            return (yield from self._synced.add(unit, int(given["ID"]), made, q_end))
        return unit.add(made, q_end)

    def _pace(self, task: TaskCaller, given: Given) -> tuple[Speed, Zone]:
        settings = self._of(task)
        most = min(settings.most_mm_s, MANUAL_MM_S) if self._panel.mode == "MANR" else settings.most_mm_s
        v_tcp = given["V"] if "V" in given else given["Speed"][0]
        mm_s = max(min(v_tcp * settings.override, most), SLOWEST_MM_S)
        turn_deg_s = max(given["Speed"][1] * settings.override, SLOWEST_MM_S)
        zone = given["Zone"]
        if zone[0] or "Inpos" in given:
            return Speed.from_mm_s(mm_s, turn_deg_s), FINE
        radius = given["Z"] if "Z" in given else zone[1]
        turn = math.radians(zone[4]) if "Z" not in given and zone[4] > 0.0 else None
        return Speed.from_mm_s(mm_s, turn_deg_s), Zone(max(radius, 0.0) / 1000.0, turn if radius > 0.0 else None)

    def _look(self, unit: MechanicalUnit) -> None:
        """Fail where the path cannot be made."""
        fault = unit.arm.queue.fault
        if fault is not None:
            unit.settle()
            raise RapidFailure("", fault.reason, kind=kind_of(fault))

    def _wait(self, task: TaskCaller, _: Given) -> HostWait:
        unit = self._unit(task, {})
        while not unit.in_position:
            self._look(unit)
            yield

    # Where it is, and could be

    def _where(self, task: TaskCaller, given: Given) -> Any:
        tool, wobj = _frames(given)
        return self._unit(task, given).robtarget(tool, wobj)

    def _calculate_pose(self, task: TaskCaller, given: Given) -> Any:
        unit = self._unit(task, {})
        q = unit.joints_of(given["Joint_target"])
        return unit.robtarget_of(q, *_frames(given))

    def _calculate_joints(self, task: TaskCaller, given: Given) -> HostWait:
        unit = self._unit(task, {})
        yield from self._turns.take(COSTLY if unit.arm.model.dof > SIX else 1)
        q = unit.solve(given["Rob_target"], *_frames(given), configuration=True, near=unit.arm.plant.q)
        return unit.jointtarget_of(q)

    # Settings

    def _stop(self, task: TaskCaller, *, stopped: bool) -> None:
        self._of(task).stopped = stopped

    def _limit_speed(self, task: TaskCaller, given: Given) -> None:
        settings = self._of(task)
        settings.override = min(max(given["Override"], 0.0), 100.0) / 100.0
        settings.most_mm_s = max(given["Max"], 0.0)

    def _limit_acceleration(self, task: TaskCaller, given: Given) -> None:
        # Below 20 % controllers take 20 % (RAPID reference, "AccSet").
        self._of(task).acceleration = min(max(given["Acc"], 20.0), 100.0) / 100.0

    def _keep_joint_configuration(self, task: TaskCaller, given: Given) -> None:
        self._of(task).joint_configuration = "Off" not in given

    def _of(self, task: TaskCaller) -> MotionSettings:
        self._unit(task, {})
        return self._settings[task.name]

    def _unit(self, task: TaskCaller, given: Given) -> MechanicalUnit:
        name = given.get("TaskName", task.name)
        found = self._units.get(name)
        if found is None:
            raise RapidFailure("ERR_NOT_MOVETASK", f"{name} moves no mechanical unit")
        return found


def _frames(given: Given) -> tuple[Any, Any]:
    """Return tooldata and wobjdata of a function's arguments."""
    tool, wobj = given.get("Tool", TOOL0), given.get("WObj", WOBJ0)
    return (tool.get() if isinstance(tool, Reference) else tool, wobj.get() if isinstance(wobj, Reference) else wobj)


def _untrapped(failure: RapidFailure) -> RapidFailure:
    """Return the failure of a motion instruction: it stops the program, whatever its error handlers say."""
    return RapidFailure("", str(failure), kind=FAULTS["limit" if failure.error == "ERR_ROBLIMIT" else "unreachable"])
