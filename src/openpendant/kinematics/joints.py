"""JointCheck: joints as a person or program gives them, checked against the arm."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError

from .chain import Chain
from .kernels.planar import LIMIT_TOLERANCE
from .number_text import digits

Array = NDArray[np.float64]


def as_arrays(T: ArrayLike, seed: ArrayLike | None, zero: Array) -> tuple[Array, Array]:
    """Return poses and seed (default: `zero`) as fresh arrays of one memory layout, so that one compiled kernel serves.

    Raises:
        InputError: One of them is not made of numbers.
    """
    try:
        poses = np.array(T, dtype=np.float64, order="C")
        return poses, zero if seed is None else np.array(seed, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise InputError(f"T and seed must be arrays of numbers: {error}") from None


def check_seed(seed: Array, dof: int, poses: Array) -> None:
    """Check that a seed is finite and (n,), or (N, n) for poses (N, 4, 4).

    Raises:
        InputError: It is not.
    """
    allowed: list[tuple[int, ...]] = [(dof,)] if poses.ndim == 2 else [(dof,), (len(poses), dof)]
    if seed.shape not in allowed:
        raise InputError(f"seed has shape {seed.shape}; allowed: {' or '.join(map(str, allowed))}")
    if not np.isfinite(seed).all():
        raise InputError(f"seed contains {seed[~np.isfinite(seed)][0]}; joints must be finite numbers")


class JointCheck:
    """Turns what people pass as q into arrays; raises InputError with what is wrong with it."""

    def __init__(self, chain: Chain, titles: tuple[str, ...]) -> None:
        """Check q for `chain`, and call its joints by `titles`."""
        self._chain = chain
        self._sliding = np.zeros(chain.dof, dtype=np.bool_)
        self._sliding[chain.order] = chain.prismatic
        self._lower = chain.lower - LIMIT_TOLERANCE
        self._upper = chain.upper + LIMIT_TOLERANCE
        self.names = tuple(
            name if not title or title == name else f"{name} ({title})"
            for name, title in zip(chain.names, titles, strict=True)
        )
        """How each joint is called in sentences."""

    def shape(self, q: ArrayLike, what: str = "q", *, batch: bool = False) -> Array:
        """Return q as a fresh (n,), or with `batch` (N, n), array of finite numbers.

        Raises:
            InputError: Wrong shape or a number that is not finite; names it.
        """
        try:
            array = np.array(q, dtype=np.float64, order="C")
        except (TypeError, ValueError) as error:
            raise InputError(f"{what} is not an array of numbers: {error}") from None
        n = self._chain.dof
        if array.shape[-1:] != (n,) or array.ndim not in ((1, 2) if batch else (1,)):
            allowed = f"({n},) or (N, {n})" if batch else f"({n},)"
            raise InputError(f"{what} has shape {array.shape}; this arm has {n} joints, so {allowed} is allowed")
        if not np.isfinite(array).all():
            at = np.argwhere(~np.isfinite(array))[0]
            raise InputError(f"{what}: {self.names[at[-1]]} is {array[tuple(at)]}; joints must be finite numbers")
        return array

    def limits(self, q: Array) -> None:
        """Check q (n,) or (N, n) against the limits.

        Raises:
            InputError: A joint is beyond; names it, its value and its limits.
        """
        beyond = (q < self._lower) | (q > self._upper)
        if beyond.any():
            at = np.argwhere(beyond)[0]
            joint = int(at[-1])
            low, high = float(self._chain.lower[joint]), float(self._chain.upper[joint])
            value, unit = float(q[tuple(at)]), "m" if self._sliding[joint] else "rad"
            # The number as it was given, so that it is found again in what was typed or sent.
            raise InputError(
                f"{self.names[joint]} is at {value:.6g} {unit} ({self.show(joint, value)}); "
                f"allowed: {self.show(joint, low)} … {self.show(joint, high)}"
            )

    def show(self, joint: int, value: float) -> str:
        """Return a joint value for people: degrees, or millimetres where the joint slides."""
        if self._sliding[joint]:
            return f"{digits(1000.0 * value)} mm"
        return f"{digits(math.degrees(value))}°"
