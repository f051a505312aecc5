"""RobotFacts: the content of a robot's `facts.toml`, field by field.

The file is written and read by people, so angles are in degrees there; the suffix of every
field says its unit. Everything past `load` is SI and radians.
"""

from typing import Literal

import msgspec

__all__ = [
    "ArmFacts",
    "FingerFacts",
    "FrameFacts",
    "JointFacts",
    "LinkFacts",
    "PlatformFacts",
    "PostureFacts",
    "RobotFacts",
    "SourceFacts",
    "ToolFacts",
]

Vec3 = tuple[float, float, float]
Vec6 = tuple[float, float, float, float, float, float]
ZERO: Vec3 = (0.0, 0.0, 0.0)


class Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Common settings of all parts of a facts file."""


class SourceFacts(Facts, frozen=True, kw_only=True):
    """Where numbers come from."""

    id: str
    title: str
    covers: str
    """Which facts of this file come from here, and with what reservations."""
    licence: str = ""


class LinkFacts(Facts, frozen=True, kw_only=True):
    """A rigid body of the robot. Its frame is the frame of the joint that carries it."""

    name: str
    mass_kg: float = 0.0
    com_m: Vec3 = ZERO
    inertia_kg_m2: Vec6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    """ixx iyy izz ixy ixz iyz about the centre of mass, in axes parallel to the link's frame."""


class JointFacts(Facts, frozen=True, kw_only=True):
    """What connects two links. A fixed joint has no axis and no limits."""

    name: str
    kind: Literal["revolute", "continuous", "prismatic", "fixed"]
    parent: str
    child: str
    xyz_m: Vec3 = ZERO
    rpy_deg: Vec3 = ZERO
    """Fixed-axis roll, pitch, yaw as in URDF: R = Rz(yaw) Ry(pitch) Rx(roll)."""
    axis: Vec3 = (0.0, 0.0, 1.0)
    title: str = ""
    """What the vendor calls it on the pendant: 'Axis 1', 'J1', 'Base'."""
    limits_deg: tuple[float, float] | None = None
    limits_m: tuple[float, float] | None = None
    velocity_deg_s: float | None = None
    velocity_m_s: float | None = None
    acceleration_deg_s2: float | None = None
    acceleration_m_s2: float | None = None
    effort: float | None = None


class FrameFacts(Facts, frozen=True, kw_only=True):
    """A named frame fixed to a link: `base` of a UR, `flange`, `tool0`."""

    name: str
    parent: str
    """A link or a frame named earlier."""
    xyz_m: Vec3 = ZERO
    rpy_deg: Vec3 = ZERO
    note: str = ""


class PostureFacts(Facts, frozen=True, kw_only=True):
    """A named configuration: home, READY, folded for transport."""

    name: str
    q_deg: tuple[float, ...]
    """In the vendor's counting of axes."""
    note: str = ""


class ArmFacts(Facts, frozen=True, kw_only=True):
    """A chain of moving joints with a flange."""

    name: str
    title: str
    base: str
    """The link where the chain starts, and the default base of its poses."""
    flange: str
    """The frame where tools are mounted."""
    joints: tuple[str, ...]
    """Joint names in the vendor's own counting of axes (not always the order in the chain)."""
    postures: tuple[PostureFacts, ...]
    """The first is home: the pose the arm has when it appears."""
    tool: str = ""
    """The tool it carries when it appears; empty: none."""
    redundancy: str = ""
    """For 7-axis arms, the joint that serves as the redundancy parameter."""


class FingerFacts(Facts, frozen=True, kw_only=True):
    """A sliding finger of a gripper, along `axis` of the tool's mounting frame."""

    link: str
    xyz_m: Vec3
    """Where the finger's frame is when the gripper is closed."""
    axis: Vec3
    travel_m: float
    velocity_m_s: float
    rpy_deg: Vec3 = ZERO


class ToolFacts(Facts, frozen=True, kw_only=True):
    """A tool that can be mounted on a flange. Its own frame is the flange frame."""

    name: str
    title: str
    link: str
    """Name of its body; visuals are found by it."""
    tcp_xyz_m: Vec3
    tcp_rpy_deg: Vec3 = ZERO
    mass_kg: float = 0.0
    com_m: Vec3 = ZERO
    fingers: tuple[FingerFacts, ...] = ()
    note: str = ""


class PlatformFacts(Facts, frozen=True, kw_only=True):
    """A mobile platform that moves in the plane: x, y and heading."""

    size_m: Vec3
    margin_m: float
    """Free space kept around the body."""
    speed_m_s: float
    turn_deg_s: float
    camera_xyz_m: Vec3
    """The mast camera; it looks along +x."""
    wheel_note: str = ""


class RobotFacts(Facts, frozen=True, kw_only=True):
    """Everything known of one robot."""

    format: Literal[1]
    name: str
    title: str
    maker: str
    summary: str
    """One sentence for the catalogue."""
    convention: Literal["abb", "ur", "vplus", "plain"]
    """Whose words are used for configurations and for printing poses."""
    root: str
    """The link that stands on the floor; the default base of poses."""
    sources: tuple[SourceFacts, ...]
    links: tuple[LinkFacts, ...]
    joints: tuple[JointFacts, ...] = ()
    frames: tuple[FrameFacts, ...] = ()
    arms: tuple[ArmFacts, ...] = ()
    tools: tuple[ToolFacts, ...] = ()
    platform: PlatformFacts | None = None
    payload_kg: float | None = None
    reach_m: float | None = None
    notes: tuple[str, ...] = ()
