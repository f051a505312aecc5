"""Motion in programs: MoveJ, MoveL, MoveC, MoveAbsJ, where the arm is, and what it could reach."""

import math
from collections.abc import Callable, Generator, Mapping
from typing import Any

from openpendant.dialects.rapid import HostRoutine, HostWait, RapidFailure, Reference, TaskCaller, host_routine
from openpendant.motion import FINE, MoveArc, MoveJoint, MoveLine, Speed, Zone
from openpendant.virtual.abb.panel import MANUAL_MM_S, ControllerPanel
from openpendant.virtual.abb.unit import SIX, TOOL0, WOBJ0, MechanicalUnit
from openpendant.virtual.arm import PathMove

from .motion_settings import SettingRoutines
from .path_faults import FAULTS, raise_fault, untrapped
from .path_triggers import PathTriggers
from .synced_moves import SyncedMoves
from .task_units import TaskUnits
from .turns import Turns

Given = Mapping[str, Any]
AHEAD = 6
"""Moves that a program may be ahead of the arm."""
SLOWEST_MM_S = 0.01
COSTLY = 10
"""Turns that inverse kinematics of seven axes takes: as many as there are in a tick."""


class MotionRoutines:
    """Programs and the arms of a controller."""

    def __init__(
        self,
        units: TaskUnits,
        settings: SettingRoutines,
        synced: SyncedMoves,
        panel: ControllerPanel,
        turns: Turns,
        one_by_one: Callable[[], bool],
        triggers: PathTriggers,
    ) -> None:
        """Move `units`; where `one_by_one` says so, each move ends at rest."""
        self.settings = settings
        self._units, self._synced, self._panel, self._turns = units, synced, panel, turns
        self._one_by_one, self._triggers = one_by_one, triggers

    def table(self) -> tuple[HostRoutine, ...]:
        """Return the routines."""
        return (
            host_routine("MoveAbsJ", self._move_joints, waits=True),
            host_routine("MoveJ", self._move_to, waits=True),
            host_routine("MoveL", self._move_straight, waits=True),
            host_routine("MoveC", self._move_round, waits=True),
            host_routine("TriggAbsJ", self._move_joints, waits=True),
            host_routine("TriggJ", self._move_to, waits=True),
            host_routine("TriggL", self._move_straight, waits=True),
            host_routine("TriggC", self._move_round, waits=True),
            host_routine("ClearPath", lambda task, _: self.unit(task).settle()),
            host_routine("CJointT", lambda task, given: self.unit(task, given.get("TaskName", "")).jointtarget),
            host_routine("CRobT", self._where),
            host_routine("CPos", lambda task, given: self._where(task, given)[0]),
            host_routine("CalcRobT", self._calculate_pose),
            host_routine("CalcJointT", self._calculate_joints, waits=True),
        )

    # Moves

    def _move_joints(self, task: TaskCaller, given: Given) -> HostWait:
        unit = self.unit(task)
        try:
            q = unit.joints_of(given["ToJointPos"])
        except RapidFailure as failure:
            raise untrapped(failure) from None
        yield from self._go(task, unit, given, MoveJoint(q, *self.pace(unit, given)), q)

    def _move_to(self, task: TaskCaller, given: Given) -> HostWait:
        unit = self.unit(task)
        q = self._end(unit, given, keep=self.settings.of(unit).joint_configuration)
        yield from self._go(task, unit, given, MoveJoint(q, *self.pace(unit, given)), q)

    def _move_straight(self, task: TaskCaller, given: Given) -> HostWait:
        unit = self.unit(task)
        q = self.end_of_line(unit, given)
        T = unit.tool_pose_of(given["ToPoint"], given.get("WObj", WOBJ0))
        yield from self._go(task, unit, given, MoveLine(T, *self.pace(unit, given)), q)

    def _move_round(self, task: TaskCaller, given: Given) -> HostWait:
        unit = self.unit(task)
        wobj = given.get("WObj", WOBJ0)
        q = self.end_of_line(unit, given)
        T_via, T_end = (unit.tool_pose_of(given[name], wobj) for name in ("CirPoint", "ToPoint"))
        yield from self._go(task, unit, given, MoveArc(T_via, T_end, *self.pace(unit, given)), q)

    def _end(self, unit: MechanicalUnit, given: Given, *, keep: bool) -> Any:
        wobj = given.get("WObj", WOBJ0)
        try:
            return unit.solve(given["ToPoint"], given["Tool"], wobj, configuration=keep, near=unit.ahead)
        except RapidFailure as failure:
            raise untrapped(failure) from None

    def end_of_line(self, unit: MechanicalUnit, given: Given) -> Any:
        """Return the joints at the end of a line.

        Raises:
            RapidFailure: It is out of reach, or the arm would end in another configuration.
        """
        q = self._end(unit, given, keep=False)
        if self.settings.of(unit).line_configuration and not unit.has_configuration(q, given["ToPoint"]):
            asked, found = ([round(one) for one in of] for of in (given["ToPoint"][2], unit.configuration(q)))
            message = f"the line ends with configuration {found}, and the target has {asked}; ConfL \\Off allows it"
            raise RapidFailure("", message, kind=FAULTS["configuration"])
        return q

    def _go(self, task: TaskCaller, unit: MechanicalUnit, given: Given, move: Any, q_end: Any) -> HostWait:
        arm, settings, wanted = unit.arm, self.settings.of(unit), self._triggers.read(given)
        T_flange_tool = unit.T_flange_tool(given["Tool"])
        while (arm.T_flange_tool != T_flange_tool).any():
            # A path has one tool: with another one it begins from rest.
            raise_fault(unit)
            if arm.queue.ahead == 0 and arm.still:
                arm.set_tool(T_flange_tool)
            else:
                yield
        made = PathMove(move, acceleration_fraction=settings.acceleration, duration_s=max(given.get("T", 0.0), 0.0))
        stops, cleared = move.zone.fine, unit.cleared
        lost, finished = unit.lost, (yield from self._add(unit, given, made, q_end))
        triggers = self._triggers.add(task, unit, wanted, finished)
        while arm.queue.finished < finished if stops else arm.queue.ahead > AHEAD:
            yield
            raise_fault(unit)
            if unit.cleared != cleared:
                return
            if unit.lost != lost:
                # The brakes have made the arm forget its moves; this one is still to be made.
                lost, finished = unit.lost, (yield from self._add(unit, given, made, q_end))
                self._triggers.move_to(triggers, finished)
        while stops and not unit.in_position and unit.lost == lost:
            yield

    def _add(self, unit: MechanicalUnit, given: Given, made: PathMove, q_end: Any) -> Generator[None, None, int]:
        """Ask for a move, with those of other tasks where it has an ID; return how many are finished when it is."""
        if "ID" in given and self._synced.several:
            return (yield from self._synced.add(unit, int(given["ID"]), made, q_end))
        return unit.add(made, q_end)

    def pace(self, unit: MechanicalUnit, given: Given) -> tuple[Speed, Zone]:
        """Return how fast a move is made, and the zone at its end."""
        settings = self.settings.of(unit)
        most = min(settings.most_mm_s, MANUAL_MM_S) if self._panel.mode == "MANR" else settings.most_mm_s
        v_tcp = given["V"] if "V" in given else given["Speed"][0]
        mm_s = max(min(v_tcp * settings.override, most), SLOWEST_MM_S)
        turn_deg_s = max(given["Speed"][1] * settings.override, SLOWEST_MM_S)
        speed = Speed.from_mm_s(mm_s, turn_deg_s)
        zone = given["Zone"]
        if zone[0] or "Inpos" in given or self._one_by_one():
            return speed, FINE
        radius = given["Z"] if "Z" in given else zone[1]
        turn = math.radians(zone[4]) if "Z" not in given and zone[4] > 0.0 else None
        return speed, Zone(max(radius, 0.0) / 1000.0, turn if radius > 0.0 else None)

    # Where it is, and could be

    def _where(self, task: TaskCaller, given: Given) -> Any:
        tool, wobj = _frames(given)
        return self.unit(task, given.get("TaskName", "")).robtarget(tool, wobj)

    def _calculate_pose(self, task: TaskCaller, given: Given) -> Any:
        unit = self.unit(task)
        q = unit.joints_of(given["Joint_target"])
        return unit.robtarget_of(q, *_frames(given))

    def _calculate_joints(self, task: TaskCaller, given: Given) -> HostWait:
        unit = self.unit(task)
        yield from self._turns.wait(COSTLY if unit.arm.model.dof > SIX else 1)
        q = unit.solve(given["Rob_target"], *_frames(given), configuration=True, near=unit.arm.plant.q)
        return unit.jointtarget_of(q)

    def unit(self, task: TaskCaller, name: str = "") -> MechanicalUnit:
        """Return the unit of a task, or of another one that it names.

        Raises:
            RapidFailure: ERR_NOT_MOVETASK.
        """
        return self._units.own(task, name)


def _frames(given: Given) -> tuple[Any, Any]:
    """Return tooldata and wobjdata of a function's arguments."""
    tool, wobj = given.get("Tool", TOOL0), given.get("WObj", WOBJ0)
    return (tool.get() if isinstance(tool, Reference) else tool, wobj.get() if isinstance(wobj, Reference) else wobj)
