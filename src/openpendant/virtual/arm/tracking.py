"""Tracking: how the joints follow their targets, as numbers for the kernel."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Tracking:
    """How well the joints follow: second order, x'' = ω²(q - x) + 2ζω(κ q' - x')."""

    frequency_hz: float = 20.0
    """ω / 2π of the drives."""
    damping: float = 1.0
    """ζ."""
    feed_forward: float = 0.9
    """κ: at constant speed the joints are late by 2ζ(1 - κ) / ω seconds."""
    noise: float = 1.0
    """1: encoders read 10 µrad (standard deviation) wrong, speeds 0.5 mrad/s, forces 0.3 N; 0: none."""
    elastic_hz: float | None = None
    """Natural frequency of the links on their joints; None: stiff."""
    elastic_damping: float = 0.08
    sag_rad_per_nm: float = 0.0
    """How far a soft joint gives way under a moment; only with `elastic_hz`."""

    def __post_init__(self) -> None:
        """Raise InputError if it is not such a system."""
        for name in ("frequency_hz", "damping", "elastic_damping"):
            value = getattr(self, name)
            if not 0.0 < value < math.inf:
                raise InputError(f"{name} is {value}; it must be positive and finite")
        for name in ("noise", "sag_rad_per_nm"):
            value = getattr(self, name)
            if not 0.0 <= value < math.inf:
                raise InputError(f"{name} is {value}; it must be finite and not negative")
        if not 0.0 <= self.feed_forward <= 1.0:
            raise InputError(f"feed_forward is {self.feed_forward}; allowed: 0 to 1")
        if self.elastic_hz is not None and not 0.0 < self.elastic_hz < math.inf:
            raise InputError(f"elastic_hz is {self.elastic_hz}; it must be positive and finite, or None for stiff")


def step_numbers(tracking: Tracking, tick_s: float) -> Array:
    """Return the (14,) array that the kernels read, exact for ticks of `tick_s`.

    Motor transition (4), link transition (4), seconds by which joints are late at constant speed, noise of position,
    velocity and force, elastic 0 or 1, give of joints (rad per Nm).
    """
    omega = math.tau * tracking.frequency_hz
    step = np.zeros(14)
    step[0:4] = _transition(omega, tracking.damping, tick_s)
    step[4:8] = (1.0, 0.0, 0.0, 1.0)
    if tracking.elastic_hz is not None:
        step[4:8] = _transition(math.tau * tracking.elastic_hz, tracking.elastic_damping, tick_s)
        step[12] = 1.0
        step[13] = tracking.sag_rad_per_nm
    step[8] = 2.0 * tracking.damping * (1.0 - tracking.feed_forward) / omega
    step[9] = 1e-5 * tracking.noise
    step[10] = 5e-4 * tracking.noise
    step[11] = 0.3 * tracking.noise
    return step


def _transition(omega: float, zeta: float, dt: float) -> tuple[float, float, float, float]:
    """Return exp(A dt) of x'' = -ω² x - 2ζω x', row by row."""
    decay = math.exp(-zeta * omega * dt)
    if abs(zeta - 1.0) < 1e-9:
        c, s = 1.0, dt
    elif zeta < 1.0:
        own = omega * math.sqrt(1.0 - zeta * zeta)
        c, s = math.cos(own * dt), math.sin(own * dt) / own
    else:
        own = omega * math.sqrt(zeta * zeta - 1.0)
        c, s = math.cosh(own * dt), math.sinh(own * dt) / own
    return (
        decay * (c + zeta * omega * s),
        decay * s,
        -decay * omega * omega * s,
        decay * (c - zeta * omega * s),
    )
