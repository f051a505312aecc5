"""SyncedMoves: moves of several tasks with the same ID, which begin and end together (SyncMoveOn to SyncMoveOff)."""

from collections.abc import Generator, Mapping
from typing import Any

from openpendant.dialects.rapid import HostRoutine, HostWait, TaskCaller, host_routine
from openpendant.virtual.abb.unit import Array, MechanicalUnit
from openpendant.virtual.arm import ArmGroup, PathMove

from .path_faults import raise_fault
from .task_units import TaskUnits


class SyncedMoves:
    """Brings the moves of all mechanical units together, by their IDs."""

    def __init__(self, units: TaskUnits, group: ArmGroup) -> None:
        """Move `units`, which are the arms of `group`."""
        self._units, self._group = units, group
        self._asked: dict[int, dict[str, PathMove]] = {}
        self._came: dict[tuple[str, str], int] = {}

    def table(self) -> tuple[HostRoutine, ...]:
        """Return the routines."""
        return (host_routine("SyncMoveOff", self._leave, waits=True),)

    def reset(self) -> None:
        """Forget moves that have not begun, and who has come where."""
        self._came.clear()
        self.forget_moves()

    def forget_moves(self) -> None:
        """Forget moves that have not begun; whoever waits asks again."""
        self._asked.clear()
        self._group.stop_together()

    @property
    def several(self) -> bool:
        """Whether there is more than one arm to bring together."""
        return len(self._units.all) > 1

    def add(self, unit: MechanicalUnit, number: int, move: PathMove, q_end: Array) -> Generator[None, None, int]:
        """Wait until all units have a move with this ID, and begin.

        Returns:
            How many moves of the unit are finished when it is.
        """
        lost, cleared, queue = unit.lost, unit.cleared, unit.arm.queue
        finished = queue.finished + queue.ahead + 1
        asked = self._asked.setdefault(number, {})
        asked[unit.name] = move
        if len(asked) == len(self._units.all):
            del self._asked[number]
            self._group.move_together(asked)
        while self._asked.get(number) is asked or self._group.waiting:
            yield
            raise_fault(unit)
            if unit.lost != lost or unit.cleared != cleared:
                asked.pop(unit.name, None)
                return finished
        unit.ahead = q_end
        return finished

    def _leave(self, task: TaskCaller, given: Mapping[str, Any]) -> HostWait:
        """Wait until every task has come to the end of its synchronised moves, and its arm rests."""
        unit = self._units.own(task)
        while not unit.in_position:
            raise_fault(unit)
            yield
        meeting = str(given["SyncID"].get().held)
        count = self._came[task.name, meeting] = self._came.get((task.name, meeting), 0) + 1
        while any(self._came.get((one.task, meeting), 0) < count for one in self._units.all):
            yield
