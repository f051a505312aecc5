"""ArmBody: the arm as a thing; follows its targets and can be measured."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openpendant.virtual.arm import Tracking, brakes_at_once, step_numbers

from .installation import Installation
from .kernels.plant import LAYOUT, SIZE, measure
from .kernels.step import DT
from .model import UrModel

Array = NDArray[np.float64]
NOISE_ROWS = 4096


@dataclass(frozen=True)
class Deviation:
    """How far the tracked path was from the programmed one."""

    ticks: int
    """How many ticks were looked at: those in which the arm was driven and asked to move."""
    largest_m: float
    """Distance of the tool's point from where it should have been at that time, lag included."""
    mean_m: float
    largest_cross_m: float
    """The same across the direction of motion only: how far it was off the path."""
    largest_joint_rad: float


class ArmBody:
    """Joints, drives and sensors of one arm."""

    def __init__(
        self, model: UrModel, installation: Installation, tracking: Tracking, q: NDArray[np.float64], seed: int
    ) -> None:
        self._installation = installation
        self._dh = model.dh()
        self._mass = np.array(model.link_mass)
        self._com = np.array(model.link_com)
        self._step, self._brake = step_numbers(tracking, DT), brakes_at_once(6)
        self._memory = np.zeros((6, 6))
        self._memory[[0, 2, 4]] = q
        self._noise = np.random.default_rng(seed).normal(size=(NOISE_ROWS, 18))
        self._row = 0
        self.out = np.zeros(SIZE)
        self.views: dict[str, NDArray[np.float64]] = {}
        """Every measured vector by name, always the newest."""
        at = 0
        for name, count in LAYOUT:
            self.views[name] = self.out[at : at + count]
            at += count
        self._late, self._cross = self.views["deviation_m"], self.views["cross_deviation_m"]
        self._ratio, self._qd = self.views["joint_position_deviation_ratio"], self.views["target_qd"]
        self.reset_deviation()
        self.follow(q, driven=False)

    @property
    def q(self) -> NDArray[np.float64]:
        """(6,) where the joints really are, without the noise of reading them."""
        return self._memory[2]

    def place(self, q: NDArray[np.float64]) -> None:
        """Be at rest at q."""
        self._memory[:] = 0.0
        self._memory[[0, 2, 4]] = q

    def follow(self, q_target: NDArray[np.float64], *, driven: bool) -> None:
        """Let one tick pass.

        Args:
            q_target: (6,) where the drives shall be.
            driven: False: the brakes hold.
        """
        self._row = (self._row + 1) % NOISE_ROWS
        place = self._installation
        measure(
            self._dh,
            place.tool,
            self._mass,
            self._com,
            place.load,
            place.world,
            self._step,
            self._brake,
            self._memory,
            q_target,
            self._noise[self._row],
            driven,
            self.out,
        )

    def watch_deviation(self) -> None:
        """Take this tick into the report of deviations."""
        late = float(self._late[0])
        self._ticks += 1
        self._sum += late
        if late > self._largest:
            self._largest = late
        cross = float(self._cross[0])
        if cross > self._largest_cross:
            self._largest_cross = cross
        ratio = float(self._ratio[0])
        if ratio > self._largest_ratio:
            self._largest_ratio = ratio

    def reset_deviation(self) -> None:
        """Begin a new report."""
        self._ticks, self._sum = 0, 0.0
        self._largest = self._largest_cross = self._largest_ratio = 0.0

    def deviation(self) -> Deviation:
        """Return the report since the last reset."""
        mean = self._sum / self._ticks if self._ticks else 0.0
        return Deviation(self._ticks, self._largest, mean, self._largest_cross, 0.2 * self._largest_ratio)
