"""ArmGroup: arms under one clock, each of which sees the others."""

from collections import deque
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import UnknownNameError

from .cell_watch import ArmCell, CellWatch, Touch
from .path import PathFault
from .path_move import PathMove
from .tick_clock import TickClock
from .virtual_arm import VirtualArm

WATCH_S = 0.02
"""How often moving arms are compared with their cell."""


class ArmGroup:
    """The arms of one controller. `tick` lets all of them pass a period together.

    Attributes:
        arms: By name, in the order of the robot's facts.
        clock: Theirs.
    """

    def __init__(
        self,
        arms: Mapping[str, VirtualArm],
        clock: TickClock,
        *,
        model: str = "",
        cell: ArmCell | None = None,
        watch_s: float = WATCH_S,
    ) -> None:
        """Put arms under a clock.

        Args:
            arms: By name; in a cell each is found by the name that its model has there.
            clock: Counted on by every tick.
            model: The robot's name in the catalogue; only with a cell.
            cell: What the arms can touch; `ArmCell.alone` where they stand alone. None: nothing, not even each other.
            watch_s: How often they are compared with it while one moves.

        Raises:
            InputError: The cell has no such robot.
        """
        self.arms: Mapping[str, VirtualArm] = MappingProxyType(dict(arms))
        self.clock = clock
        self._together: deque[dict[str, PathMove]] = deque()
        self._every = max(1, clock.ticks_in(watch_s))
        self._watch = None if cell is None else CellWatch(cell, model, self._joints(), self._names())

    def tick(self) -> Touch | None:
        """Let a period pass; return what has touched what, which stops nothing by itself."""
        self.clock.ticks += 1
        self._begin_together()
        moving = False
        for arm in self.arms.values():
            arm.tick()
            moving = moving or bool(arm.plant.qd.any())
        if self._watch is None or not moving or self.clock.ticks % self._every:
            return None
        return self._watch.touched(self._joints())

    def move_together(self, moves: Mapping[str, PathMove]) -> None:
        """Make one move of each named arm behind all their others; they begin and end together, as the slowest can.

        In a zone between such moves each arm keeps its own time: the next ones begin together only after a stop.

        Raises:
            UnknownNameError: There is no such arm.
        """
        for name in moves:
            if name not in self.arms:
                raise UnknownNameError("arm", name, self.arms)
        self._together.append(dict(moves))

    @property
    def waiting(self) -> int:
        """How many moves of several arms have not begun."""
        return len(self._together)

    def stop_together(self) -> None:
        """Forget the moves of several arms that have not begun."""
        self._together.clear()

    def _begin_together(self) -> None:
        if not self._together or not all(self.arms[name].accepts_next for name in self._together[0]):
            return
        moves = self._together.popleft()
        took: dict[str, float] = {}
        for name, asked in moves.items():
            time = self.arms[name].duration_of(asked)
            if isinstance(time, PathFault):
                # The queue of that arm says why; the others stay where they are.
                self.arms[name].queue.add(asked)
                return
            took[name] = time - self.arms[name].mover.path.smoothing_s
        longest = max(took.values())
        for name, asked in moves.items():
            self.arms[name].queue.add(asked.slowed(took[name] / longest))

    def _names(self) -> tuple[str, ...]:
        return tuple(arm.model.arm.name for arm in self.arms.values())

    def _joints(self) -> NDArray[np.float64]:
        return np.concatenate([arm.plant.q for arm in self.arms.values()])
