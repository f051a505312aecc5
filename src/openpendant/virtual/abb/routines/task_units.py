"""TaskUnits: which mechanical units an instruction of a task means."""

from collections.abc import Iterable, Mapping
from typing import Any

from openpendant.dialects.rapid import RapidFailure, TaskCaller
from openpendant.virtual.abb.unit import MechanicalUnit


class TaskUnits:
    """The mechanical units of a controller, each with the task that moves it."""

    def __init__(self, units: Iterable[MechanicalUnit]) -> None:
        """Take the units in the order of the configuration."""
        self._by_task = {one.task: one for one in units}

    @property
    def all(self) -> tuple[MechanicalUnit, ...]:
        """All of them."""
        return tuple(self._by_task.values())

    def moves(self, task: TaskCaller) -> bool:
        """Return whether a task moves a unit; the others are in the background."""
        return task.name in self._by_task

    def own(self, task: TaskCaller, name: str = "") -> MechanicalUnit:
        """Return the unit of a task, or of another one that it names.

        Raises:
            RapidFailure: ERR_NOT_MOVETASK.
        """
        found = self._by_task.get(name or task.name)
        if found is None:
            raise RapidFailure("ERR_NOT_MOVETASK", f"{name or task.name} moves no mechanical unit")
        return found

    def meant(self, task: TaskCaller, given: Mapping[str, Any]) -> tuple[MechanicalUnit, ...]:
        r"""Return the units that an instruction with `\AllMotionTasks` is for.

        A background task is connected to the first motion task (on controllers: "Use Mechanical Unit Group").

        Raises:
            RapidFailure: A task that moves a unit itself means all of them.
        """
        if "AllMotionTasks" not in given:
            return (self.own(task),) if self.moves(task) else self.all[:1]
        if self.moves(task):
            raise RapidFailure("", "only a task that moves nothing may use \\AllMotionTasks")
        return self.all
