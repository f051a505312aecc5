"""ProgramStop: the stop of one program on a controller, repeated until the program is seen not to play."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.controllers.states import StopKind
from openpendant.errors import InputError

from .heartbeat import DONE_REGISTER
from .message_link import MessageLink
from .state_names import STOPPED
from .stop_calls import StopCalls

FASTEST_RAD_S2 = 40.0
"""Deceleration of the fastest stop, `stopj`: the most that ur_rtde lets pass (UR_JOINT_ACCELERATION_MAX)."""
FASTEST_STOP = f"stopj at {FASTEST_RAD_S2:g} rad/s²"
REPEAT_NS = 100_000_000
SECOND_LINK_NS = 60_000_000
"""Not stopped after this time: the script is sent over a separate connection as well."""
ECHO_NS = 300_000_000
"""How long to wait for the echo of a stop script after the program is seen not to play."""
LATE_START_NS = 1_000_000_000
"""A program that was never seen to play counts as stopped after this time without playing."""


def checked_deceleration(value: ArrayLike) -> NDArray[np.float64]:
    """Return the deceleration of a stop along the path for each joint, rad/s².

    Raises:
        InputError: One is not positive, or not finite.
    """
    rad_s2 = np.array(np.broadcast_to(np.asarray(value, dtype=np.float64), (6,)))
    if not (np.isfinite(rad_s2).all() and rad_s2.min() > 0.0):
        raise InputError(f"stop_deceleration {rad_s2.tolist()}; allowed: above 0, finite")
    return rad_s2


class ProgramStop:
    """Stops by a stop script that replaces the program, by the dashboard, and by withholding the heartbeat.

    A script that is sent behind the program on the same connection runs after it: its echo in an output register shows
    that the program has been replaced, even where it was never seen to play.
    """

    def __init__(self, reason: str, token: int, kind: StopKind, calls: StopCalls, *, started: bool) -> None:
        """Begin to stop.

        Args:
            reason: Why, for people.
            token: The number that the stop script writes; no other program of ours has it.
            kind: 'path': the controller brakes along the path; 'now': with its largest deceleration.
            calls: For what needs connections of its own.
            started: Whether the program has been seen to play.
        """
        self.reason = reason
        self.done = False
        """Whether the program has been seen not to play."""
        self._token, self._kind, self._calls, self._started = token, kind, calls, started
        self._link: MessageLink | None = None
        self._in_order = False
        self._begun_ns = self._sent_ns = self._quiet_ns = 0
        self._echoed = False
        calls.begin("dashboard", self._script)

    @property
    def how(self) -> str:
        """Which channel stopped it, as far as is known."""
        if self._echoed:
            return "stop script" + (f", {FASTEST_STOP}" if self._kind == "now" else "")
        return "dashboard" if self._calls.replied else "heartbeat withheld"

    @property
    def _script(self) -> str:
        brake = f"  stopj({FASTEST_RAD_S2:g})\n" if self._kind == "now" else ""
        return f"def openpendant_stop():\n{brake}  write_output_integer_register({DONE_REGISTER}, {self._token})\nend\n"

    def again(self, kind: StopKind) -> None:
        """Try again at once, and harder where `kind` says so."""
        self._kind = "now" if kind == "now" else self._kind
        self._sent_ns = 0
        self._calls.begin("dashboard", self._script)

    def lose(self) -> None:
        """Note that the links are lost: its own connections remain, and the withheld heartbeat."""
        self._link, self._in_order, self._sent_ns = None, False, 0
        for channel in ("dashboard", "script"):
            self._calls.begin(channel, self._script)

    def push(self, link: MessageLink, now_ns: int, *, in_order: bool) -> None:
        """Send what is due; at every tick.

        Args:
            link: Where scripts go.
            now_ns: Now.
            in_order: Whether the program itself went over this very link.

        Raises:
            LinkError: The connection is broken.
        """
        self._begun_ns = self._begun_ns or now_ns
        first = link is not self._link
        if first or (now_ns - self._sent_ns >= REPEAT_NS and not link.waits):
            self._link, self._in_order, self._sent_ns = link, in_order, now_ns
            link.send_script(self._script)
        if now_ns - self._begun_ns >= SECOND_LINK_NS:
            self._calls.begin("script", self._script)

    def update(self, runtime: int, token: int, now_ns: int) -> None:
        """Take in a new state of the controller."""
        if self._link is None:
            return
        self._echoed = self._echoed or token == self._token
        if runtime not in STOPPED:
            self._quiet_ns = 0
            return
        self._quiet_ns = self._quiet_ns or now_ns
        quiet_ns = now_ns - self._quiet_ns
        replaced = self._echoed and self._in_order
        over = self._started and (self._echoed or quiet_ns >= ECHO_NS)
        if replaced or over or quiet_ns >= LATE_START_NS:
            self.done = True
            self._calls.end()
