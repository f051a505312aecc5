"""Watchdogs: what happens when a client stops writing an input."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from openpendant.errors import InputError
from openpendant.virtual.arm import TickClock

from .kernels.step import TICKS_PER_S

WatchdogAction = Literal["ignore", "pause", "stop"]
ACTIONS: tuple[WatchdogAction, ...] = ("ignore", "pause", "stop")


@dataclass
class Watchdog:
    """One watched input."""

    name: str
    period_ticks: int
    action: WatchdogAction
    since: int
    """Tick from which it counts."""
    bitten: bool = False


class Watchdogs:
    """All watched inputs of the running program. They end with it."""

    def __init__(self, clock: TickClock) -> None:
        self._clock = clock
        self.on_late: Callable[[str, WatchdogAction], None] = _do_nothing
        """What to do when an input is late: its name and the action asked for, pause or stop."""
        self._watched: dict[str, Watchdog] = {}
        self.missed = 0
        """How often an input came too late, whatever was done about it."""

    def set(self, name: str, min_frequency_hz: float, action: str) -> None:
        """Watch an input from now on; replaces an older watchdog on it.

        Raises:
            InputError: No such action, or a frequency that is not positive.
        """
        wanted = action.lower()
        known: WatchdogAction | None = next((one for one in ACTIONS if one == wanted), None)
        if known is None:
            raise InputError(f"watchdog action {action!r}; allowed: {', '.join(ACTIONS)}")
        if not 0.0 < min_frequency_hz < float("inf"):
            raise InputError(f"watchdog frequency {min_frequency_hz} Hz; it must be positive and finite")
        # One tick of grace: an update exactly on time is not late.
        period = max(1, round(TICKS_PER_S / min_frequency_hz)) + 1
        self._watched[name] = Watchdog(name, period, known, self._clock.ticks)

    def feed(self, name: str) -> None:
        """Note that an input was written."""
        watched = self._watched.get(name)
        if watched is not None:
            watched.since = self._clock.ticks
            watched.bitten = False

    def rearm(self) -> None:
        """Count from now: the program continues after a pause."""
        for watched in self._watched.values():
            watched.since = self._clock.ticks
            watched.bitten = False

    def clear(self) -> None:
        """Forget all: the program has ended."""
        self._watched.clear()

    def tick(self) -> None:
        """Act on the inputs that are late; once for each time they are."""
        for watched in tuple(self._watched.values()):
            if not watched.bitten and self._clock.ticks - watched.since > watched.period_ticks:
                watched.bitten = True
                self.missed += 1
                if watched.action != "ignore":
                    self.on_late(watched.name, watched.action)


def _do_nothing(name: str, action: WatchdogAction) -> None:
    """Begin without a client."""
