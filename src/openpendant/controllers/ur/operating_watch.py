"""OperatingWatch: asks the dashboard server where the operating mode selector stands.

RTDE does not say it, and the guide of the primary interface does not say what its number means.
"""

from collections.abc import Callable, Generator
from typing import TypeVar

from openpendant.controllers.dialler import ByteLink, Dialler
from openpendant.errors import OpenPendantError
from openpendant.messages import OperatingMode
from openpendant.protocols.dashboard import LineSplitter, Verb

PORT = 29999
OPERATING: dict[str, OperatingMode] = {"MANUAL": "manual", "AUTOMATIC": "automatic"}
"""Answers of the Dashboard Server guide; "NONE": no password is set for the mode, so there is no selector."""
ASK_NS = 500_000_000
ANSWER_NS = 2_000_000_000
AGAIN_NS = 5_000_000_000
"""Interval at which a missing or silent dashboard is tried again: a robot moves without it."""
LONGEST_LINE = 4096
QUESTION = f"{Verb.GET_OPERATIONAL_MODE}\n".encode()
T = TypeVar("T")
Talk = Generator[None, None, T]


class OperatingWatch:
    """Asks twice a second over a connection of its own. No call waits, and none raises."""

    def __init__(self, dialler: Dialler, address: str) -> None:
        """Ask nothing yet."""
        self.mode: OperatingMode = "unknown"
        self._dialler, self._address = dialler, address
        self._link: ByteLink | None = None
        self._talk: Talk[None] | None = None
        self._now_ns = self._due_ns = 0

    def poll(self, now_ns: int) -> None:
        """Ask and listen; at every tick."""
        self._now_ns = now_ns
        if now_ns < self._due_ns:
            return
        if self._talk is None:
            self._talk = self._ask_on_and_on()
        try:
            next(self._talk)
        except (OpenPendantError, TimeoutError):
            self.close()
            self._due_ns = now_ns + AGAIN_NS

    def close(self) -> None:
        """End the connection and forget the mode; the next `poll` connects again."""
        link, self._link, self._talk = self._link, None, None
        self.mode, self._due_ns = "unknown", 0
        if link is not None:
            link.close()

    def _ask_on_and_on(self) -> Talk[None]:
        self._link = link = self._dialler.dial(self._address, PORT)
        lines = LineSplitter(LONGEST_LINE)
        yield from self._await(link.ready)
        # Its greeting.
        yield from self._await(lambda: lines.feed(link.receive()))
        while True:
            # So few bytes go whole, or not at all; then they are asked for again on another connection.
            link.send(QUESTION)
            said = yield from self._await(lambda: lines.feed(link.receive()))
            self.mode = OPERATING.get(said[-1].strip().upper(), "unknown")
            self._due_ns = self._now_ns + ASK_NS
            yield

    def _await(self, there: Callable[[], T]) -> Talk[T]:
        """Return what is there as soon as it is true; raises TimeoutError where it does not come."""
        end_ns = self._now_ns + ANSWER_NS
        while not (found := there()):
            if self._now_ns > end_ns:
                raise TimeoutError
            yield
        return found
