"""RobotFacts: the content of a robot's `facts.toml`, field by field.

The file is written and read by people, so angles are in degrees there; the suffix of every
field says its unit. Everything past `load` is SI and radians.
"""

from typing import Literal

import msgspec

Vec3 = tuple[float, float, float]
Vec6 = tuple[float, float, float, float, float, float]
ZERO: Vec3 = (0.0, 0.0, 0.0)
NO_INERTIA: Vec6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


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
    inertia_kg_m2: Vec6 = NO_INERTIA
    """ixx iyy izz ixy ixz iyz about the centre of mass, in axes parallel to the link's frame."""
    visual: bool = True
    """False for a link that is only a frame and has no body to be seen."""


class MimicFacts(Facts, frozen=True, kw_only=True):
    """A joint that follows another: q = multiplier · q_other + offset (radians or metres)."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


class JointFacts(Facts, frozen=True, kw_only=True):
    """What connects two links. A fixed joint has no axis and no limits."""

    name: str
    kind: Literal["revolute", "continuous", "prismatic", "fixed"]
    parent: str
    child: str
    xyz_m: Vec3 = ZERO
    rpy_deg: Vec3 = ZERO
    """Fixed-axis roll, pitch, yaw as in URDF: R = Rz(yaw) Ry(pitch) Rx(roll)."""
    rpy_rad: Vec3 | None = None
    """Instead of `rpy_deg`, where the source gives radians to a few digits."""
    axis: Vec3 = (0.0, 0.0, 1.0)
    title: str = ""
    """What the vendor calls it on the pendant: 'Axis 1', 'J1', 'Base'."""
    limits_deg: tuple[float, float] | None = None
    limits_m: tuple[float, float] | None = None
    velocity_deg_s: float | None = None
    velocity_m_s: float | None = None
    acceleration_deg_s2: float | None = None
    acceleration_m_s2: float | None = None
    """Of planned motion."""
    stop_deceleration_deg_s2: float | None = None
    stop_deceleration_m_s2: float | None = None
    """Of a stop: not below the acceleration of planned motion."""
    stop_rise_s: float | None = None
    """Time in which that deceleration is reached, and released again at the end."""
    effort: float | None = None
    """Largest torque in N m, or force in N."""
    mimic: MimicFacts | None = None


class FrameFacts(Facts, frozen=True, kw_only=True):
    """A named frame fixed to a link: `base` of a UR, `flange`, `tool0`."""

    name: str
    parent: str
    """A link, or a frame of this file."""
    xyz_m: Vec3 = ZERO
    rpy_deg: Vec3 = ZERO
    note: str = ""


class PostureFacts(Facts, frozen=True, kw_only=True):
    """A named configuration: home, READY, folded for transport."""

    name: str
    q_deg: tuple[float, ...]
    """In the vendor's counting of axes; metres for a joint that slides."""
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
    """The first is the pose the arm has when it appears."""
    tool: str = ""
    """The tool it carries when it appears; empty: none."""
    redundancy: str = ""
    """For 7-axis arms, the joint that serves as the redundancy parameter."""
    controller_base: str = ""
    """The frame in which the vendor's controller gives poses; empty: `base`."""
    controller_flange: str = ""
    """The frame that the vendor's controller calls its flange: its tools are given in it; empty: `flange`."""
    presents: dict[str, str] = {}
    """Frames that this arm shows under a shorter name: {shown = "name in the robot"}."""


class FingerFacts(Facts, frozen=True, kw_only=True):
    """A sliding finger of a gripper, along `axis` of the tool's mounting frame."""

    link: str
    xyz_m: Vec3
    """Where the finger's frame is when the gripper is closed."""
    axis: Vec3
    """The way it opens."""
    travel_m: float
    velocity_m_s: float
    rpy_deg: Vec3 = ZERO
    mass_kg: float = 0.0
    com_m: Vec3 = ZERO
    inertia_kg_m2: Vec6 = NO_INERTIA

    @property
    def joint(self) -> str:
        """Name of the sliding joint that carries it: 0 is closed, `travel_m` open."""
        return f"{self.link}_joint"


class ToolFacts(Facts, frozen=True, kw_only=True):
    """A tool that can be mounted on a flange. Its own frame is the flange frame."""

    name: str
    title: str
    link: str
    """Name of its body; visuals are found by it."""
    tcp_xyz_m: Vec3
    tcp_rpy_deg: Vec3 = ZERO
    tcp: str = "tcp"
    """Name of the frame at its working point."""
    mass_kg: float = 0.0
    com_m: Vec3 = ZERO
    inertia_kg_m2: Vec6 = NO_INERTIA
    fingers: tuple[FingerFacts, ...] = ()
    """The first finger leads; the others follow it."""
    note: str = ""


class PlatformFacts(Facts, frozen=True, kw_only=True):
    """A mobile platform that moves in the plane: x, y and heading."""

    joints: tuple[str, str, str]
    """Along x, along y, about the vertical."""
    body: str
    """The link that carries everything; its origin is on the floor under its centre, +x is ahead."""
    camera: str
    """The frame of the mast camera; it looks along its +x."""
    size_m: Vec3
    """Length, width, height of the body without the mast."""
    margin_m: float
    """Free space kept around the body."""
    speed_m_s: float
    acceleration_m_s2: float
    turn_deg_s: float
    turn_deg_s2: float
    wheel_note: str = ""


class RobotFacts(Facts, frozen=True, kw_only=True):
    """Everything known of one robot."""

    format: Literal[1]
    name: str
    title: str
    maker: str
    summary: str
    """One sentence for the catalogue."""
    convention: str
    """Whose words are used for configurations, poses and ports: one of `robots/conventions`, or of another package."""
    root: str
    """The link that stands on the floor."""
    sources: tuple[SourceFacts, ...]
    links: tuple[LinkFacts, ...]
    joints: tuple[JointFacts, ...] = ()
    frames: tuple[FrameFacts, ...] = ()
    arms: tuple[ArmFacts, ...] = ()
    tools: tuple[ToolFacts, ...] = ()
    platform: PlatformFacts | None = None
    payload_kg: float | None = None
    """For a robot with two arms: of each arm."""
    reach_m: float | None = None
    mass_kg: float | None = None
    """What the maker says the whole robot weighs."""
    notes: tuple[str, ...] = ()
