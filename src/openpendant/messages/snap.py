"""Messages of snapping: a tool onto a face or an edge of a box, or onto a touched surface. World; metres."""

from typing import Literal

from .pose import Pose
from .wire import Wire

Vec3 = tuple[float, float, float]


class SnapBox(Wire, frozen=True, kw_only=True):
    """A box about its own frame."""

    pose: Pose
    size: Vec3


class SnapTouch(Wire, frozen=True, kw_only=True):
    """A place on a body, and which way its surface looks there."""

    at: Vec3
    normal: Vec3


class SnapRequest(Wire, frozen=True, kw_only=True):
    """Where does the tool go? The answer is its pose."""

    to: Literal["face", "edge", "touch", "side"]
    """`side`: where it is, turned to weld along the upper edge of a side of the box."""
    tool: Pose
    """Where it is."""
    box: SnapBox | None = None
    """What it goes to; may be missing for a touch of something that is not a box."""
    touch: SnapTouch | None = None
    weld: Literal["square", "fillet", "plain", "lap", "vertical"] = "fillet"
    """How it stands on edges."""
    side: int = 0
    """Which of the four sides round the box, anticlockwise as seen from above."""
