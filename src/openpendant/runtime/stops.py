"""StopCounts: what a stop makes void. StopOutcome: what became of a stop, robot by robot."""

from collections.abc import Mapping
from dataclasses import dataclass

from openpendant.errors import ControllerError
from openpendant.messages.bus import StopHow


class StoppedError(ControllerError):
    """A stop came after this was requested: it is void, wherever it was by then."""


@dataclass(frozen=True)
class StopCounts:
    """The stops known when something was requested. Taken once, when a person asks, and carried to the robot."""

    sent: Mapping[str, int]
    """Stops that this client had sent by then, by robot; also those that did not reach it."""
    obeyed: Mapping[str, int]
    """`RobotReport.stops` as it was known by then, by robot."""


@dataclass(frozen=True)
class StopOutcome:
    """What became of a stop at one robot."""

    robot: str
    reached: bool
    """Whether its process has obeyed, and could stop the controller."""
    reason: str = ""
    """Why it did not reach the robot, or is not known to rest; empty: neither."""
    rest_s: float | None = None
    """From the stop's arrival at the robot to rest, seconds; None: it was not seen at rest."""
    distance_m: float | None = None
    """Path of the tool's point meanwhile; None: it was not seen at rest."""
    how: StopHow | None = None
    """How it came to rest; None: it was not seen at rest."""
