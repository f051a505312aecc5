"""StopMeter: measures each stop of a robot, from its cause to rest: seconds, and how far the tool's point went."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openpendant.messages.bus import StopHow, StopMeasure
from openpendant.said import how_word, say

from .arm_executor import ArmExecutor

Array = NDArray[np.float64]

LONGEST_STOP_NS = 1_000_000_000
"""Longer than any stop of an arm: 0.4 s is the longest along a path, and a controller's heartbeat ends after 0.4 s."""
REST_NS = 30_000_000
"""An arm must rest this long before it counts: one that turns around, or swings back, has no speed for a
moment. Joints that are let go from rest at 0.3 mrad from their target, by drives of 20 Hz, are faster than what counts
as rest after 8 ms."""


@dataclass
class _StoppingArm:
    """An arm on its way to rest."""

    drive: ArmExecutor
    p: Array
    """(3,) tool's point in the base."""
    how: StopHow
    means: str = ""
    """What its controller does to it, in the controller's words; empty: nothing to name."""
    distance_m: float = 0.0


class StopMeter:
    """Begins at the first cause of a stop and ends when all arms rest that it stops; further causes belong to it."""

    def __init__(self) -> None:
        """Measure nothing yet."""
        self.last: StopMeasure | None = None
        """The newest stop that has come to rest."""
        self._means = ""
        self._courses: dict[str, _StoppingArm] = {}
        self._since_ns = self._moved_ns = self._rested_ns = 0
        self._overdue = False

    @property
    def sentence(self) -> str:
        """The newest stop in one sentence; empty: there was none."""
        if self.last is None:
            return ""
        how = say("stop.by_controller_as", means=self._means) if self._means else how_word(self.last.how)
        return say("stop.measured", rest_s=self.last.rest_s, distance_mm=1000.0 * self.last.distance_m, how=how)

    @property
    def running(self) -> bool:
        """Whether a stop is being measured."""
        return bool(self._courses)

    def begin(self, drive: ArmExecutor, now_ns: int, how: StopHow | None, means: str = "") -> None:
        """Note that an arm is being stopped; called before it brakes.

        Args:
            drive: Of the arm.
            now_ns: Now.
            how: How it comes to rest; None: as what moves it does.
            means: What its controller does to it, in the controller's words.
        """
        known = self._courses.get(drive.parts.name)
        if known is not None:
            known.how, known.means = how or known.how, means or known.means
            return
        if not self._courses:
            self._since_ns = self._moved_ns = now_ns
            self._overdue = False
            self._rested_ns = 0
        self._courses[drive.parts.name] = _StoppingArm(drive, drive.p_tool, how or drive.stops_how, means)

    def tick(self, now_ns: int, stops: int, *, fresh: bool) -> StopMeasure | None:
        """Let one tick pass, after the drives'; return the measure where all have come to rest.

        Args:
            now_ns: Now.
            stops: The robot's count of Halts.
            fresh: Whether the robot's state is known.
        """
        courses = self._courses.values()
        if not courses or not fresh:
            return None
        # It was at rest and has been commanded to move since: not part of the stop.
        drives = [course.drive for course in courses]
        moves_anew = self._rested_ns > 0 and any(one.outcome == "running" and not one.idles for one in drives)
        for course in () if moves_anew else courses:
            p = course.drive.p_tool
            course.distance_m += float(np.linalg.norm(p - course.p))
            course.p = p
            if course.drive.moves:
                self._moved_ns = now_ns
        if not moves_anew:
            if not all(drive.rests for drive in drives):
                self._rested_ns = 0
                return None
            self._rested_ns = self._rested_ns or now_ns
            if now_ns - self._rested_ns < REST_NS:
                return None
        far = max(courses, key=lambda course: course.distance_m)
        seconds = (self._moved_ns - self._since_ns) * 1e-9
        self._courses, self._means = {}, far.means
        self.last = StopMeasure(stops=stops, rest_s=seconds, distance_m=far.distance_m, how=far.how)
        return self.last

    def overdue(self, now_ns: int) -> bool:
        """Return, once in a stop, whether an arm still moves though every stop along its path would have ended.

        Its owner lets the controller stop it then, and says so by `begin`.
        """
        if self._overdue or not self._courses or now_ns - self._since_ns < LONGEST_STOP_NS:
            return False
        self._overdue = any(course.drive.moves for course in self._courses.values())
        return self._overdue

    def note_rest(self, stops: int) -> None:
        """Note a Halt of a robot that rests."""
        self._means = ""
        self.last = StopMeasure(stops=stops, rest_s=0.0, distance_m=0.0, how="at rest")
