"""StopMeter: measures each stop of a robot, from its cause to rest: seconds, and how far the tool's point went."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openpendant.messages.bus import StopHow, StopMeasure

from .drive import Drive

__all__ = ["StopMeter"]

Array = NDArray[np.float64]


@dataclass
class _Course:
    """An arm on its way to rest."""

    drive: Drive
    p: Array
    """(3,) tool's point in the base."""
    how: StopHow
    distance_m: float = 0.0


class StopMeter:
    """Begins at the first cause of a stop and ends when all arms rest that it stops; further causes belong to it."""

    def __init__(self) -> None:
        """Measure nothing yet."""
        self.last: StopMeasure | None = None
        """The newest stop that has come to rest."""
        self._courses: dict[str, _Course] = {}
        self._since_ns = self._moved_ns = 0

    @property
    def running(self) -> bool:
        """Whether a stop is being measured."""
        return bool(self._courses)

    def begin(self, drive: Drive, now_ns: int, how: StopHow | None) -> None:
        """Note that an arm is being stopped; called before it brakes.

        Args:
            drive: Of the arm.
            now_ns: Now.
            how: How it comes to rest; None: as what moves it does.
        """
        known = self._courses.get(drive.parts.name)
        if known is not None:
            known.how = how or known.how
            return
        if not self._courses:
            self._since_ns = self._moved_ns = now_ns
        self._courses[drive.parts.name] = _Course(drive, drive.p_tool, how or drive.stops_how)

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
        for course in courses:
            p = course.drive.p_tool
            course.distance_m += float(np.linalg.norm(p - course.p))
            course.p = p
            if course.drive.moves:
                self._moved_ns = now_ns
        if not all(course.drive.rests for course in courses):
            return None
        far = max(courses, key=lambda course: course.distance_m)
        seconds = (self._moved_ns - self._since_ns) * 1e-9
        self._courses = {}
        self.last = StopMeasure(stops=stops, rest_s=seconds, distance_m=far.distance_m, how=far.how)
        return self.last

    def note_rest(self, stops: int) -> None:
        """Note a Halt of a robot that rests."""
        self.last = StopMeasure(stops=stops, rest_s=0.0, distance_m=0.0, how="at rest")
