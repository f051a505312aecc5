"""Triggers on paths: interrupts and outputs at places of moves (TriggInt, TriggIO; TriggL and its kin).

A place is so far along the way of the tool's point before the end of a move, in a zone its middle, or with `Start`
behind its beginning. Times instead of distances are not there.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from openpendant.dialects.rapid import HostRoutine, RapidFailure, Reference, TaskCaller, host_routine
from openpendant.virtual.abb.unit import MechanicalUnit

from .signal_routines import SignalRoutines

Given = Mapping[str, Any]
ARGUMENTS = ("Trigg_1", "T2", "T3")
OUTPUTS = ("DOp", "GOp", "AOp")


@dataclass(frozen=True)
class TriggerData:
    """What a triggdata holds.

    Attributes:
        start: Whether the distance counts from where a move begins; else from where it ends.
        distance_m: Along the way of the tool's point.
        act: What it does, in the task of the move.
    """

    start: bool
    distance_m: float
    act: Callable[[TaskCaller], None]


@dataclass(eq=False)
class DueTrigger:
    """A trigger of a requested move; it acts at its place, at the latest when `finished` moves of the unit are over."""

    unit: MechanicalUnit
    finished: int
    act: Callable[[], None]
    start: bool
    distance_m: float
    cleared: int

    @property
    def due(self) -> bool:
        """Whether the arm has come to its place."""
        arm = self.unit.arm
        if arm.queue.finished >= self.finished:
            return True
        if arm.queue.finished < self.finished - 1 or arm.queue.present is None:
            return False
        if arm.mover.path.present is not arm.queue.present:
            # It has just been left, and is counted in the next tick.
            return True
        done_m, left_m = arm.mover.path.present_way
        return done_m >= self.distance_m if self.start else left_m <= self.distance_m


class PathTriggers:
    """The triggers of moves that are still to be made."""

    def __init__(self, signals: SignalRoutines) -> None:
        """Begin with none."""
        self._signals = signals
        self._due: list[DueTrigger] = []

    def table(self) -> tuple[HostRoutine, ...]:
        """Return the routines that describe triggers."""
        return (host_routine("TriggInt", self._set_interrupt), host_routine("TriggIO", self._set_output))

    def reset(self) -> None:
        """Forget all of them."""
        self._due.clear()

    def read(self, given: Given) -> list[TriggerData]:
        """Return the triggers that a move is asked to have.

        Raises:
            RapidFailure: A triggdata is empty.
        """
        return [_trigger_of(given[name]) for name in ARGUMENTS if name in given]

    def add(self, task: TaskCaller, unit: MechanicalUnit, found: list[TriggerData], finished: int) -> list[DueTrigger]:
        """Let the triggers of a move act; after it, `finished` moves are finished."""
        made = [
            DueTrigger(unit, finished, lambda act=one.act: act(task), one.start, one.distance_m, unit.cleared)
            for one in found
        ]
        self._due += made
        return made

    def move_to(self, triggers: list[DueTrigger], finished: int) -> None:
        """Give the triggers of a move another number, since it had to be asked for again."""
        for one in triggers:
            one.finished = finished

    def tick(self) -> None:
        """Act where the arms have come to; triggers of moves that were cleared are forgotten."""
        for one in list(self._due):
            if one.unit.cleared != one.cleared:
                self._due.remove(one)
            elif one.due:
                self._due.remove(one)
                one.act()

    def _set_interrupt(self, _task: TaskCaller, given: Given) -> None:
        number = int(given["Interrupt"].get())
        _hold(given, lambda task: task.interrupt(number))

    def _set_output(self, _task: TaskCaller, given: Given) -> None:
        name = next((given[one] for one in OUTPUTS if one in given), None)
        if name is None:
            raise RapidFailure("ERR_ARGVALERR", f"TriggIO without an output; {', '.join(OUTPUTS)} are allowed")
        value, delay_s = float(given["SetValue"]), float(given.get("DODelay", 0.0))
        self._signals.check(name, value)
        _hold(given, lambda _task: self._signals.write(name, value, delay_s))


def _hold(given: Given, act: Callable[[TaskCaller], None]) -> None:
    distance = float(given["Distance"])
    if "Time" in given:
        raise RapidFailure("ERR_ARGVALERR", "a trigger by time; distances in mm are supported here")
    if not distance >= 0.0:
        raise RapidFailure("ERR_ARGVALERR", f"a trigger at {distance:g} mm; 0 and more are allowed")
    given["TriggData"].get().held = TriggerData("Start" in given, distance / 1000.0, act)


def _trigger_of(reference: Reference) -> TriggerData:
    held = reference.get().held
    if not isinstance(held, TriggerData):
        raise RapidFailure("ERR_ARGVALERR", "the triggdata has not been set by TriggInt or TriggIO")
    return held
