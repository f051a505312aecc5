"""Hand: samples of a hand, few and noisy, as a smooth motion that continues between them."""

import math

import numpy as np
from numpy.typing import NDArray

from openpendant.spatial import matrix_from_rotation_vector, rotation_vector_from_matrix

Array = NDArray[np.float64]


class Hand:
    """A second-order fading-memory filter: position and velocity, rotation and its velocity.

    Older samples count less, by e for each `memory_s`. Between samples the hand is taken to continue as it went.
    """

    def __init__(self, memory_s: float) -> None:
        """Remember nothing yet."""
        self.memory_s = memory_s
        self.time_ns: int | None = None
        self.p: Array = np.zeros(3)
        self.R: Array = np.eye(3)
        self.v: Array = np.zeros(3)
        self.w: Array = np.zeros(3)

    def forget(self) -> None:
        """Begin again with the next sample."""
        self.time_ns = None

    def add_sample(self, p: Array, R: Array, time_ns: int) -> None:
        """Take a sample: position, rotation and when it was taken. One that is not newer than the last is left out."""
        if self.time_ns is None:
            self.p, self.R = np.array(p), np.array(R)
            self.v, self.w = np.zeros(3), np.zeros(3)
            self.time_ns = time_ns
            return
        dt = 1e-9 * (time_ns - self.time_ns)
        if dt <= 0.0:
            return
        self.time_ns = time_ns
        keep = math.exp(-dt / self.memory_s)
        alpha, beta = 1.0 - keep * keep, (1.0 - keep) ** 2 / dt
        self.p = self.p + dt * self.v
        miss = p - self.p
        self.p, self.v = self.p + alpha * miss, self.v + beta * miss
        self.R = matrix_from_rotation_vector(dt * self.w) @ self.R
        miss = rotation_vector_from_matrix(R @ self.R.T)
        self.R, self.w = matrix_from_rotation_vector(alpha * miss) @ self.R, self.w + beta * miss
