"""Calibration: real arms differ from the drawing by millimetres, and their controllers know by how much."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.protocols.ur_primary import ConfigurationInfo, KinematicsInfo

Array = NDArray[np.float64]

POSES = 200
WORTH_TELLING_M = 0.0002


@dataclass(frozen=True)
class DenavitHartenberg:
    """Parameters of the six joints, as the maker counts them: metres and radians."""

    theta: tuple[float, ...]
    a: tuple[float, ...]
    d: tuple[float, ...]
    alpha: tuple[float, ...]

    def fk(self, q: ArrayLike) -> Array:
        """Return the flange in the controller's base for joints (6,) or (N, 6)."""
        Q = np.atleast_2d(np.asarray(q, dtype=np.float64))
        T = np.broadcast_to(np.eye(4), (len(Q), 4, 4))
        for i in range(6):
            T = T @ _link(Q[:, i] + self.theta[i], self.a[i], self.d[i], self.alpha[i])
        return T[0] if np.ndim(q) == 1 else T


@dataclass(frozen=True)
class Calibration:
    """How an arm is built, as its maker measured it, beside the drawing."""

    measured: DenavitHartenberg
    nominal: DenavitHartenberg
    worst_m: float
    """How far the flange is from where the drawing puts it, at most, over many configurations."""

    @classmethod
    def of(cls, kinematics: KinematicsInfo, configuration: ConfigurationInfo) -> "Calibration":
        """Compare what the controller tells."""
        measured = _read(kinematics.dh_theta, kinematics.dh_a, kinematics.dh_d, kinematics.dh_alpha)
        report = configuration
        nominal = _read(report.dh_theta, report.dh_a, report.dh_d, report.dh_alpha)
        Q = np.random.default_rng(0).uniform(-np.pi, np.pi, (POSES, 6))
        off = np.linalg.norm((measured.fk(Q) - nominal.fk(Q))[:, :3, 3], axis=1)
        return cls(measured, nominal, float(off.max()))

    @property
    def warning(self) -> str:
        """What a person should know; empty: the arm is as drawn."""
        if self.worst_m < WORTH_TELLING_M:
            return ""
        return (
            f"the calibration of this arm moves its flange by up to {1000.0 * self.worst_m:.1f} mm from the drawing; "
            "poses computed from the drawing are off by as much"
        )


def _read(theta: Sequence[float], a: Sequence[float], d: Sequence[float], alpha: Sequence[float]) -> DenavitHartenberg:
    return DenavitHartenberg(tuple(theta), tuple(a), tuple(d), tuple(alpha))


def _link(theta: Array, a: float, d: float, alpha: float) -> Array:
    c, s, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    T = np.zeros((len(theta), 4, 4))
    T[:, 0] = np.stack([c, -s * ca, s * sa, a * c], axis=1)
    T[:, 1] = np.stack([s, c * ca, -c * sa, a * s], axis=1)
    T[:, 2, 1], T[:, 2, 2], T[:, 2, 3], T[:, 3, 3] = sa, ca, d, 1.0
    return T
