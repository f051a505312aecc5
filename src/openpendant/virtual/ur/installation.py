"""Installation: tool, payload and mounting as set in the controller."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError

from .kernels.arm import transform_of
from .model import UrModel

Array = NDArray[np.float64]
STANDARD_GRAVITY = 9.82
"""m/s², the default of set_gravity."""


class Installation:
    """TCP, payload and gravity, with the arrays that the kernels read."""

    def __init__(self, model: UrModel) -> None:
        self._model = model
        self.tcp: tuple[float, ...] = (0.0,) * 6
        self.T_flange_tool = np.eye(4)
        self.tool = self.T_flange_tool[:3]
        """(3, 4) the same without its last row."""
        self.payload = 0.0
        self.cog: tuple[float, ...] = (0.0,) * 3
        self.inertia: tuple[float, ...] = (0.0,) * 6
        self.gravity: tuple[float, ...] = (0.0, 0.0, STANDARD_GRAVITY)
        self.load = np.array([0.0, 0.0, 0.0, 0.0, *model.torque_constant])
        self.world = np.zeros(15)
        self.world[:3] = self.gravity
        self.version = 0
        """Counts changes."""

    def set_tcp(self, pose: Sequence[float]) -> None:
        """Set the tool's point on the flange.

        Raises:
            InputError: Not six finite numbers.
        """
        self.tcp = _numbers(pose, 6, "TCP")
        transform_of(np.array(self.tcp), self.tool)
        self.version += 1

    def set_payload(
        self, mass: float, cog: Sequence[float] | None = None, inertia: Sequence[float] | None = None
    ) -> None:
        """Set the payload; its centre defaults to the tool's point as on the controller.

        Raises:
            InputError: More than the arm carries, or not finite.
        """
        if not 0.0 <= mass <= 1.5 * self._model.max_payload:
            raise InputError(
                f"payload {mass} kg; allowed: 0 to {1.5 * self._model.max_payload:g} kg for a {self._model.name}"
            )
        self.payload = float(mass)
        self.cog = self.tcp[:3] if cog is None else _numbers(cog, 3, "centre of gravity")
        if inertia is not None:
            self.inertia = _numbers(inertia, 6, "inertia")
        self.load[:4] = (self.payload, *self.cog)
        self.version += 1

    def set_gravity(self, direction: Sequence[float]) -> None:
        """Set the acceleration that an arm at rest feels, m/s² in the base.

        Raises:
            InputError: Not three finite numbers.
        """
        self.gravity = _numbers(direction, 3, "gravity")
        self.world[:3] = self.gravity
        self.version += 1

    def push(self, wrench: Sequence[float]) -> None:
        """Push at the tool: force (N) and torque (Nm) in base axes."""
        self.world[3:9] = _numbers(wrench, 6, "wrench")

    def zero_force(self) -> None:
        """Take what the sensor feels now for nothing."""
        self.world[9:15] = self.world[3:9]


def _numbers(values: Sequence[float], count: int, what: str) -> tuple[float, ...]:
    try:
        numbers = tuple(float(value) for value in values)
    except (TypeError, ValueError):
        raise InputError(f"{what} is {values!r}; allowed: {count} finite numbers") from None
    if len(numbers) != count or not all(map(math.isfinite, numbers)):
        raise InputError(f"{what} is {list(numbers)}; allowed: {count} finite numbers")
    return numbers
