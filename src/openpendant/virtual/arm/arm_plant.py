"""ArmPlant: the joints of an arm as things; they follow their targets and can be measured."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arm_model import ArmModel
from .kernels.chain import holding_moments
from .kernels.drive import MEMORY_ROWS, follow_targets, read_joints
from .tracking import Tracking, step_numbers

Array = NDArray[np.float64]
NOISE_ROWS = 4096
STANDARD_GRAVITY = (0.0, 0.0, 9.80665)


class ArmPlant:
    """Drives, brakes and encoders of one arm.

    Attributes:
        measured: (2, n): joints and velocities of the encoders, always the newest.
        lag: How far the farthest joint is from its target, radians.
        payload: (4,): mass at the flange and its centre there, kilograms and metres; the tool of the facts at first.
        gravity: (3,): acceleration that an arm at rest feels, m/s², in its base.
    """

    def __init__(self, model: ArmModel, tracking: Tracking, q: ArrayLike, *, tick_s: float, seed: int) -> None:
        """Begin at rest at q, with closed brakes.

        Args:
            model: The arm.
            tracking: How well its joints follow.
            q: (n,).
            tick_s: Length of a tick.
            seed: Of noise.
        """
        n = model.dof
        self._model, self._tick_s = model, tick_s
        self._step = step_numbers(tracking, tick_s)
        self._sags = self._step[13] > 0.0
        chain = model.arm.chain
        self._axes = np.column_stack([chain.axis, chain.prismatic.astype(np.float64)])
        self._load = model.load.copy()
        self._frames, self._moment = np.empty((n + 1, 4, 4)), np.zeros(n)
        self._noise = np.random.default_rng(seed).normal(size=(NOISE_ROWS, 2, n))
        self._row = 0
        self._memory = np.zeros((MEMORY_ROWS, n))
        self.measured = np.zeros((2, n))
        self.lag = 0.0
        self.payload = self._load[n]
        self.gravity = np.array(STANDARD_GRAVITY)
        self.place(q)

    @property
    def q(self) -> Array:
        """(n,) where the joints really are, without the noise of reading them."""
        return self._memory[2]

    @property
    def qd(self) -> Array:
        """(n,) how fast they really are."""
        return self._memory[3]

    def place(self, q: ArrayLike) -> None:
        """Be at rest at q."""
        self._memory[:] = 0.0
        self._memory[[0, 2, 4]] = q
        self.follow(self._memory[4].copy(), driven=False)

    def follow(self, q_target: Array, *, driven: bool) -> None:
        """Let one tick pass.

        Args:
            q_target: (n,) where the drives shall be.
            driven: False: the brakes are closed.
        """
        if self._sags:
            self.write_moments(self._moment)
        self.lag = follow_targets(
            self._step, self._memory, q_target, self._moment, self._model.brake, driven, self._tick_s
        )
        self._row = (self._row + 1) % NOISE_ROWS
        read_joints(self._step, self._memory, self._noise[self._row], driven, self.measured)

    def write_moments(self, out: Array) -> None:
        """Write the moments (n,) that hold the arm where it is, Nm (N where a joint slides)."""
        arm = self._model.arm
        holding_moments(arm.packed, self._axes, arm.chain.order, self._load, self.gravity, self.q, self._frames, out)
