"""Spaces: allowed and forbidden boxes of a cell as one arm sees them, and where a TCP leaves or enters them."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.spatial import inverse

from .placed_arm import transform_of
from .scene import Scene

Array = NDArray[np.float64]

COVER_EPS = 1e-9


@dataclass(frozen=True, eq=False)
class SpaceBox:
    """A space of the cell in the base of an arm. Arrays are read-only."""

    name: str
    kind: Literal["allowed", "forbidden"]
    T_base_box: Array
    """(4, 4): its middle in the arm's base."""
    half: Array
    """(3,): half the lengths of its edges, metres."""

    def contains(self, points: ArrayLike) -> NDArray[np.bool_]:
        """Return which points (..., 3) in the arm's base are inside or on its surface."""
        local = (np.asarray(points, dtype=np.float64) - self.T_base_box[:3, 3]) @ self.T_base_box[:3, :3]
        return np.asarray((np.abs(local) <= self.half).all(axis=-1))

    def inside_part(self, starts: Array, ends: Array) -> tuple[Array, Array]:
        """Return between which shares (0 to 1) segments (N, 3) are inside; begin is above end where they never are."""
        R, p = self.T_base_box[:3, :3], self.T_base_box[:3, 3]
        a, b = (starts - p) @ R, (ends - p) @ R
        along = b - a
        with np.errstate(divide="ignore", invalid="ignore"):
            low, high = (-self.half - a) / along, (self.half - a) / along
        still = np.abs(along) < 1e-15
        out = still & (np.abs(a) > self.half)
        low, high = np.minimum(low, high), np.maximum(low, high)
        low[still], high[still] = -np.inf, np.inf
        low[out], high[out] = np.inf, -np.inf
        return np.maximum(low.max(axis=1), 0.0), np.minimum(high.min(axis=1), 1.0)


@dataclass(frozen=True, eq=False)
class SpaceFault:
    """Where a TCP first enters a forbidden space or leaves the allowed ones."""

    space: str
    """The forbidden space; empty: it is outside all allowed ones."""
    index: int
    """The segment, counted from 0."""
    fraction: float
    """How far along that segment, 0 to 1."""
    point: Array
    """(3,) in the arm's base, metres."""


def spaces_of_arm(scene: Scene, arm: str) -> tuple[SpaceBox, ...]:
    """Return the spaces that hold for an arm, in its base.

    Args:
        scene: Of the cell.
        arm: robot/arm, or the robot where it has one arm.

    Raises:
        UnknownNameError: The cell has no such arm.
    """
    placed = scene.arm(arm)
    T_base_world = inverse(placed.T_world_base)
    boxes: list[SpaceBox] = []
    for space in scene.cell.spaces:
        if space.robots and placed.robot not in space.robots:
            continue
        T = T_base_world @ scene.frames[space.frame] @ transform_of(space.pose)
        half = np.array(space.size, dtype=np.float64) / 2.0
        T.setflags(write=False)
        half.setflags(write=False)
        boxes.append(SpaceBox(space.name, space.kind, T, half))
    return tuple(boxes)


def find_space_fault(boxes: tuple[SpaceBox, ...], points: ArrayLike) -> SpaceFault | None:
    """Return where a polyline of TCP positions (N, 3) in the arm's base first breaks a rule; None: nowhere."""
    p = np.atleast_2d(np.asarray(points, dtype=np.float64))
    starts, ends = (p, p) if len(p) == 1 else (p[:-1], p[1:])
    first: tuple[int, float, str] | None = None
    for box in boxes:
        if box.kind == "forbidden":
            begin, end = box.inside_part(starts, ends)
            hits = np.flatnonzero(begin <= end)
            if len(hits) and (first is None or (int(hits[0]), float(begin[hits[0]])) < first[:2]):
                first = (int(hits[0]), float(begin[hits[0]]), box.name)
    allowed = [box for box in boxes if box.kind == "allowed"]
    if allowed:
        spans = np.array([box.inside_part(starts, ends) for box in allowed])
        open_ones = np.flatnonzero(~((spans[:, 0] <= COVER_EPS) & (spans[:, 1] >= 1.0 - COVER_EPS)).any(axis=0))
        for index in open_ones:
            leaves = _uncovered(spans[:, :, index])
            if leaves is not None:
                if first is None or (int(index), leaves) < first[:2]:
                    first = (int(index), leaves, "")
                break
    if first is None:
        return None
    index, fraction, name = first
    return SpaceFault(name, index, fraction, starts[index] + fraction * (ends[index] - starts[index]))


def _uncovered(spans: Array) -> float | None:
    """Return the first share of a segment that is in none of the spans (K, 2); None: all of it is covered."""
    reached = 0.0
    for begin, end in spans[np.argsort(spans[:, 0])]:
        if begin > end:
            continue
        if begin > reached + COVER_EPS:
            return reached
        reached = max(reached, float(end))
    return None if reached >= 1.0 - COVER_EPS else reached
