"""Cell: the content of `cell.json`, field by field.

Metres, radians, kilograms; unit quaternions (w, x, y, z); world Z up. Everything in a cell has a name, and no two
things share one.
"""

from typing import Literal

import msgspec

from openpendant.messages import Pose

Vec3 = tuple[float, float, float]
Section = Literal["robots", "tools", "frames", "objects", "points", "signals", "spaces"]

FORMAT = 2
"""The format that this version writes."""
WORLD = "world"
"""The name of the frame that everything stands in; nothing else can be called that."""
IDENTITY = Pose(xyz=(0.0, 0.0, 0.0), wxyz=(1.0, 0.0, 0.0, 0.0))


class CellEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Common settings of all parts of a cell: unknown fields are refused, defaults are not written.

    Not tracked by the garbage collector, which would walk through every thing of a large cell again and again; values
    that never change cannot form rings.
    """


class BoxShape(CellEntry, frozen=True, kw_only=True, tag="box"):
    """A box; its origin is its middle."""

    size: Vec3
    """Lengths of its edges along x, y, z, metres."""


class CylinderShape(CellEntry, frozen=True, kw_only=True, tag="cylinder"):
    """A cylinder about z; its origin is its middle."""

    radius: float
    length: float


class SphereShape(CellEntry, frozen=True, kw_only=True, tag="sphere"):
    """A sphere; its origin is its middle."""

    radius: float


class MeshShape(CellEntry, frozen=True, kw_only=True, tag="mesh"):
    """A mesh in a file of the cell's folder (STL, OBJ, GLB, PLY)."""

    file: str
    """Path from the cell's folder, with forward slashes."""
    scale: float = 1.0
    """What its numbers are multiplied with to be metres: 0.001 for a file in millimetres."""


Shape = BoxShape | CylinderShape | SphereShape | MeshShape


class CellRobot(CellEntry, frozen=True, kw_only=True):
    """A robot of the catalogue that stands in the cell."""

    name: str
    model: str
    """Its name in the catalogue."""
    pose: Pose = IDENTITY
    """Its root link in the world."""
    tools: dict[str, str | None] = {}
    """By arm, the tool of the cell that it carries; null: nothing. An arm that is not named here carries what the
    catalogue gives it."""
    joints: dict[str, tuple[float, ...]] = {}
    """By arm, the joints at the start, radians (metres where a joint slides); an arm that is not named here starts in
    the first posture of the catalogue."""
    group: str = ""
    """The group that it is listed in; empty: none."""


class ToolPart(CellEntry, frozen=True, kw_only=True):
    """A body of a tool."""

    shape: Shape
    pose: Pose = IDENTITY
    """In the flange; of a finger, when the tool is closed."""
    color: str = "#8a9099"
    opens_m: Vec3 = (0.0, 0.0, 0.0)
    """Of a finger: how far it slides in the flange until the tool is open; all zero: it does not move."""


class SignalValue(CellEntry, frozen=True, kw_only=True):
    """A signal and the value that it is set to or must have."""

    signal: str
    value: bool = True


class ToolAction(CellEntry, frozen=True, kw_only=True):
    """How a tool is opened or closed: outputs that are set, inputs that confirm it, and the time it takes."""

    outputs: tuple[SignalValue, ...] = ()
    """Set in this order, at once."""
    inputs: tuple[SignalValue, ...] = ()
    """All must have these values before the program continues; none: it continues after `time_s`."""
    time_s: float = 0.3
    """How long the tool takes, seconds."""
    timeout_s: float = 2.0
    """Inputs that do not confirm within this time stop the program with an error, seconds."""


class CellTool(CellEntry, frozen=True, kw_only=True):
    """A tool that an arm can carry."""

    name: str
    tcp: Pose
    """Its working point in the flange."""
    catalogue: str = ""
    """The tool of the robot's catalogue entry whose body and fingers it has; empty: it has `parts` instead."""
    parts: tuple[ToolPart, ...] = ()
    mass_kg: float = 0.0
    com_m: Vec3 = (0.0, 0.0, 0.0)
    """Its centre of gravity in the flange."""
    open: ToolAction | None = None
    """How it is opened on the robot's controller; null: not wired, and opened in the simulation only."""
    close: ToolAction | None = None
    """How it is closed; null: not wired."""
    group: str = ""
    """The group that it is listed in; empty: none."""


