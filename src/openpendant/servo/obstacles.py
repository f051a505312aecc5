"""Obstacles: what is near the links of an arm, for the servo to slide along."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from openpendant.scene import CollisionWorld

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Obstacles:
    """The nearest points of links and obstacles, one row for each pair."""

    rows: NDArray[np.float64]
    """(K, 8): distance in metres (less the obstacle's margin), the point on the link (3, world), the unit direction
    from the obstacle to the link (3, world), and the joint that carries the link, counted from the base (0 …)."""
    names: Sequence[str] = field(default=())
    """What each row is near to."""


NOTHING_NEAR = Obstacles(np.zeros((0, 8)))


def obstacle_query(
    world: CollisionWorld, arm: str | None = None, *, within: float = 0.3, most: int = 12
) -> Callable[..., Obstacles]:
    """Return a quick function from the joints of an arm of a cell (and those of others, by name) to what is near it.

    The servo that uses it must stand where the arm stands in the cell (`T_world_base` of `scene.arm(arm)`).

    Args:
        world: The cell.
        arm: As robot/arm; the first where None.
        within: Metres; nothing farther counts.
        most: As many pairs at most, the nearest.
    """
    look = world.surroundings(arm, within=within, most=most)

    def near(q: Array, others: Mapping[str, Array] | None = None) -> Obstacles:
        rows, names = look(q, others)
        return Obstacles(rows, names)

    return near
