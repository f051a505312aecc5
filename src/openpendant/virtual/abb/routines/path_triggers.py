"""Triggers on paths: interrupts at the ends of moves (TriggInt; TriggL and its kin).

Here moves have no place between their ends that programs could name, so distances are 0 mm: the end of a move, in a
zone its middle, or with `Start` its beginning.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from openpendant.dialects.rapid import HostRoutine, RapidFailure, Reference, TaskCaller, host_routine
from openpendant.virtual.abb.unit import MechanicalUnit

Given = Mapping[str, Any]
ARGUMENTS = ("Trigg_1", "T2", "T3")


@dataclass(frozen=True)
class TriggerData:
    """What a triggdata holds.

    Attributes:
        start: Whether it acts where a move begins; else where it ends.
        act: What it does, in the task of the move.
    """

    start: bool
    act: Callable[[TaskCaller], None]


@dataclass(eq=False)
class DueTrigger:
    """A trigger of a requested move; it acts when the unit has finished `finished` moves."""

    unit: MechanicalUnit
    finished: int
    act: Callable[[], None]
    start: bool
    cleared: int


class PathTriggers:
    """The triggers of moves that are still to be made."""

    def __init__(self) -> None:
        """Begin with none."""
        self._due: list[DueTrigger] = []

    def table(self) -> tuple[HostRoutine, ...]:
        """Return the routines that describe triggers."""
        return (host_routine("TriggInt", self._set_interrupt),)

    def reset(self) -> None:
        """Forget all of them."""
        self._due.clear()

    def add(self, task: TaskCaller, unit: MechanicalUnit, given: Given, finished: int) -> list[DueTrigger]:
        """Let the triggers of a move act; after it, `finished` moves are finished.

        Raises:
            RapidFailure: A triggdata is empty.
        """
        found = [_trigger_of(given[name]) for name in ARGUMENTS if name in given]
        made = [
            DueTrigger(unit, finished - one.start, lambda act=one.act: act(task), one.start, unit.cleared)
            for one in found
        ]
        self._due += made
        return made

    def move_to(self, triggers: list[DueTrigger], finished: int) -> None:
        """Give the triggers of a move another number, since it had to be asked for again."""
        for one in triggers:
            one.finished = finished - one.start

    def tick(self) -> None:
        """Act where the arms have come to; triggers of moves that were cleared are forgotten."""
        for one in list(self._due):
            if one.unit.cleared != one.cleared:
                self._due.remove(one)
            elif one.unit.arm.queue.finished >= one.finished:
                self._due.remove(one)
                one.act()

    def _set_interrupt(self, _task: TaskCaller, given: Given) -> None:
        number = int(given["Interrupt"].get())
        _hold(given, lambda task: task.interrupt(number))


def _hold(given: Given, act: Callable[[TaskCaller], None]) -> None:
    distance = float(given["Distance"])
    if distance != 0.0 or "Time" in given:
        raise RapidFailure("ERR_ARGVALERR", f"a trigger {distance:g} before the end; only 0 mm are supported here")
    given["TriggData"].get().held = TriggerData("Start" in given, act)


def _trigger_of(reference: Reference) -> TriggerData:
    held = reference.get().held
    if not isinstance(held, TriggerData):
        raise RapidFailure("ERR_ARGVALERR", "the triggdata has not been set by TriggInt")
    return held
