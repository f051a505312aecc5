"""StopCalls: stops the program of a controller over connections of its own, repeated until `end`."""

from collections.abc import Callable, Generator
from typing import Literal, TypeVar

from openpendant.controllers.dialler import ByteLink, Dialler
from openpendant.errors import OpenPendantError
from openpendant.protocols.dashboard import LineSplitter

T = TypeVar("T")
StopChannel = Literal["dashboard", "script"]

DASHBOARD_PORT, SECONDARY_PORT = 29999, 30002
TIMEOUT_NS = 1_000_000_000
RETRY_NS = 100_000_000
KEEP_OPEN_NS = 200_000_000
"""Time the connection stays open after the script was sent: closing it at once may discard what was not read yet."""
LONGEST_LINE = 4096


class StopCalls:
    """Repeats a stop by dashboard and by script: at most one connection for each channel. No call waits."""

    def __init__(self, dialler: Dialler, address: str) -> None:
        """Ask nothing yet."""
        self.replied = False
        """Whether the dashboard has answered since `begin`."""
        self._dialler, self._address = dialler, address
        self._script = b""
        self._wanted = False
        self._calls: dict[StopChannel, _StopCall] = {}

    def begin(self, channel: StopChannel, script: str) -> None:
        """Send now, and again until `end`; a channel that is sending already continues."""
        if not self._wanted:
            self.replied = False
        self._wanted, self._script = True, script.encode()
        if channel not in self._calls:
            attempt = self._send_dashboard if channel == "dashboard" else self._send_script
            port = DASHBOARD_PORT if channel == "dashboard" else SECONDARY_PORT
            self._calls[channel] = _StopCall(lambda: self._dialler.dial(self._address, port), attempt)

    def poll(self, now_ns: int) -> None:
        """Ask where it is time to; at every tick."""
        for call in self._calls.values():
            call.poll(now_ns)

    def end(self) -> None:
        """Stop sending; what was not sent stays unsent, and nothing arrives later."""
        self._wanted = False
        for call in self._calls.values():
            call.end()
        self._calls.clear()

    def _send_dashboard(self, call: "_StopCall", link: ByteLink) -> "Attempt":
        lines = LineSplitter(LONGEST_LINE)
        yield from call.wait(link.ready)
        # Only to a dashboard that greets: a stop that waits in a silent one would hit a later program.
        yield from call.wait(lambda: lines.feed(link.receive()))
        yield from call.send(link, b"stop\n")
        yield from call.wait(lambda: lines.feed(link.receive()))
        self.replied = True

    def _send_script(self, call: "_StopCall", link: ByteLink) -> "Attempt":
        yield from call.wait(link.ready)
        yield from call.wait(link.receive)
        yield from call.send(link, self._script)
        end_ns = call.now_ns + KEEP_OPEN_NS
        while call.now_ns < end_ns:
            link.receive()
            yield


Attempt = Generator[None, None, None]


class _StopCall:
    """One channel: an attempt, a pause, the next attempt."""

    def __init__(self, dial: Callable[[], ByteLink], attempt: Callable[["_StopCall", ByteLink], Attempt]) -> None:
        """Dial at once; the rest is done by `poll`."""
        self.now_ns = 0
        self._dial, self._attempt = dial, attempt
        self._due_ns = 0
        self._link: ByteLink | None = None
        self._run = self._begin()
        self._pauses = False

    def poll(self, now_ns: int) -> None:
        self.now_ns = now_ns
        if self._pauses:
            if now_ns < self._due_ns:
                return
            self._run, self._pauses = self._begin(), False
        try:
            next(self._run)
            return
        except (StopIteration, OpenPendantError, TimeoutError):
            pass
        self._close(reset=False)
        self._pauses, self._due_ns = True, now_ns + RETRY_NS

    def end(self) -> None:
        self._close(reset=True)

    def wait(self, there: Callable[[], T]) -> Generator[None, None, T]:
        """Wait until something is there; raises TimeoutError if it does not come."""
        end_ns = self.now_ns + TIMEOUT_NS
        while not (found := there()):
            if self.now_ns > end_ns:
                raise TimeoutError
            yield
        return found

    def send(self, link: ByteLink, data: bytes) -> Attempt:
        """Send all of it."""
        end_ns = self.now_ns + TIMEOUT_NS
        while data := data[link.send(data) :]:
            if self.now_ns > end_ns:
                raise TimeoutError
            yield

    def _begin(self) -> Attempt:
        self._link = self._dial()
        return self._attempt(self, self._link)

    def _close(self, *, reset: bool) -> None:
        link, self._link = self._link, None
        if link is not None:
            link.close(reset=reset)
