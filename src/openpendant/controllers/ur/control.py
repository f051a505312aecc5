"""Control: a process that holds the robot for us by ur_rtde, seen from here. No call waits but `close`."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from .control_child import ALIVE, END, MARK, ORDER, SERVO, STOP
from .program_stop import FASTEST_RAD_S2

BACK_OFF_NS = (200_000_000, 400_000_000, 800_000_000, 1_500_000_000, 3_000_000_000)
CONTROL_WITHIN_NS = 20_000_000_000
LEAVE_WITHIN_NS = 3_000_000_000
ALIVE_EVERY_NS = 20_000_000


def control_command(address: str, deceleration: float) -> tuple[str, ...]:
    """Return the command that starts the process for an address; `deceleration` (rad/s²): if the owner dies."""
    # By its path: the process needs nothing else of ours, and is there sooner.
    return (sys.executable, str(Path(__file__).with_name("control_child.py")), address, f"{deceleration:g}")


class Control:
    """Takes the robot while it is wanted, again after every loss, and sends setpoints; the newest counts."""

    def __init__(self, command: Sequence[str], deceleration: float) -> None:
        """Get ready; `command` starts the process, `deceleration` (rad/s²) is that of a stop that is not hard."""
        self.in_control = False
        """Whether setpoints are taken now."""
        self.why = "control has not been taken yet"
        """Why not."""
        self.failures = 0
        """How often in a row control could not be taken."""
        self._command, self._deceleration = tuple(command), deceleration
        self._child: subprocess.Popen[bytes] | None = None
        self._received = b""
        self._ending: list[subprocess.Popen[bytes]] = []
        self._wanted = False
        self._since_ns = self._retry_ns = self._alive_ns = 0

    @property
    def settled(self) -> bool:
        """Whether control was obtained or refused."""
        return self.in_control or self.failures > 0

    @property
    def released(self) -> bool:
        """Whether the robot is free for another program."""
        return self._child is None

    def poll(self, now_ns: int, *, wanted: bool) -> None:
        """Show that the owner lives, receive events, and take or give back control as wanted."""
        if self._ending:
            self._ending = [child for child in self._ending if child.poll() is None]
        if self._child is not None:
            self._read_child(self._child, now_ns)
        if wanted != self._wanted:
            self._wanted, self._since_ns = wanted, now_ns
            self.failures, self._retry_ns = 0, now_ns
            if not wanted and self._child is not None:
                self.in_control, self.why = False, "control was given back"
                self._order(END)
        if self._child is None:
            if wanted and now_ns >= self._retry_ns:
                self._start(now_ns)
            return
        if now_ns - self._alive_ns >= ALIVE_EVERY_NS:
            self._alive_ns = now_ns
            self._order(ALIVE)
        late = now_ns - self._since_ns > (CONTROL_WITHIN_NS if wanted else LEAVE_WITHIN_NS)
        if late and not self.in_control:
            self._fail("ur_rtde does not answer", now_ns)

    def servo(self, q: Sequence[float]) -> None:
        """Send a setpoint; one that has not been sent yet is forgotten."""
        self._order(SERVO, q)

    def stop(self, *, hard: bool) -> None:
        """Come to rest at once, as a stop along the path decelerates or as hard as it may be."""
        self._order(STOP, (FASTEST_RAD_S2 if hard else self._deceleration,))

    def lose(self, why: str, now_ns: int) -> None:
        """Give up a robot that is gone or has stopped its program; it is taken again if wanted."""
        if self._child is not None:
            self._fail(why, now_ns)

    def close(self, timeout_s: float) -> None:
        """Give control back; waits no longer than `timeout_s`."""
        child, self._wanted = self._child, False
        if child is not None:
            self._order(END)
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(timeout_s)
        self._end()
        for one in self._ending:
            one.wait()

    def _start(self, now_ns: int) -> None:
        self._received, self._since_ns = b"", now_ns
        try:
            self._child = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except OSError as error:
            self._fail(f"the process for ur_rtde does not start: {error}", now_ns)
            return
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)

    def _read_child(self, child: "subprocess.Popen[bytes]", now_ns: int) -> None:
        assert child.stdout is not None  # noqa: S101 - told to Popen
        with contextlib.suppress(BlockingIOError):
            self._received += os.read(child.stdout.fileno(), 65536)
        *lines, self._received = self._received.split(b"\n")
        for line in lines:
            text = line.decode(errors="replace")
            if MARK not in text:
                continue
            word, _, about = text[text.index(MARK) + 1 :].partition(" ")
            if word == "control":
                self.in_control, self.why, self.failures = self._wanted, "", 0
            else:
                self._fail(about or "ur_rtde gave up", now_ns)
                return
        if child.poll() is not None:
            if self._wanted:
                self._fail(self.why or "the process of ur_rtde ended", now_ns)
            else:
                self._end()

    def _fail(self, why: str, now_ns: int) -> None:
        self._end()
        self.why = why
        self._retry_ns = now_ns + BACK_OFF_NS[min(self.failures, len(BACK_OFF_NS) - 1)]
        self.failures += 1

    def _end(self) -> None:
        """End the process, whatever it does; its links end with it."""
        child, self._child, self.in_control = self._child, None, False
        if child is None:
            return
        child.kill()
        self._ending.append(child)
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _order(self, kind: bytes, numbers: Sequence[float] = ()) -> None:
        child = self._child
        if child is None or child.stdin is None:
            return
        # A child that does not read loses orders; it is ended when it is found out.
        with contextlib.suppress(OSError):
            os.write(child.stdin.fileno(), ORDER.pack(kind, *numbers, *(0.0,) * (6 - len(numbers))))
