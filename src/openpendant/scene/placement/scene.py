"""Scene: what stands where in a cell at one moment, and which arm carries what."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError, UnknownNameError
from openpendant.robots import Robot, load
from openpendant.said import say
from openpendant.scene.document import WORLD, Cell, CellObject
from openpendant.spatial import check_transform, inverse

from .placed_arm import PlacedArm, place_arms, transform_of

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Carried:
    """A part in an arm's hand."""

    arm: str
    """robot/arm."""
    T_flange_part: NDArray[np.float64]
    resting_on: tuple[str, ...] = ()
    """What it touched when it was taken: it may slide along that, and its nearness is not worth reporting."""


@dataclass(frozen=True, eq=False)
class Scene:
    """A cell at one moment. Scenes never change: attaching and moving make another."""

    cell: Cell
    folder: Path | None = None
    """Where mesh files are looked for."""
    poses: Mapping[str, Array] = field(default_factory=dict[str, Array])
    """Objects that are no longer where the cell says, in the world."""
    carried: Mapping[str, Carried] = field(default_factory=dict[str, Carried])
    """Parts in hands, by name."""
    openings: Mapping[str, float] = field(default_factory=dict[str, float])
    """How far fingers are open, by robot/arm, metres; arms that are not named have theirs fully open."""

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        """Cross between processes without what can be computed again."""
        return Scene, (self.cell, self.folder, dict(self.poses), dict(self.carried), dict(self.openings))

    @cached_property
    def robots(self) -> Mapping[str, Robot]:
        """The catalogue's robots, by their names in the cell."""
        return MappingProxyType({robot.name: load(robot.model) for robot in self.cell.robots})

    @cached_property
    def arms(self) -> Mapping[str, PlacedArm]:
        """All arms, by robot/arm, in the order of the cell."""
        tools = {tool.name: tool for tool in self.cell.tools}
        placed = (arm for robot in self.cell.robots for arm in place_arms(robot, self.robots[robot.name], tools))
        return MappingProxyType({arm.key: arm for arm in placed})

    @cached_property
    def objects(self) -> Mapping[str, CellObject]:
        """All objects by name."""
        return MappingProxyType({item.name: item for item in self.cell.objects})

    @cached_property
    def frames(self) -> Mapping[str, Array]:
        """World, frames and robots (root links) in the world, by name."""
        known: dict[str, Array] = {WORLD: np.eye(4)}
        known |= {robot.name: transform_of(robot.pose) for robot in self.cell.robots}
        waiting = {frame.name: frame for frame in self.cell.frames}
        while waiting:
            ready = [frame for frame in waiting.values() if frame.parent in known]
            if not ready:
                raise InputError(say("scene.no_parent", frames=", ".join(waiting)))
            for frame in ready:
                known[frame.name] = known[frame.parent] @ transform_of(frame.pose)
                del waiting[frame.name]
        return MappingProxyType(known)

    def arm(self, name: str | None = None) -> PlacedArm:
        """Return an arm by robot/arm, or by the robot's name where it has one arm; the first where no name is given.

        Raises:
            InputError: The cell has no arm.
            UnknownNameError: It has none of that name.
        """
        if not self.arms:
            raise InputError(say("scene.no_arm", cell=self.cell.name))
        if name is None:
            return next(iter(self.arms.values()))
        if name in self.arms:
            return self.arms[name]
        of_robot = [arm for arm in self.arms.values() if arm.robot == name]
        if len(of_robot) == 1:
            return of_robot[0]
        raise UnknownNameError("arm in this cell", name, self.arms)

    def T_world(self, name: str, q: Mapping[str, ArrayLike] | None = None) -> Array:
        """Return where a frame, robot, object or point is in the world, (4, 4).

        Args:
            name: Of the thing.
            q: Joints by arm, for a part that is carried; others are at their start.

        Raises:
            UnknownNameError: Nothing with a pose has that name.
        """
        if name in self.frames:
            return self.frames[name].copy()
        if name in self.carried:
            held = self.carried[name]
            arm = self.arm(held.arm)
            joints = next((v for k, v in (q or {}).items() if self.arm(k).key == arm.key), arm.q_start)
            return arm.T_world_flange(joints) @ held.T_flange_part
        if name in self.poses:
            return self.poses[name].copy()
        for item in (*self.cell.objects, *self.cell.points):
            if item.name == name:
                return self.frames[item.frame] @ transform_of(item.pose)
        known = (*self.frames, *self.objects, *(point.name for point in self.cell.points))
        raise UnknownNameError("thing with a pose in this cell", name, known)

    def opening(self, arm: str) -> float:
        """Return how far each finger of an arm is open, metres."""
        placed = self.arm(arm)
        return self.openings.get(placed.key, placed.travel_m)

    def with_opening(self, arm: str, opening_m: float) -> "Scene":
        """Return the scene with the fingers of an arm opened so far.

        Raises:
            InputError: Beyond what the fingers can.
        """
        placed = self.arm(arm)
        if not -1e-9 <= opening_m <= placed.travel_m + 1e-9:
            raise InputError(say("robot.fingers", arm=placed.key, travel_m=placed.travel_m, opening_m=opening_m))
        value = min(max(float(opening_m), 0.0), placed.travel_m)
        return replace(self, openings={**self.openings, placed.key: value})

    def with_pose(self, name: str, T_world: ArrayLike) -> "Scene":
        """Return the scene with an object somewhere else in the world; it is in no hand then."""
        self._object(name)
        T = check_transform(T_world, f"pose of {name}").copy()
        T.setflags(write=False)
        carried = {part: held for part, held in self.carried.items() if part != name}
        return replace(self, poses={**self.poses, name: T}, carried=carried)

    def attach(self, part: str, arm: str, q: ArrayLike, resting_on: Iterable[str] = ()) -> "Scene":
        """Return the scene with a part in an arm's hand, where it is now relative to the flange.

        Args:
            part: A graspable object.
            arm: robot/arm, or the robot where it has one arm.
            q: (n,) the arm's joints now.
            resting_on: What the part touches now; `touching_now` finds out.

        Raises:
            InputError: The part is fixed or in a hand already.
        """
        item = self._object(part)
        if not item.graspable:
            raise InputError(say("scene.fixed", part=part))
        if part in self.carried:
            raise InputError(say("scene.held", part=part, arm=self.carried[part].arm))
        placed = self.arm(arm)
        T_flange_part = inverse(placed.T_world_flange(q)) @ self.T_world(part)
        T_flange_part.setflags(write=False)
        held = Carried(placed.key, T_flange_part, tuple(resting_on))
        return replace(self, carried={**self.carried, part: held})

    def detach(self, part: str, q: ArrayLike) -> "Scene":
        """Return the scene with a part let go where it is; `settle` lets it fall.

        Raises:
            InputError: The part is not held by any arm.
        """
        if part not in self.carried:
            self._object(part)
            raise InputError(say("scene.not_held", part=part))
        return self.with_pose(part, self.T_world(part, {self.carried[part].arm: q}))

    def restored(self, names: Iterable[str] | None = None) -> "Scene":
        """Return the scene with objects back where the cell says, out of every hand: the named ones, or all."""
        chosen = set(self.objects) if names is None else {self._object(name).name for name in names}
        return replace(
            self,
            poses={name: T for name, T in self.poses.items() if name not in chosen},
            carried={name: held for name, held in self.carried.items() if name not in chosen},
        )

    def in_hand(self, arm: str) -> tuple[str, ...]:
        """Return the parts that an arm carries."""
        key = self.arm(arm).key
        return tuple(part for part, held in self.carried.items() if held.arm == key)

    def _object(self, name: str) -> CellObject:
        if name not in self.objects:
            raise UnknownNameError("object in this cell", name, self.objects)
        return self.objects[name]
