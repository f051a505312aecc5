"""RunLife: the states of a run, and the only place where they change.

    asked -> checking -> starting -> running <-> paused
      |         |            |         |  |        |
      |         |            |         |  +--------+--> stopping
      v         v            v         v                   v
    stopped, failed                  done, failed       stopped, failed

A stop leads out of every state: before anything was sent to the robots the run is over at once, after that it is
'stopping' until they have obeyed. Once over, nothing changes any more.
"""

import threading
from typing import Literal

from openpendant.errors import InputError
from openpendant.programs import RunStatus
from openpendant.said import say

from .stops import StoppedError

RunState = Literal["asked", "checking", "starting", "running", "paused", "stopping", "done", "failed", "stopped"]

NEXT: dict[RunState, tuple[RunState, ...]] = {
    "asked": ("checking", "starting", "failed", "stopped"),
    "checking": ("starting", "failed", "stopped"),
    "starting": ("running", "failed", "stopped"),
    "running": ("paused", "stopping", "done", "failed"),
    "paused": ("running", "stopping", "failed"),
    "stopping": ("stopped", "failed"),
    "done": (),
    "failed": (),
    "stopped": (),
}
"""What may follow each state."""

STATUS: dict[RunState, RunStatus] = {
    "asked": "ready",
    "checking": "ready",
    "starting": "ready",
    "running": "running",
    "paused": "paused",
    "stopping": "running",
    "done": "done",
    "failed": "failed",
    "stopped": "stopped",
}
"""What a state is called where only begun, paused and ended runs are distinguished."""


class RunLife:
    """The state of one run. Calls may come from any thread."""

    def __init__(self, name: str) -> None:
        """Begin as asked for; `name` is the program's."""
        self.name = name
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._state: RunState = "asked"
        self._message = ""
        self._why = ""

    @property
    def state(self) -> RunState:
        """How it stands."""
        return self._state

    @property
    def now(self) -> tuple[RunState, str]:
        """State and message of the same moment."""
        with self._lock:
            return self._state, self._message

    @property
    def message(self) -> str:
        """Why it waits, has failed or was stopped."""
        return self._message

    @property
    def status(self) -> RunStatus:
        """As `STATUS`."""
        return STATUS[self._state]

    @property
    def pending(self) -> bool:
        """Whether it has neither begun nor ended."""
        return self._state in ("asked", "checking", "starting")

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return not NEXT[self._state]

    def raise_if_over(self) -> None:
        """Raise StoppedError where it has ended; says why."""
        if self.over:
            raise StoppedError(self._message)

    def advance(self, to: Literal["checking", "starting", "running"]) -> None:
        """Continue towards running.

        Raises:
            StoppedError: It was stopped meanwhile.
            InputError: It cannot continue to that from where it is.
        """
        with self._lock:
            if self._state == "stopped":
                raise StoppedError(self._message)
            if to not in NEXT[self._state]:
                raise InputError(f"{self.name} is {self._state}; it cannot be {to} next")
            self._state = to

    def follow(self, message: str, *, paused: bool) -> None:
        """Take over whether a run that is under way is paused, and what it waits for."""
        with self._lock:
            if self._state in ("running", "paused"):
                self._state, self._message = ("paused" if paused else "running"), message

    def stop(self, why: str = "") -> None:
        """Note a stop: what has not begun is over, what is under way is stopping; what is over stays as it is.

        Args:
            why: The message if it ends by this stop; empty: that of its robots.
        """
        with self._lock:
            if self._state in ("running", "paused"):
                self._state, self._why = "stopping", why
            elif self._state not in ("stopping", "done", "failed", "stopped"):
                self._finish("stopped", self._before_began(why))

    def end(self, outcome: Literal["done", "failed", "stopped"], message: str) -> None:
        """End; what was being stopped ends as stopped or failed. Nothing changes where it is over already."""
        with self._lock:
            if not NEXT[self._state]:
                return
            if outcome == "stopped" and self._state in ("running", "paused"):
                self._state = "stopping"
            if outcome == "done" and self._state == "stopping":
                # It had just made its last move: that it is done would not be true of what was asked last.
                outcome, message = "stopped", say("run.stopped")
            if outcome == "stopped" and self._state == "stopping":
                message = self._why or message
            self._finish(outcome if outcome in NEXT[self._state] else "failed", message)

    def wait(self, within_s: float | None) -> bool:
        """Wait until it is over; return whether it is."""
        return self._over.wait(within_s)

    def _before_began(self, why: str) -> str:
        if not why:
            return say("run.before_began", program=self.name)
        return say("run.before_began_why", program=self.name, why=why)

    def _finish(self, outcome: RunState, message: str) -> None:
        self._state, self._message = outcome, message
        self._over.set()
