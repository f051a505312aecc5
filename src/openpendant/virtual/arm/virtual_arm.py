"""VirtualArm: one arm with its drives, its brakes and the moves that wait for it."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError
from openpendant.spatial import check_transform

from .arm_model import ArmModel
from .arm_plant import ArmPlant
from .joints_near import joints_near
from .move_queue import MoveQueue
from .mover import SMOOTHING_S, Mover
from .path import Path, PathFault
from .path_move import PathMove
from .tracking import Tracking

Array = NDArray[np.float64]
EXACT = Tracking(noise=0.0)
FINER = 4
"""Durations are found with shorter ticks: whole ones would be too coarse for arms that move together."""


class VirtualArm:
    """What a controller has of an arm. One `tick` is one period; nothing else lets time pass.

    Attributes:
        model: The arm.
        mover: Targets for its drives: path, setpoints, velocities, pause, stop, override.
        queue: The moves of its program.
        plant: Where it really is.
        rise_s: Time over which accelerations along paths rise and fall, beside the mean that all targets are.
    """

    def __init__(
        self,
        model: ArmModel,
        q: ArrayLike,
        *,
        tick_s: float,
        tracking: Tracking = EXACT,
        seed: int = 0,
        rise_s: float = 0.0,
    ) -> None:
        """Begin at rest at q, with closed brakes and the flange as the tool.

        Args:
            model: The arm.
            q: (n,) radians.
            tick_s: Length of a tick.
            tracking: How well its joints follow; by default without noise.
            seed: Of noise.
            rise_s: Time over which accelerations along paths rise and fall, beside the mean that all targets are.

        Raises:
            InputError: q is not n joints within their limits.
        """
        start = model.arm.check_q(q)
        self.model = model
        self._tick_s, self.rise_s = tick_s, rise_s
        self._T_flange_tool = np.eye(4)
        self.mover = Mover(model, self._T_flange_tool, start, tick_s=tick_s, rise_s=rise_s)
        self.queue = MoveQueue(self.mover)
        self.plant = ArmPlant(model, tracking, start, tick_s=tick_s, seed=seed)
        self._released = False

    # Brakes

    @property
    def released(self) -> bool:
        """Whether the brakes are open and the drives hold the arm."""
        return self._released

    def release_brakes(self) -> None:
        """Open the brakes; the drives hold the arm where it is."""
        if not self._released:
            self._released = True
            # The drives begin where the brakes hold the arm, not where they last wanted it.
            self.plant.place(self.plant.q.copy())
            self.mover.place(self.plant.q)

    def close_brakes(self) -> None:
        """Let the brakes stop the arm, and forget its moves. To stop on the path first, halt it and wait."""
        if self._released:
            self._released = False
            self.queue.clear()
            self.mover.place(self.plant.q)

    # Tool and pose

    @property
    def T_flange_tool(self) -> Array:
        """(4, 4), a copy."""
        return self._T_flange_tool.copy()

    def set_tool(self, T_flange_tool: ArrayLike) -> None:
        """Set the tool's point; moves that are being made keep theirs.

        Raises:
            InputError: Not a transform, or moves are blended into each other now.
        """
        T = check_transform(T_flange_tool, "T_flange_tool")
        if self.mover.blendable and (self._T_flange_tool != T).any():
            raise InputError("the tool cannot change in the zone between two moves; end the first one with fine")
        self._T_flange_tool[:] = T

    @property
    def T_base_tool(self) -> Array:
        """(4, 4) where the tool really is."""
        return self.model.arm.fk(self.plant.q, check_limits=False) @ self._T_flange_tool

    def joints_near(self, T_base_tool: ArrayLike, near: ArrayLike | None = None) -> Array | None:
        """Return joints for a pose of the tool by steps from `near` (default: the target), or None."""
        T = check_transform(T_base_tool, "T_base_tool") @ np.linalg.inv(self._T_flange_tool)
        return joints_near(self.model.arm, T, self.mover.raw[0] if near is None else near)

    # Time

    def duration_of(self, asked: PathMove) -> float | PathFault:
        """Return how long a move takes from rest at the end of the planned moves, or why it cannot be executed."""
        limits, tick_s = self.model.limits, self._tick_s / FINER
        path = Path(self.model.arm, limits, tick_s=tick_s, smoothing_s=SMOOTHING_S, rise_s=self.rise_s)
        raw = np.zeros((2, self.model.dof))
        q_start = self.mover.path.target if self.queue.ahead else self.mover.raw[0]
        fault = path.begin(q_start, asked, self._T_flange_tool)
        if fault is not None:
            return fault
        ticks = 1
        while not path.advance(1.0, "none", raw):
            ticks += 1
        # A mean over shorter ticks is a little longer.
        return ticks * tick_s + SMOOTHING_S - path.smoothing_s + self.mover.path.smoothing_s

    @property
    def still(self) -> bool:
        """Whether the target rests; the joints come to rest a little later."""
        return not self.mover.moving

    @property
    def accepts_next(self) -> bool:
        """Whether a move that is added now begins at once, or is blended into the one that is being made."""
        return self.queue.ahead == 0 or (self.queue.ahead == 1 and self.mover.blendable)

    def tick(self) -> None:
        """Make the next target and let the joints follow it."""
        if self._released:
            self.queue.step()
            self.mover.step()
        self.plant.follow(self.mover.target, driven=self._released)
