"""What a tool may touch while it picks or places: the part, and for a part in the tool what it is put on."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openpendant.programs.document import GRASP, OPEN, PUT, RETREAT, PickPart, PlacePart
from openpendant.programs.sequence import MoveChain, StepTurn
from openpendant.scene import CollisionWorld, Scene
from openpendant.scene.collision import find_grip, resting_on

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MayTouch:
    """What may touch during one step, up to 1 mm deep."""

    gripped: tuple[tuple[str, str], ...] = ()
    """Parts, each with the arm whose tool may touch it."""
    pairs: tuple[tuple[str, str], ...] = ()
    """A part in the tool, and something that it is put on."""


NOTHING = MayTouch()


def may_touch_in_chain(chain: MoveChain, world: CollisionWorld) -> dict[int, MayTouch]:
    """Return what may touch on moves of a chain, by the number of the move; others are left out.

    Args:
        chain: Before it is made.
        world: Of the scene now.
    """
    found: dict[int, MayTouch] = {}
    q = chain.q_start
    for index, leg in enumerate(chain.legs):
        allowed = _on_move(leg.leaf, world, chain.setting.key, q, leg.q_guess)
        if allowed != NOTHING:
            found[index] = allowed
        q = leg.q_guess
    return found


def may_touch_when_open(leaf: StepTurn, world: CollisionWorld, arm: str, q: Array) -> MayTouch:
    """Return what may touch once the tool has opened in a step; `world` is that of the scene then."""
    if not isinstance(leaf.whole, PlacePart) or not leaf.step.id.endswith(OPEN):
        return NOTHING
    return _gripped(leaf.whole, world, arm, q)


def _on_move(leaf: StepTurn, world: CollisionWorld, arm: str, q_start: Array, q_end: Array) -> MayTouch:
    whole = leaf.whole
    if whole is None:
        return NOTHING
    if isinstance(whole, PickPart):
        return _gripped(whole, world, arm, q_end) if leaf.step.id.endswith(GRASP) else NOTHING
    if leaf.step.id.endswith(RETREAT):
        return _gripped(whole, world, arm, q_start)
    if not leaf.step.id.endswith(PUT):
        return NOTHING
    return MayTouch(pairs=_supports(world, arm, q_end))


def _gripped(whole: PickPart | PlacePart, world: CollisionWorld, arm: str, q: Array) -> MayTouch:
    if whole.part:
        stands = whole.part in world.layout.standing_owners
        return MayTouch(gripped=((whole.part, arm),)) if stands else NOTHING
    grip = find_grip(world, arm, q)
    return NOTHING if grip is None else MayTouch(gripped=((grip.part, arm),))


def _supports(world: CollisionWorld, arm: str, q: Array) -> tuple[tuple[str, str], ...]:
    """Return what parts in a tool touch, or nearly do, when the arm is there."""
    scene: Scene = world.scene
    pairs: list[tuple[str, str]] = []
    for part in scene.in_hand(arm):
        there = world.for_scene(scene.detach(part, q))
        if part in there.layout.standing_owners:
            pairs += [(part, name) for name in resting_on(there, part) if name != part]
    return tuple(pairs)


def world_with(world: CollisionWorld, allowed: MayTouch) -> CollisionWorld:
    """Return a world in which some things may touch."""
    gripped: Mapping[str, str] = dict(allowed.gripped)
    return world.for_scene(world.scene, may_touch=(*world.may_touch, *allowed.pairs), gripped=gripped)
