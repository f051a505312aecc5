"""RobotSurroundings: what stands around one robot of a cell by now, for its gate and its servos."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from openpendant.gate import CellSurroundings
from openpendant.messages import bus
from openpendant.scene import CollisionWorld
from openpendant.servo import Obstacles, obstacle_query

from .bus_codec import decode_scene

Array = NDArray[np.float64]


class RobotSurroundings:
    """The surroundings of a robot: objects, parts in hands, and other arms where they last reported to be."""

    def __init__(self, world: CollisionWorld, robot: str) -> None:
        """Begin with everything where the cell says."""
        self._first = self._world = world
        self.around = CellSurroundings(world, robot)
        """For the gate."""
        self._others: dict[str, Array] = {}
        self._keys = {arm.arm: arm.key for arm in world.scene.arms.values() if arm.robot == robot}
        self._queries: dict[str, Callable[..., Obstacles]] = {}

    def place(self, joints: Mapping[str, Array]) -> None:
        """Say where arms are now, by robot/arm."""
        self.around.place(joints)
        for key, q in joints.items():
            arm = self._world.scene.arm(key).kinematics
            self._others[key] = np.clip(q, arm.limits_lower, arm.limits_upper)

    def arrange(self, command: bus.Arrange) -> None:
        """Take over where parts are by now; raises InputError where the command does not fit the cell."""
        self._world = self._first.for_scene(decode_scene(command, self._first.scene))
        self.around.set_world(self._world)
        self._queries.clear()

    def obstacles(self, arm: str) -> Callable[[Array], Obstacles]:
        """Return a quick function from the joints of an arm (as the controller calls it) to what is near it."""
        key = self._keys[arm]

        def obstacles_at(q: Array) -> Obstacles:
            query = self._queries.get(key)
            if query is None:
                query = self._queries[key] = obstacle_query(self._world, key)
            return query(q, {other: at for other, at in self._others.items() if other != key} or None)

        return obstacles_at
