"""Solid: a body given by its signed distance, and how bodies are moved and joined."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.floating]
Field: TypeAlias = Callable[[Array], Array]
"""Maps points (3, N) to signed distances (N,): negative inside, metres."""
Axis: TypeAlias = Literal["x", "y", "z"] | tuple[float, float, float]

_AXES: dict[str, tuple[float, float, float]] = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def vec(value: tuple[float, float, float] | Array) -> NDArray[np.float64]:
    """Return a point or size as an array of three floats."""
    return np.asarray(value, dtype=np.float64).reshape(3)


def direction(axis: Axis) -> NDArray[np.float64]:
    """Return the unit vector along an axis."""
    v = vec(_AXES[axis] if isinstance(axis, str) else axis)
    return v / np.linalg.norm(v)


def turning(axis: Axis, deg: float) -> NDArray[np.float64]:
    """Return the matrix of a turn by `deg` degrees about `axis` (Rodrigues)."""
    x, y, z = direction(axis)
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    a = np.deg2rad(deg)
    return np.eye(3) + np.sin(a) * K + (1.0 - np.cos(a)) * (K @ K)


@dataclass(frozen=True, slots=True)
class Solid:
    """A body: its signed distance field and a box that surely contains it. Metres.

    The field need not be an exact distance, but its slope should stay near one close to
    the surface: the mesher trusts it to skip empty space.
    """

    field: Field
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]

    def __or__(self, other: "Solid") -> "Solid":
        """Join two bodies with a sharp seam."""
        f, g = self.field, other.field
        return Solid(
            lambda p: np.minimum(f(p), g(p)),
            np.minimum(self.lower, other.lower),
            np.maximum(self.upper, other.upper),
        )

    def __and__(self, other: "Solid") -> "Solid":
        """Keep what both bodies share."""
        f, g = self.field, other.field
        return Solid(
            lambda p: np.maximum(f(p), g(p)),
            np.maximum(self.lower, other.lower),
            np.minimum(self.upper, other.upper),
        )

    def __sub__(self, other: "Solid") -> "Solid":
        """Cut the other body away with a sharp edge."""
        f, g = self.field, other.field
        return Solid(lambda p: np.maximum(f(p), -g(p)), self.lower, self.upper)

    def blend(self, other: "Solid", k: float) -> "Solid":
        """Join two bodies; the seam becomes a fillet about `k` metres wide."""
        f, g = self.field, other.field
        return Solid(
            lambda p: _smooth_min(f(p), g(p), k),
            np.minimum(self.lower, other.lower) - k / 4,
            np.maximum(self.upper, other.upper) + k / 4,
        )

    def carve(self, other: "Solid", k: float) -> "Solid":
        """Cut the other body away; the edge of the cut is rounded about `k` metres wide."""
        f, g = self.field, other.field
        return Solid(lambda p: -_smooth_min(-f(p), g(p), k), self.lower, self.upper)

    def meet(self, other: "Solid", k: float) -> "Solid":
        """Keep what both share; the new edges are rounded about `k` metres wide."""
        f, g = self.field, other.field
        return Solid(
            lambda p: -_smooth_min(-f(p), -g(p), k),
            np.maximum(self.lower, other.lower),
            np.minimum(self.upper, other.upper),
        )

    def grow(self, d: float) -> "Solid":
        """Move the surface outwards by `d` metres (inwards when negative)."""
        f = self.field
        return Solid(lambda p: f(p) - p.dtype.type(d), self.lower - d, self.upper + d)

    def shell(self, thickness: float) -> "Solid":
        """Hollow the body: keep a wall of this thickness under its surface."""
        f = self.field
        t = thickness / 2
        return Solid(lambda p: np.abs(f(p) + p.dtype.type(t)) - p.dtype.type(t), self.lower, self.upper)

    def move(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> "Solid":
        """Shift the body."""
        f = self.field
        t = np.array([x, y, z])
        return Solid(lambda p: f(p - t[:, None].astype(p.dtype)), self.lower + t, self.upper + t)

    def turn(self, axis: Axis, deg: float) -> "Solid":
        """Turn the body about an axis through the origin, right-handed, degrees."""
        return self._mapped(turning(axis, deg))

    def mirror(self, axis: Literal["x", "y", "z"]) -> "Solid":
        """Reflect the body at the plane through the origin that is normal to `axis`."""
        return self._mapped(np.eye(3) - 2 * np.diag(_AXES[axis]))

    def twin(self, axis: Literal["x", "y", "z"]) -> "Solid":
        """Join the body and its mirror image."""
        return self | self.mirror(axis)

    def _mapped(self, M: NDArray[np.float64]) -> "Solid":
        """Apply an orthogonal matrix; its inverse is its transpose."""
        f = self.field
        corners = np.stack(np.meshgrid(*zip(self.lower, self.upper, strict=True), indexing="ij")).reshape(3, 8)
        turned = M @ corners
        return Solid(lambda p: f(M.T.astype(p.dtype) @ p), turned.min(axis=1), turned.max(axis=1))


def _smooth_min(a: Array, b: Array, k: float) -> Array:
    """Polynomial smooth minimum: equals min(a, b) where they differ by more than k."""
    if k <= 0.0:
        return np.minimum(a, b)
    h = np.maximum(a.dtype.type(k) - np.abs(a - b), a.dtype.type(0.0))
    return np.minimum(a, b) - h * h * a.dtype.type(0.25 / k)
