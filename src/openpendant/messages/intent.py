"""Intent: what somebody wants a tool or its joints to do now, whoever it is: a hand, a key, a stick, a policy.

One intent holds until the next one of the same source, or until it is stale; then the robot comes to rest.
"""

from typing import Literal

from .pose import Pose
from .wire import Wire

IntentFrame = Literal["world", "base", "tool", "view"]
"""Whose axes are meant: of the world, of the arm's base, of the tool as it is now, or of who looks at it (`view`)."""
Axis = Literal["x", "y", "z", "rx", "ry", "rz"]
"""A direction of translation or an axis of rotation, of the intent's frame."""

IDENTITY = (1.0, 0.0, 0.0, 0.0)


class TwistIntent(Wire, frozen=True, kw_only=True, tag="twist"):
    """Move the tool with this velocity; rotation is about the tool's own point."""

    source: str
    """Who wants it; the lease and the clutch belong to a source."""
    stamp_ns: int
    """When the sample was taken, on the monotonic clock of the robot's process."""
    linear: tuple[float, float, float]
    """Metres a second, in `frame`."""
    angular: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Radians a second about the axes of `frame`."""
    arm: str = ""
    """Which arm; empty: the only or the first one."""
    frame: IntentFrame = "base"
    view: tuple[float, float, float, float] = IDENTITY
    """For the frame `view`: its axes in the world, as a unit quaternion (w, x, y, z)."""
    clutch: bool = True
    """False: let go; the robot comes to rest."""
    dead_man: bool = False
    """Whether the dead-man switch is held. Where one is needed, the robot moves only while it is."""
    scale: float = 1.0
    """Multiplies the velocity."""
    locked: tuple[Axis, ...] = ()
    """Axes of `frame` along or about which nothing happens."""
    straight: bool = False
    """Where the arm cannot keep this direction it stops and says so, instead of sliding along what holds it."""


class PoseIntent(Wire, frozen=True, kw_only=True, tag="pose"):
    """Bring the tool to a pose, or let it follow a hand."""

    source: str
    stamp_ns: int
    pose: Pose
    """Of the hand in `frame`; or, where not `relative`, of the tool itself, in `world` or `base`."""
    relative: bool = True
    """True: the tool makes the way that the hand has made since the clutch was closed; nothing jumps at that moment."""
    arm: str = ""
    frame: IntentFrame = "base"
    view: tuple[float, float, float, float] = IDENTITY
    clutch: bool = True
    dead_man: bool = False
    scale: float = 1.0
    """Where `relative`: multiplies the translation of the hand; its rotation is followed one to one. Otherwise: the
    share of the largest speed, up to 1, with which the tool goes to the pose."""
    locked: tuple[Axis, ...] = ()


class JointIntent(Wire, frozen=True, kw_only=True, tag="joints"):
    """Jog joints, or bring them somewhere. One of `velocity` and `target` is given, in the vendor's counting."""

    source: str
    stamp_ns: int
    velocity: tuple[float, ...] | None = None
    """Radians a second (metres a second where a joint slides)."""
    target: tuple[float, ...] | None = None
    """Radians (metres where a joint slides)."""
    arm: str = ""
    clutch: bool = True
    dead_man: bool = False
    scale: float = 1.0
    """Multiplies the velocity, or the speed on the way to the target."""


Intent = TwistIntent | PoseIntent | JointIntent