class CellFrame(CellEntry, frozen=True, kw_only=True):
    """A work object: a frame that points and things can be placed in."""

    name: str
    pose: Pose = IDENTITY
    parent: str = WORLD
    """`world`, another frame, or a robot (its root link)."""
    group: str = ""
    """The group that it is listed in; empty: none."""


class CellObject(CellEntry, frozen=True, kw_only=True):
    """A thing that stands in the cell: an obstacle, or a part that can be grasped."""

    name: str
    shape: Shape
    pose: Pose = IDENTITY
    frame: str = WORLD
    """What its pose is given in: `world`, a frame, or a robot (its root link)."""
    margin_m: float = 0.0
    """No robot may come nearer than this."""
    color: str = "#b9bec6"
    opacity: float = 1.0
    graspable: bool = False
    """True for a part that tools take; false for what stands fixed."""
    collides: bool = True
    """False for what is only to be seen."""
    visible: bool = True
    group: str = ""
    """The group that it is listed in; empty: none."""


class CellPoint(CellEntry, frozen=True, kw_only=True):
    """A named point: where a tool's TCP can be sent."""

    name: str
    pose: Pose
    frame: str = WORLD
    """What its pose is given in: `world`, a frame, or a robot (its root link)."""
    robot: str = ""
    """The robot it was made for; empty: any."""
    arm: str = ""
    """The arm of that robot; empty: the first."""
    q: tuple[float, ...] | None = None
    """The joints it was taught with, which choose the configuration."""
    group: str = ""
    """The group that it is listed in; empty: none."""


class Signal(CellEntry, frozen=True, kw_only=True):
    """A digital input or output of the cell."""

    name: str
    kind: Literal["in", "out"]
    robot: str = ""
    """The robot whose controller has it; empty: not wired, it exists in the simulation only."""
    port: str = ""
    """The port in that controller's own words: `standard_out_3`, `tool_in_0`, `doGrip`, `1004`; empty: not wired."""
    initial: bool = False
    title: str = ""
    group: str = ""
    """The group that it is listed in; empty: none."""


class CellSpace(CellEntry, frozen=True, kw_only=True):
    """A box that the TCP of a robot must stay inside of, or outside of."""

    name: str
    kind: Literal["allowed", "forbidden"]
    """A TCP stays inside at least one allowed space, where its robot has any, and outside all forbidden ones."""
    size: Vec3
    """Lengths of its edges along x, y, z, metres."""
    pose: Pose = IDENTITY
    """Of its middle."""
    frame: str = WORLD
    """What its pose is given in: `world`, a frame, or a robot (its root link)."""
    robots: tuple[str, ...] = ()
    """The robots that it holds for; none: all."""
    group: str = ""
    """The group that it is listed in; empty: none."""


class Cell(CellEntry, frozen=True, kw_only=True):
    """A cell: everything that stands in one room with the robots."""

    format: int = msgspec.field(default_factory=lambda: FORMAT)
    """The form of this file; older ones are brought up to date when they are read."""
    name: str
    title: str = ""
    notes: str = ""
    robots: tuple[CellRobot, ...] = ()
    tools: tuple[CellTool, ...] = ()
    frames: tuple[CellFrame, ...] = ()
    objects: tuple[CellObject, ...] = ()
    points: tuple[CellPoint, ...] = ()
    signals: tuple[Signal, ...] = ()
    spaces: tuple[CellSpace, ...] = ()


CellItem = CellRobot | CellTool | CellFrame | CellObject | CellPoint | Signal | CellSpace

SECTIONS: dict[Section, type[CellItem]] = {
    "robots": CellRobot,
    "tools": CellTool,
    "frames": CellFrame,
    "objects": CellObject,
    "points": CellPoint,
    "signals": Signal,
    "spaces": CellSpace,
}
"""The lists of a cell and what is in them."""
