"""Messages about the robots of the catalogue (REST, JSON)."""

from typing import Literal

from .pose import Pose
from .wire import Wire


class RobotSummary(Wire, frozen=True, kw_only=True):
    """One row of the catalogue."""

    name: str
    title: str
    maker: str
    summary: str
    kind: Literal["arm", "two arms", "mobile"]
    axes: int
    imported: bool
    """True for robots that the user brought in from a URDF."""


class JointInfo(Wire, frozen=True, kw_only=True):
    """A joint that a person can move. Radians or metres."""

    name: str
    """The name in the URDF."""
    title: str
    kind: Literal["revolute", "continuous", "prismatic"]
    lower: float | None
    """Null: it turns without end."""
    upper: float | None
    velocity: float | None


class PostureInfo(Wire, frozen=True, kw_only=True):
    """A named configuration of an arm."""

    name: str
    q: list[float]
    note: str


class FrameInfo(Wire, frozen=True, kw_only=True):
    """A frame in which poses can be given (as base) or asked for (as frame)."""

    name: str
    """What it is called in questions: `tool0` for either arm of a two-armed robot."""
    link: str
    """What it is called in the URDF."""
    note: str


class ToolInfo(Wire, frozen=True, kw_only=True):
    """The tool an arm carries."""

    name: str
    title: str
    tcp: str
    """The frame between its finger tips or at its electrode."""
    fingers: list[JointInfo]
    """The joints that open it; a finger that follows another (mimic in the URDF) is not among them."""


class ArmInfo(Wire, frozen=True, kw_only=True):
    """A chain of joints with a flange; q follows `joints`, the vendor's counting."""

    name: str
    title: str
    base: str
    flange: str
    joints: list[JointInfo]
    postures: list[PostureInfo]
    bases: list[FrameInfo]
    frames: list[FrameInfo]
    tool: ToolInfo | None
    redundancy: str | None
    """Name of the joint that serves as redundancy parameter (7-axis arms)."""
    solver: str
    """How inverse kinematics is done, as text."""


class PlatformInfo(Wire, frozen=True, kw_only=True):
    """A planar mobile platform; its three joints are x, y and heading."""

    size: list[float]
    margin: float
    speed: float
    turn_rate: float
    joints: list[JointInfo]
    camera: str
    """The frame of the mast camera; it looks along +x."""


class SourceInfo(Wire, frozen=True, kw_only=True):
    """Where numbers come from."""

    title: str
    covers: str
    licence: str


class PortsInfo(Wire, frozen=True, kw_only=True):
    """What a robot's controller calls its digital inputs, or its outputs. Where both lists are empty, ports have names
    that are configured on the controller.
    """

    names: list[str]
    """All ports, where the maker fixes their names."""
    ranges: list[tuple[int, int]]
    """First and last number, where ports are numbers."""
    example: str
    """A name that a person may recognise; empty: any will do."""


class RobotInfo(Wire, frozen=True, kw_only=True):
    """Everything the page needs to know of one robot, beside its URDF and meshes."""

    name: str
    title: str
    maker: str
    summary: str
    convention: str
    """Whose words are used for configurations, poses and ports."""
    inputs: PortsInfo
    outputs: PortsInfo
    root: str
    urdf: str
    """Where the URDF is, relative to the server's address."""
    arms: list[ArmInfo]
    platform: PlatformInfo | None
    payload_kg: float | None
    reach_m: float | None
    notes: list[str]
    sources: list[SourceInfo]


class Reach(Wire, frozen=True, kw_only=True):
    """The outline of what an arm's frame can reach, as a surface of revolution about an axis.

    `profile` is a closed polygon of (radius, height) in metres, in the frame `origin` of the base.
    """

    robot: str
    arm: str
    origin: Pose
    profile: list[tuple[float, float]]
    turn: tuple[float, float]
    """Range of the first axis in radians."""
