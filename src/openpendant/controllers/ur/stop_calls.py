"""StopCalls: ask a controller to stop its program over connections of their own, until told to cease."""

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Literal

from openpendant.errors import LinkError

from .state_link import connect_socket

StopChannel = Literal["dashboard", "script"]

DASHBOARD_PORT, SECONDARY_PORT = 29999, 30002
TIMEOUT_S = 1.0
RETRY_S = 0.1
KEEP_OPEN_S = 0.2
"""Time the connection stays open after the script was sent: closing it at once may discard what was not read yet."""
CHUNK = 65536
LONGEST_LINE = 4096


class StopCalls:
    """Repeats a stop by dashboard and by script. Every call returns at once; at most one thread for each channel."""

    def __init__(self, address: str) -> None:
        """Ask nothing yet."""
        self.answered = False
        """Whether the dashboard has answered since `begin`."""
        self._address = address
        self._script = b""
        self._wanted = False
        self._lock = threading.Lock()
        self._running: set[StopChannel] = set()

    def begin(self, channel: StopChannel, script: str) -> None:
        """Ask now, and again until `end`; a channel that is asking already goes on."""
        with self._lock:
            if not self._wanted:
                self.answered = False
            self._wanted, self._script = True, script.encode()
            if channel in self._running:
                return
            self._running.add(channel)
        attempt = self._tell_dashboard if channel == "dashboard" else self._send_script
        name = f"stop by {channel} {self._address}"
        try:
            threading.Thread(target=self._repeat, args=(channel, attempt), name=name, daemon=True).start()
        except RuntimeError:
            # No thread to be had: the other channels and the heartbeat must do.
            self._running.discard(channel)

    def end(self) -> None:
        """Ask no more; what has not been sent stays unsent."""
        with self._lock:
            self._wanted = False

    def _repeat(self, channel: StopChannel, attempt: Callable[[], None]) -> None:
        while True:
            with self._lock:
                if not self._wanted:
                    self._running.discard(channel)
                    return
            with contextlib.suppress(LinkError, OSError):
                attempt()
            time.sleep(RETRY_S)

    def _tell_dashboard(self) -> None:
        with (
            connect_socket(self._address, DASHBOARD_PORT, TIMEOUT_S) as sock,
            contextlib.closing(sock.makefile("rb")) as lines,
        ):
            # Only to a dashboard that greets: a stop that waits in a silent one would hit a later program.
            if lines.readline(LONGEST_LINE) and self._wanted:
                sock.sendall(b"stop\n")
                self.answered = bool(lines.readline(LONGEST_LINE)) or self.answered

    def _send_script(self) -> None:
        with connect_socket(self._address, SECONDARY_PORT, TIMEOUT_S) as sock:
            if not sock.recv(CHUNK) or not self._wanted:
                return
            sock.sendall(self._script)
            end = time.monotonic() + KEEP_OPEN_S
            while self._wanted and time.monotonic() < end:
                sock.recv(CHUNK)
