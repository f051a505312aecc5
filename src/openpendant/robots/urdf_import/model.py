"""What a URDF says, element by element, with the lines where it says it."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Vec3 = tuple[float, float, float]


@dataclass(frozen=True)
class MeshFile:
    """A mesh by its address, and the scale of its axes."""

    address: str
    scale: Vec3


@dataclass(frozen=True)
class Block:
    """A box about its centre; lengths of its edges in metres."""

    size: Vec3


@dataclass(frozen=True)
class Rod:
    """A cylinder along z about its centre, or with round ends a capsule; metres."""

    radius: float
    length: float
    round_ends: bool = False


@dataclass(frozen=True)
class Ball:
    """A sphere; metres."""

    radius: float


Geometry = MeshFile | Block | Rod | Ball


@dataclass(frozen=True, eq=False)
class UrdfShape:
    """One `visual` or `collision`."""

    geometry: Geometry
    T_link_shape: Array
    color: str | None
    """'#rrggbb', or None where the file names none."""
    line: int


@dataclass(frozen=True, eq=False)
class UrdfLink:
    """One `link`."""

    name: str
    line: int
    mass: float = 0.0
    com: Vec3 = (0.0, 0.0, 0.0)
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))
    """About the centre of mass, in axes parallel to the link's frame."""
    visuals: tuple[UrdfShape, ...] = ()
    collisions: tuple[UrdfShape, ...] = ()


@dataclass(frozen=True)
class UrdfJoint:
    """One `joint`. Radians, or metres where it slides."""

    name: str
    line: int
    kind: str
    parent: str
    child: str
    xyz: Vec3
    rpy: Vec3
    axis: Vec3
    limits: tuple[float, float] | None
    velocity: float | None
    effort: float | None
    mimic: tuple[str, float, float] | None
    """Leader, multiplier, offset."""


@dataclass(frozen=True)
class UrdfModel:
    """A whole URDF, checked: one root, no loops, every name once."""

    name: str
    root: str
    links: dict[str, UrdfLink]
    joints: dict[str, UrdfJoint]
