"""Working a tool: how long its fingers take, what they grasp, and where what they let go comes to rest."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openpendant.scene import CollisionWorld, PlacedArm, Scene
from openpendant.scene.collision import attach_part, find_grip, settle

Array = NDArray[np.float64]

GRAVITY_M_S2 = 9.81
OPEN_M = 1e-4
"""Fingers so near to their widest are open."""


@dataclass(frozen=True, eq=False)
class FallenPart:
    """A part that was let go and has come to rest."""

    part: str
    on: str
    """What it rests on; `floor` where that is not an object."""
    height_m: float
    """How far it fell."""

    @property
    def duration_s(self) -> float:
        """How long it fell."""
        return math.sqrt(2.0 * max(self.height_m, 0.0) / GRAVITY_M_S2)


@dataclass(frozen=True, eq=False)
class ToolResult:
    """What opening or closing a tool does."""

    before: Scene
    """With the fingers and parts as they are while the fingers move."""
    scene: Scene
    """Afterwards."""
    duration_s: float
    """Until the last finger has come to its end."""
    taken: str | None = None
    fallen: tuple[FallenPart, ...] = ()


def work_tool(world: CollisionWorld, placed: PlacedArm, q: Array, state: str) -> ToolResult:
    """Return what happens when an arm opens or closes its tool where it is.

    Args:
        world: Of the scene now.
        placed: The arm.
        q: Its joints.
        state: 'open' or 'close'.
    """
    scene = world.scene
    key = placed.key
    now = scene.opening(key)
    if state == "close":
        grip = find_grip(world, key, q)
        opening = 0.0 if grip is None else grip.opening_m
        after = scene if grip is None else attach_part(world, grip.part, key, q)
        after = after.with_opening(key, opening) if placed.fingers else after
        return ToolResult(scene, after, tool_time_s(placed, state, now, opening), None if grip is None else grip.part)
    released = scene
    for part in scene.in_hand(key):
        released = released.detach(part, q)
    if placed.fingers:
        released = released.with_opening(key, placed.travel_m)
    after = released
    fallen: list[FallenPart] = []
    for part in scene.in_hand(key):
        high = float(after.T_world(part)[2, 3])
        after, on = settle(world.for_scene(after), part)
        fallen.append(FallenPart(part, on, high - float(after.T_world(part)[2, 3])))
    return ToolResult(released, after, tool_time_s(placed, state, now, placed.travel_m), None, tuple(fallen))


class ClosedTools:
    """Which tools of a cell are closed, from one step of a program to the next."""

    def __init__(self, scene: Scene) -> None:
        """Begin with those that hold something or are not wide open."""
        self._arms = {
            key
            for key, placed in scene.arms.items()
            if scene.in_hand(key) or (placed.fingers and scene.opening(key) < placed.travel_m - OPEN_M)
        }

    @property
    def arms(self) -> frozenset[str]:
        """The arms with a closed tool, as robot/arm."""
        return frozenset(self._arms)

    def change(self, arm: str, state: str) -> bool:
        """Note that an arm's tool opens or closes.

        Args:
            arm: As robot/arm.
            state: 'open' or 'close'.

        Returns:
            Whether it does; False: it was so already.
        """
        closes = state == "close"
        if closes == (arm in self._arms):
            return False
        (self._arms.add if closes else self._arms.discard)(arm)
        return True


def tool_time_s(placed: PlacedArm, state: str, opening_a: float, opening_b: float) -> float:
    """Return how long a tool takes: its slowest finger, and at least what its wiring says."""
    tool = placed.tool
    action = None if tool is None else tool.close if state == "close" else tool.open
    return max(finger_time_s(placed, opening_a, opening_b), 0.0 if action is None else action.time_s)


def finger_time_s(placed: PlacedArm, opening_a: float, opening_b: float) -> float:
    """Return how long the slowest finger takes from one opening to another."""
    return max((abs(opening_b - opening_a) / finger.velocity_m_s for finger in placed.fingers), default=0.0)
