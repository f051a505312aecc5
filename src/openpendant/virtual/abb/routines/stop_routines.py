"""Stops by programs: StopMove, StartMove, WaitRob, WaitTime; from the task of an arm, or from one in the background."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from openpendant.dialects.rapid import HostRoutine, HostWait, TaskCaller, host_routine
from openpendant.virtual.abb.unit import SETTLED_RAD_S, MechanicalUnit

from .path_faults import raise_fault
from .task_units import TaskUnits

Given = Mapping[str, Any]
Orderer = Literal["motion", "background"]


@dataclass(eq=False)
class UnitStop:
    """Whether programs have stopped a unit: its own task and those in the background stop and start for themselves."""

    by: set[Orderer] = field(default_factory=set[Orderer])
    quick: bool = False


class StopRoutines:
    """Programs that stop arms on their paths."""

    def __init__(self, units: TaskUnits, clock: Callable[[], float]) -> None:
        """Begin with none stopped; `clock`: seconds of the controller."""
        self._units, self._clock = units, clock
        self.reset()

    def reset(self) -> None:
        """Let all units move."""
        self._stops = {one.name: UnitStop() for one in self._units.all}

    def stopped(self, unit: MechanicalUnit) -> bool:
        """Return whether a unit is to rest on its path."""
        return bool(self._stops[unit.name].by)

    def quick(self, unit: MechanicalUnit) -> bool:
        """Return whether it is to come to rest as fast as it can."""
        return self.stopped(unit) and self._stops[unit.name].quick

    def table(self) -> tuple[HostRoutine, ...]:
        """Return the routines."""
        return (
            host_routine("StopMove", self._stop),
            host_routine("StartMove", self._start),
            host_routine("StopMoveReset", self._start),
            host_routine("IsStopMoveAct", self._is_stopped),
            host_routine("WaitRob", self._wait, waits=True),
            host_routine("WaitTime", self._wait_time, waits=True),
        )

    def _stop(self, task: TaskCaller, given: Given) -> None:
        for unit in self._units.meant(task, given):
            stop = self._stops[unit.name]
            stop.quick = "Quick" in given or (bool(stop.by) and stop.quick)
            stop.by.add(self._orderer(task))

    def _start(self, task: TaskCaller, given: Given) -> None:
        for unit in self._units.meant(task, given):
            self._stops[unit.name].by.discard(self._orderer(task))

    def _is_stopped(self, task: TaskCaller, given: Given) -> bool:
        (unit,) = self._units.meant(task, {})
        asked: set[Orderer] = {"motion"} if "FromMoveTask" in given else {"background"}
        if "FromMoveTask" not in given and "FromNonMoveTask" not in given:
            asked = {self._orderer(task)}
        return bool(asked & self._stops[unit.name].by)

    def _wait(self, task: TaskCaller, given: Given) -> HostWait:
        unit = self._units.own(task)
        while not (self._rests(unit) if "ZeroSpeed" in given else unit.in_position):
            raise_fault(unit)
            yield

    def _wait_time(self, task: TaskCaller, given: Given) -> HostWait:
        """Wait; behind a move with a zone the time begins where the arm comes to it, so that it dwells there."""
        if "InPos" in given:
            yield from self._wait(task, {})
        elif given["Time"] > 0.0 and self._units.moves(task):
            unit = self._units.own(task)
            while not self._comes_to_its_end(unit):
                raise_fault(unit)
                yield
        until = self._clock() + given["Time"]
        # An instruction with no time at all still gives back its step.
        yield
        while self._clock() < until - 1e-9:
            yield

    def _comes_to_its_end(self, unit: MechanicalUnit) -> bool:
        """Return whether a unit will brake for its last move or enter its zone within a moment, or is held before."""
        arm = unit.arm
        if not arm.queue.ahead or self.stopped(unit):
            return True
        return not arm.queue.waiting and arm.mover.path.ends_soon(arm.mover.factor)

    def _rests(self, unit: MechanicalUnit) -> bool:
        """Return whether a unit stands still; moves that are still to be made count where nothing holds them back."""
        arm = unit.arm
        slow = bool(np.abs(arm.plant.qd).max() < SETTLED_RAD_S)
        return arm.still and slow and (not arm.queue.ahead or self.stopped(unit))

    def _orderer(self, task: TaskCaller) -> Orderer:
        return "motion" if self._units.moves(task) else "background"
