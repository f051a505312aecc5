"""TaskInterrupts: the interrupts of a task: what orders them, which trap they have, which of them wait."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .code_writer import RoutineCode
from .faults import RapidFailure
from .values import Reference

MOST_PENDING = 100
"""Interrupts that wait."""


@dataclass(eq=False)
class TaskInterrupts:
    """Interrupts by number.

    Attributes:
        clock: Seconds of the controller.
        disabled: Whether all of them wait (IDisable).
        traps: Which trap an interrupt is connected to.
        sleeping: Those that nothing orders (ISleep).
    """

    clock: Callable[[], float]
    disabled: bool = False
    traps: dict[int, RoutineCode] = field(default_factory=dict[int, RoutineCode])
    sleeping: set[int] = field(default_factory=set[int])
    _pending: deque[int] = field(default_factory=deque[int])
    _timers: dict[int, tuple[float, float | None]] = field(default_factory=dict[int, tuple[float, float | None]])
    _watched: dict[int, tuple[Reference, Any]] = field(default_factory=dict[int, tuple[Reference, Any]])
    _ends: dict[int, Callable[[], None]] = field(default_factory=dict[int, Callable[[], None]])
    _overflown: bool = False

    def connect(self, trap: RoutineCode, old: float) -> float:
        """Connect a new interrupt to a trap; return its number."""
        if int(old) in self.traps:
            raise RapidFailure("ERR_ALRDYCNT", "the interrupt is connected to a trap already")
        number = 1 + max(self.traps, default=0)
        self.traps[number] = trap
        return float(number)

    def forget(self, number: int) -> None:
        """Delete an interrupt."""
        self.traps.pop(number, None)
        self._end_orders(number)
        self.sleeping.discard(number)
        self._pending = deque(one for one in self._pending if one != number)

    def forget_all(self) -> None:
        """Delete all interrupts."""
        for number in list(self.traps):
            self.forget(number)
        self.disabled = False

    def order(self, number: int) -> None:
        """Let a trap run before the next statement, or after the trap that runs now."""
        if number not in self.traps or number in self.sleeping:
            return
        if len(self._pending) < MOST_PENDING:
            self._pending.append(number)
        else:
            self._overflown = True

    @property
    def due(self) -> bool:
        """Whether a trap has to run."""
        return bool(self._pending) and not self.disabled

    def next(self) -> tuple[int, RoutineCode]:
        """Take the interrupt that waits longest, with its trap."""
        number = self._pending.popleft()
        return number, self.traps[number]

    # What orders them

    def at(self, number: int, seconds: float, again: float | None) -> None:
        """Order an interrupt after a time, and perhaps again and again."""
        self._timers[number] = (self.clock() + seconds, again)

    def when_changed(self, number: int, reference: Reference) -> None:
        """Order an interrupt whenever data changes."""
        self._watched[number] = (reference, reference.get())

    def until_forgotten(self, number: int, end: Callable[[], None]) -> None:
        """Call `end` when somebody else, who orders an interrupt, need not do so any more."""
        self._end_orders(number)
        self._ends[number] = end

    def poll(self) -> None:
        """Order the interrupts whose time has come, or whose persistent data has changed.

        Raises:
            RapidFailure: More interrupts have been ordered than may wait.
        """
        for number, (at, again) in list(self._timers.items()):
            if self.clock() >= at - 1e-9:
                if again is None:
                    del self._timers[number]
                else:
                    self._timers[number] = (max(at + again, self.clock()), again)
                self.order(number)
        for number, (reference, old) in self._watched.items():
            now = reference.get()
            if now != old:
                self._watched[number] = (reference, now)
                self.order(number)
        if self._overflown:
            self._overflown = False
            raise RapidFailure("", "the interrupt queue is full")

    def _end_orders(self, number: int) -> None:
        self._timers.pop(number, None)
        self._watched.pop(number, None)
        end = self._ends.pop(number, None)
        if end is not None:
            end()
