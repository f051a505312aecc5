"""GuidedArm: one arm of a controller: where it is, whoever says so, and the setpoints that it is sent."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.controllers.jobs import Progress
from openpendant.controllers.sent_setpoints import SentSetpoints
from openpendant.controllers.states import EventKind
from openpendant.controllers.stream import Stream, check_rows
from openpendant.controllers.tools import ToolWork
from openpendant.errors import InputError
from openpendant.said import say

from .arm import AbbArm
from .guide_link import GuideLink

Array = NDArray[np.float64]
TICK_NS = 4_000_000
JUMP_RAD = 0.35
"""A setpoint may be as far as this from where the arm is sent to; farther is a mistake."""
STOP_RISE_S = 0.02
"""Time in which the deceleration of a stop is reached (assumed)."""
REST_RAD_S = 0.005
SLOW_SPEED_S = 0.03
"""Velocities from joints without a clock of their own are differences over at least this time."""


class GuidedArm:
    """One arm; joints in radians, in the maker's counting of axes."""

    def __init__(self, facts: AbbArm, report_event: Callable[[EventKind, str, str], None]) -> None:
        """Begin without a link.

        Args:
            facts: Of the arm.
            report_event: Takes an event: its kind, what it is about, words.
        """
        self.facts = facts
        self.link: GuideLink | None = None
        self.q = self.qd = np.zeros(facts.dof)
        self.stamp_ns = 0
        """When somebody said where it is."""
        self.stream: Stream | None = None
        self.progress = Progress(0, 0)
        """Of sampled paths."""
        self.uploaded = False
        """Whether its last job was a program."""
        self.tool_work: ToolWork | None = None
        self.opening_m = 0.0
        self._report_event = report_event
        self._sent = SentSetpoints()
        self._before: list[tuple[int, Array]] = []
        self._lower, self._upper = facts.limits

    @property
    def target(self) -> Array:
        """Where it is sent to, or where it is."""
        return self.q if self.link is None or self.link.stamp_ns == 0 else self.link.hold

    @property
    def resting(self) -> bool:
        """Whether it rests as measured."""
        return float(np.abs(self.qd).max()) < REST_RAD_S

    def guided(self, now_ns: int) -> bool:
        """Return whether it goes where it is sent to."""
        return self.link is not None and self.link.guides(now_ns)

    def poll(self, now_ns: int) -> bool:
        """Take in what guided motion says; return whether there was something."""
        if self.link is None or not self.link.poll(now_ns):
            return False
        self.q, self.qd, self.stamp_ns = self.link.q, self.link.qd, now_ns
        self._before.clear()
        return True

    def see(self, q: Array, now_ns: int) -> None:
        """Take in joints that somebody else says, where guided motion says nothing."""
        if self.link is not None and self.link.fresh(now_ns):
            return
        while len(self._before) > 1 and now_ns - self._before[1][0] >= SLOW_SPEED_S * 1e9:
            self._before.pop(0)
        if self._before:
            then_ns, before = self._before[0]
            self.qd = (q - before) / max((now_ns - then_ns) * 1e-9, 1e-3)
        self._before.append((now_ns, q))
        self.q, self.stamp_ns = q, now_ns

    def servo(self, q: ArrayLike, now_ns: int) -> Array:
        """Send one setpoint, cut to the limits; see `Controller.servo`."""
        wanted = self.check_joints(q)
        off = np.abs(wanted - self.target)
        if off.max() > JUMP_RAD:
            i = int(off.argmax())
            raise InputError(say("robot.setpoint_away", joint=i + 1, away_rad=off[i], most_rad=JUMP_RAD))
        sent = np.clip(wanted, self._lower, self._upper)
        if self.stream is not None:
            self.end_stream("replaced by a setpoint")
        self._send(sent, now_ns)
        return sent

    def check_joints(self, q: ArrayLike) -> Array:
        """Return a setpoint as an array; raises InputError where it is none of this arm."""
        wanted = np.array(q, dtype=np.float64)
        if wanted.shape != (self.facts.dof,) or not np.isfinite(wanted).all():
            raise InputError(
                f"setpoint {wanted.tolist()} for arm {self.facts.name}; allowed: {self.facts.dof} finite joints"
            )
        return wanted

    def check_path(self, Q: Array) -> None:
        """Refuse rows that cannot be followed; raises InputError."""
        if Q.shape[1] != self.facts.dof:
            raise InputError(say("robot.path_joints", count=Q.shape[1], arm=self.facts.name, dof=self.facts.dof))

    def begin(self, Q: Array) -> None:
        """Begin a path; raises InputError where it jumps or leaves the limits."""
        before = self.target
        check_rows(np.vstack([before, Q]), self._lower, self._upper, JUMP_RAD / 5.0)
        self.stream, self.uploaded = Stream(Q, TICK_NS, before), False
        self.progress = Progress(0, len(Q))
        self._report_event("job started", self.facts.name, "")

    def brake(self, now_ns: int) -> bool:
        """Come to rest with stop limits, along the path if there is one; return whether it moves."""
        most = self.facts.braking
        jerk = most / STOP_RISE_S
        if self.stream is not None:
            if not self.stream.braking:
                self.progress = Progress(self.stream.sent, len(self.stream.Q), "stopped")
                self.stream = self.stream.brake(most, jerk)
            return True
        rows = self._sent.stop_rows(most, jerk, TICK_NS, now_ns)
        if rows is None:
            return False
        self.stream = Stream(np.clip(rows, self._lower, self._upper), TICK_NS, self._sent.q, braking=True)
        return True

    def go_on(self, now_ns: int, why_not: str) -> None:
        """Send what is due of the path under way; `why_not` is why the arm cannot move, empty: it can."""
        stream = self.stream
        if stream is None:
            return
        if why_not:
            self.end_stream(why_not)
        elif not stream.done:
            row = stream.row(now_ns)
            if row is None:
                self.end_stream("the caller came too late for the path")
                return
            self._send(row, now_ns)
            if not stream.braking:
                self.progress = Progress(min(stream.sent, len(stream.Q) - 1), len(stream.Q))
        elif stream.arrived(self.q, self.qd, now_ns):
            self.stream = None
            if stream.braking:
                self._report_event("stopped", self.facts.name, say("stop.stopped_on_path"))
            else:
                self.progress = Progress(len(stream.Q), len(stream.Q))
                self._report_event("job done", self.facts.name, "")

    def end_stream(self, why: str, words: str = "") -> None:
        """Give the path up; the arm stays where it was sent to last."""
        stream, self.stream = self.stream, None
        if stream is not None and not stream.braking:
            self.progress = Progress(stream.sent, len(stream.Q), why)
        if stream is not None:
            self._report_event("stopped", self.facts.name, words or why)

    def lead_no_more(self) -> None:
        """Forget setpoints: the controller does not follow them any more."""
        self._sent.clear()
        if self.link is not None:
            self.link.end()

    def streamed(self, now_ns: int) -> bool:
        """Return whether setpoints were sent of late."""
        return self.stream is not None or self._sent.recent(now_ns)

    def _send(self, q: Array, now_ns: int) -> None:
        self._sent.add(q, now_ns)
        if self.link is not None:
            self.link.send(q)
