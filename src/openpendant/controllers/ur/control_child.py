"""The process that holds ur_rtde's control interface: `python control_child.py ADDRESS DECELERATION`.

ur_rtde's calls wait, some of them with Python's interpreter lock held, and a broken link can hang or end the process
they are in. Here they disturb nobody. Orders come on the standard input, events go to the standard output. When the
input ends, whoever gave the orders is gone: the arm comes to rest and the robot is given back.
"""

import contextlib
import importlib
import os
import select
import signal
import struct
import sys
import time
from typing import Any, cast

from openpendant.real_time import request_real_time

ORDER = struct.Struct("=c6d")
SERVO, STOP, ALIVE, END = b"q", b"s", b"a", b"e"
"""A setpoint; come to rest with a deceleration; the owner lives; give the robot back."""
MARK = "\x01"
"""Begins every line that is meant for the owner; ur_rtde prints what it likes."""

WATCHDOG_HZ = 2.5
KICK_EVERY_S = 0.05
ALIVE_WITHIN_S = 0.15
IDLE_AFTER_S = 0.4
"""Time after the last setpoint at which servoing ends; the arm rests."""
HANGS_S, LEAVE_WITHIN_S = 25, 5
"""A call that takes this long, or giving control back, ends the process; a living owner ends it sooner."""
TICK_S = 0.002
LOOKAHEAD_S, GAIN = 0.03, 2000.0
"""Of servoj, as Universal Robots' own ROS driver has them: setpoints are smooth already, and the arm is as near to them
as it can be. With 0.05 s and a gain of 500 a STOP took 0.08 s longer."""
IDLE_RAD_S2 = 4.0
"""Deceleration where servoing ends by itself: the arm rests at its last setpoint already."""


class _Gone(Exception):  # noqa: N818
    """Control was lost."""


class ControlSession:
    """Holds the robot from the first moment to the last."""

    def __init__(self, interface: Any) -> None:
        """Begin with the watchdog on."""
        self._interface = interface
        self._servoing = False
        self._sent = self._kicked = self._alive = time.monotonic()
        interface.setWatchdog(WATCHDOG_HZ)

    def work(self, orders: bytes) -> bool:
        """Obey the newest orders; return whether to continue."""
        setpoint: tuple[float, ...] | None = None
        stop: float | None = None
        for kind, *numbers in ORDER.iter_unpack(orders):
            self._alive = time.monotonic()
            if kind == SERVO:
                setpoint, stop = tuple(numbers), None
            elif kind == STOP:
                setpoint, stop = None, numbers[0]
            elif kind == END:
                return False
        now = time.monotonic()
        if stop is not None:
            self.rest(stop)
        elif setpoint is not None:
            self._servoing, self._sent, self._kicked = True, now, now
            self._check(self._interface.servoJ(list(setpoint), 0.0, 0.0, TICK_S, LOOKAHEAD_S, GAIN))
        elif self._servoing and now - self._sent > IDLE_AFTER_S:
            self.rest(IDLE_RAD_S2)
        elif now - self._kicked >= KICK_EVERY_S and now - self._alive < ALIVE_WITHIN_S:
            # Only for an owner that lives: else the robot's own watchdog shall bring it to rest.
            self._kicked = now
            self._check(self._interface.kickWatchdog())
        return True

    def rest(self, deceleration: float) -> None:
        """End servoing."""
        if self._servoing:
            self._servoing = False
            self._interface.servoStop(deceleration)

    def _check(self, done: object) -> None:
        if not done:
            raise _Gone("the controller stopped the control program")


def main() -> None:
    """Take the robot, serve the orders, give it back."""
    address, deceleration = sys.argv[1], float(sys.argv[2])
    # By the kernel, since nothing of ours runs while a call holds the interpreter's lock.
    signal.alarm(HANGS_S)
    try:
        module = cast(Any, importlib.import_module("rtde_control"))
    except ImportError:
        _write_line("refused", "ur_rtde is not installed: pip install ur-rtde (there are wheels for Linux on x86-64)")
        os._exit(2)
    try:
        kind = module.RTDEControlInterface
        interface = kind(address, 500.0, kind.FLAG_UPLOAD_SCRIPT)
        session = ControlSession(interface)
    except Exception as error:
        # ur_rtde throws whatever C++ throws.
        _write_line("refused", str(error))
        os._exit(1)
    request_real_time()
    _write_line("control", "")
    with contextlib.suppress(BrokenPipeError):
        try:
            _serve(session)
            signal.alarm(LEAVE_WITHIN_S)
            session.rest(deceleration)
            interface.stopScript()
        except Exception as error:
            _write_line("lost", str(error))
    # Not through ur_rtde's own clean-up, which waits for links that are gone.
    os._exit(0)


def _serve(session: ControlSession) -> None:
    waiting = b""
    while True:
        signal.alarm(HANGS_S)
        ready, _, _ = select.select([sys.stdin.fileno()], [], [], KICK_EVERY_S / 2.0)
        if ready:
            came = os.read(sys.stdin.fileno(), 65536)
            if not came:
                return
            waiting += came
        whole = len(waiting) - len(waiting) % ORDER.size
        orders, waiting = waiting[:whole], waiting[whole:]
        if not session.work(orders):
            return


def _write_line(word: str, about: str) -> None:
    sys.stdout.write(f"{MARK}{word} {' '.join(about.split())}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
