"""What page and server say to each other over the websocket (JSON text, one message a frame).

The page asks, the server answers with the same `id`. The page keeps at most one question of
each kind under way and sends the newest request when the answer is there, so a drag never queues.
"""

from .pose import Pose
from .said import SaidMessage, split_said
from .wire import Wire


class ForwardRequest(Wire, frozen=True, kw_only=True, tag="forward"):
    """Where is `frame` in `base` with these joints?"""

    id: int
    robot: str
    arm: str
    q: list[float]
    frame: str
    base: str
    tcp: Pose | None = None
    """The point of a tool in `frame`, which the vendor's pose is of; null: that of `frame` itself."""


class InverseRequest(Wire, frozen=True, kw_only=True, tag="inverse"):
    """Which joints bring `frame` to `pose` in `base`? Nearest to `seed` first."""

    id: int
    robot: str
    arm: str
    pose: Pose
    frame: str
    base: str
    seed: list[float]
    variants: bool = False
    """Also the ±360° variants inside the limits."""
    redundancy: float | None = None
    """For 7-axis arms: hold the redundancy joint at this value."""
    follow: bool = False
    """For a hand that drags: stay in the posture of `seed`, never jump to another one."""


class Singularity(Wire, frozen=True, kw_only=True):
    """How far the arm is from one kind of singular posture."""

    name: str
    """'wrist', 'elbow' or 'shoulder'."""
    distance: float
    """Radians, or metres where `unit` says so; 0 is singular."""
    unit: str
    near: bool
    """True where a person should be warned."""


class VendorPose(Wire, frozen=True, kw_only=True):
    """The pose as the vendor's controller prints it."""

    title: str
    """For example 'V+ where', 'RAPID robtarget', 'UR p[…]'."""
    text: str


class ForwardReply(Wire, frozen=True, kw_only=True, tag="forward"):
    """The pose, and how well the arm stands there."""

    id: int
    pose: Pose
    vendor: VendorPose
    configuration: str
    """Label of this configuration in the vendor's words."""
    manipulability: float
    singularities: list[Singularity]


class Branch(Wire, frozen=True, kw_only=True):
    """One solution of inverse kinematics."""

    q: list[float]
    label: str
    margin_rad: float
    """Distance of the joint nearest to its limit; pi where no joint has one."""


class InverseReply(Wire, frozen=True, kw_only=True, tag="inverse"):
    """Every branch, nearest to the seed first; or why there is none, and the nearest pose within reach."""

    id: int
    branches: list[Branch]
    """Only the posture of the seed where the question was to follow."""
    reason: str | None
    """Null: reached. Otherwise one sentence for the person."""
    nearest: Branch | None
    """Where not reached: the joints of the nearest pose that is."""
    nearest_pose: Pose | None
    solve_us: float
    """Time spent solving, in microseconds."""
    said: SaidMessage | None = None
    """`reason` by its code; None: it has none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "reason")


class Failed(Wire, frozen=True, kw_only=True, tag="failed"):
    """The question cannot be answered: it is not well-formed, or names something unknown."""

    id: int | None
    message: str
    said: SaidMessage | None = None
    """`message` by its code; None: it has none."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "message")


KinematicsRequest = ForwardRequest | InverseRequest
KinematicsReply = ForwardReply | InverseReply | Failed
