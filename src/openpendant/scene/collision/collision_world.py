"""CollisionWorld: distances and collisions of a scene, at configurations and along paths."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError
from openpendant.said import say
from openpendant.scene.placement import PlacedArm, Scene

from .kernels.around import around
from .kernels.nearest import collide_many, nearest_at, pair_points
from .kernels.path import check_path, configuration
from .nearness import Clearance, Collision, Contact, Nearest
from .overlap import Overlaps
from .self_collision import link_rules
from .tables import SLIDING, SceneLayout, lay_out

Array = NDArray[np.float64]
Joints = ArrayLike | Mapping[str, ArrayLike]
"""Joints of the only arm, or by robot/arm (the robot's name where it has one arm)."""

FINENESS = 0.03
MOST_LOOKS = 5_000_000
NO_AXES = np.zeros((0, 0, 3))
"""Where nothing is remembered from one question to the next."""
FAR = Nearest(np.inf, "", "", np.zeros(3), np.zeros(3))


class CollisionWorld:
    """A scene made ready to be asked what is near.

    Bodies are convex: links and tools as the catalogue has them, objects as they are, meshes as convex parts.
    What stands fixed is never held against other fixed things. Touching counts as colliding.
    """

    def __init__(
        self,
        scene: Scene,
        *,
        may_touch: Iterable[Collection[str]] = (),
        gripped: Mapping[str, str] | None = None,
        _before: "CollisionWorld | None" = None,
    ) -> None:
        """Lay the scene out; the first time for a robot, its own links are sampled, which takes seconds once.

        Args:
            scene: What stands where.
            may_touch: Pairs of names (objects, robot/link) that are not held against each other. A carried part may
                slide along an object named so, up to 1 mm deep.
            gripped: By a part that is in no hand, the arm (robot/arm) whose tool may touch it, up to 1 mm deep.

        Raises:
            CellFileError: A mesh file cannot be used.
        """
        self.scene = scene
        self.may_touch = frozenset(frozenset(pair) for pair in may_touch)
        self.gripped = dict(gripped or {})
        for pair in self.may_touch:
            if len(pair) != 2:
                raise InputError(f"{sorted(pair)} is not a pair of different names")
        before = _before if _before is not None and _before.scene.cell is scene.cell else None
        self._links_may = link_rules(scene) if before is None else before._links_may
        known = None if before is None else before.layout
        self.layout: SceneLayout = lay_out(scene, self.may_touch, self._links_may, known, gripped=self.gripped)
        """The scene as the kernels see it."""
        self._all = np.ones(max(1, len(self.layout.arms)), dtype=np.uint8)
        self._overlaps: Overlaps | None = None

    def __reduce__(self) -> tuple[Callable[..., "CollisionWorld"], tuple[Any, ...]]:
        """Cross between processes as the scene."""
        pairs = tuple(tuple(sorted(pair)) for pair in self.may_touch)
        return _rebuild, (self.scene, pairs, tuple(self.gripped.items()))

    @property
    def arms(self) -> tuple[str, ...]:
        """All arms, as robot/arm, in the order of the cell."""
        return tuple(arm.key for arm in self.layout.arms)

    def for_scene(
        self,
        scene: Scene,
        *,
        may_touch: Iterable[Collection[str]] | None = None,
        gripped: Mapping[str, str] | None = None,
    ) -> "CollisionWorld":
        """Return the world of another scene of the same cell; what has not moved serves again.

        Args:
            scene: What stands where.
            may_touch: As for `CollisionWorld`; None: the pairs of this world.
            gripped: As for `CollisionWorld`; None: nothing is.

        Raises:
            InputError: A pair is not of two different names.
        """
        pairs = self.may_touch if may_touch is None else may_touch
        return CollisionWorld(scene, may_touch=pairs, gripped=gripped, _before=self)

    def distance(
        self,
        q: Joints | None = None,
        *,
        within: float = np.inf,
        own_links: bool = False,
        others: Joints | None = None,
    ) -> Nearest:
        """Return the nearest pair at a configuration.

        Args:
            q: Joints of the arms asked for; pairs with none of them are left out. None: all arms at their start.
            within: Nothing farther is looked for.
            own_links: Also links of one arm against each other, of which some are always near.
            others: Where the arms that are not asked for stand; default: at their start.

        Raises:
            InputError: Bad joints or an unknown arm.
        """
        joints, active = self._configuration(q, others)
        found = np.full(3, -1, dtype=np.int64)
        nearest_at(self.layout.tables, joints, active, within, not own_links, found, NO_AXES)
        return self._nearest(joints, found) if found[0] >= 0 else FAR

    def collides(self, q: Joints | None = None, *, others: Joints | None = None) -> Nearest | None:
        """Return a pair that is nearer than its margin at a configuration, or None.

        Args:
            q: Joints of the arms asked for, as for `distance`; radians (metres where a joint slides).
            others: Where the other arms stand, as for `distance`.

        Raises:
            InputError: Bad joints or an unknown arm.
        """
        joints, active = self._configuration(q, others)
        out = np.empty(1, dtype=np.bool_)
        collide_many(self.layout.tables, joints[None, :], active, out, NO_AXES)
        if not out[0]:
            return None
        hit, pair = self._path(joints[None, :], active)
        return self._nearest(joints, pair) if hit else None

    def touches_many(self, Q: ArrayLike, arm: str | None = None, *, others: Joints | None = None) -> NDArray[np.bool_]:
        """Return for each configuration of one arm whether something is nearer than its margin, (N,).

        Args:
            Q: (N, n): joints, radians (metres where a joint slides); limits are not checked.
            arm: As robot/arm; None: the first.
            others: Where the other arms stand; default: at their start.

        Raises:
            InputError: A wrong shape, joints that are not finite, or an unknown arm.
        """
        placed = self.scene.arm(arm)
        rows = self._rows({placed.key: Q}, others)
        out = np.empty(len(rows), dtype=np.bool_)
        collide_many(self.layout.tables, rows, self._active([placed.key]), out, NO_AXES)
        return out

    def checker(
        self, arm: str | Sequence[str] | None = None, others: Mapping[str, ArrayLike] | None = None
    ) -> Callable[[Array], bool]:
        """Return a quick function from the joints of one arm to whether something is nearer than its margin.

        For planners: nothing is checked but the length.

        Args:
            arm: As robot/arm; None: the first. Of several the function takes the joints one behind the other.
            others: Where the other arms stand, by robot/arm; default: at their start.

        Raises:
            InputError: Bad joints or an unknown arm.
        """
        placed = [self.scene.arm(one) for one in ((arm,) if arm is None or isinstance(arm, str) else arm)]
        joints, _ = self._configuration(dict(others or {}))
        row = joints[None, :].copy()
        columns = np.concatenate([np.arange(len(joints))[self.layout.slices[one.key]] for one in placed])
        active, tables = self._active(one.key for one in placed), self.layout.tables
        out, axes = np.empty(1, dtype=np.bool_), self.layout.new_axes()

        def touches(q: Array) -> bool:
            row[0, columns] = q
            collide_many(tables, row, active, out, axes)
            return bool(out[0])

        return touches

    def surroundings(
        self, arm: str | None = None, *, within: float = 0.3, most: int = 12
    ) -> Callable[..., tuple[Array, tuple[str, ...]]]:
        """Return a quick function from the joints of one arm to what is around it, for those who slide along it.

        The function takes the joints, and by name those of other arms where they are not at their start. It answers
        with (K, 8) rows, nearest first, and the names of the others: distance less the other's margin, the point on the
        arm (3), the unit direction from the other to it (3), in the world, and the joint that carries the point,
        counted from the base. Only the lengths of joints are checked. Links of the same arm are not checked.

        Args:
            arm: As robot/arm; None: the first.
            within: Nothing farther is returned, metres.
            most: Most rows.

        Raises:
            UnknownNameError: The cell has no such arm.
        """
        placed = self.scene.arm(arm)
        number, slices = self.arms.index(placed.key), self.layout.slices
        part, tables = slices[placed.key], self.layout.tables
        joints = self.layout.q_start
        rows, marks = np.zeros((most, 8)), np.zeros(most, dtype=np.int64)
        standing = [body.owner.removesuffix(SLIDING) for body in self.layout.standing_bodies]
        moving = [body.owner.removesuffix(SLIDING) for body in self.layout.moving_bodies]

        def find_near(q: Array, others: Mapping[str, Array] | None = None) -> tuple[Array, tuple[str, ...]]:
            joints[part] = q
            for key, values in (others or {}).items():
                joints[slices[self.scene.arm(key).key]] = values
            count = around(tables, joints, number, part.start, within, rows, marks)
            found = (int(mark) for mark in marks[:count])
            return rows[:count].copy(), tuple(standing[mark] if mark >= 0 else moving[-1 - mark] for mark in found)

        return find_near

    def check_path(
        self, Q: Joints, arm: str | None = None, *, fineness: float = FINENESS, others: Joints | None = None
    ) -> Clearance | Collision:
        """Check a whole path, straight in joints between its vertices; nothing between them is jumped over.

        Args:
            Q: (N, n) vertices of one arm, or by arm (robot/arm) for arms that move at the same time.
            arm: Whose vertices they are where Q is an array; the first arm where None.
            fineness: To what share the least distance is wanted (it is never off by less than half a millimetre).
            others: Where the other arms stand meanwhile; default: at their start.

        Returns:
            Where it is clear, the least distance of all; otherwise where something first comes nearer than its
            margin (and 0.1 mm, the resolution).

        Raises:
            InputError: Wrong shapes, not finite joints, or an unknown arm.
        """
        moved = Q if isinstance(Q, Mapping) else {self.scene.arm(arm).key: Q}
        keys = [self.scene.arm(key).key for key in moved]
        rows = self._rows(moved, others)
        numbers, found = np.zeros(6), np.full(6, -1, dtype=np.int64)
        status = check_path(self.layout.tables, rows, self._active(keys), fineness, numbers, found, MOST_LOOKS)
        if status == 2:
            raise InputError(say("check.path_long", count=len(rows)))
        if status == 1:
            q = np.empty(rows.shape[1])
            configuration(rows, numbers[0], q)
            index, fraction = _place(float(numbers[0]), len(rows))
            near = self._nearest(q, found[:3])
            here = np.concatenate([q[self.layout.slices[key]] for key in keys])
            return Collision(near, index, fraction, here, int(numbers[5]))
        if found[3] < 0:
            return Clearance(FAR, np.inf, 0, 0.0, int(numbers[5]))
        q = np.empty(rows.shape[1])
        configuration(rows, numbers[1], q)
        index, fraction = _place(float(numbers[1]), len(rows))
        return Clearance(self._nearest(q, found[3:]), float(numbers[3]), index, fraction, int(numbers[5]))

    def sweep(self, q_a: ArrayLike, q_b: ArrayLike, arm: str | None = None) -> Clearance | Collision:
        """Check the straight joint move of one arm, as `check_path` does.

        Args:
            q_a: (n,): joints at its start, radians (metres where a joint slides).
            q_b: (n,): joints at its end.
            arm: As robot/arm; None: the first.

        Raises:
            InputError: Wrong shapes, joints that are not finite, or an unknown arm.
        """
        return self.check_path(np.array([q_a, q_b], dtype=np.float64), arm)

    def contacts(self, q: Joints | None = None, *, others: Joints | None = None) -> tuple[Contact, ...]:
        """Return every pair that overlaps at a configuration, with depth, deepest first.

        Args:
            q: Joints of the arms asked for, as for `distance`; radians (metres where a joint slides).
            others: Where the other arms stand, as for `distance`.

        Raises:
            InputError: Bad joints or an unknown arm.
        """
        joints, active = self._configuration(q, others)
        if self._overlaps is None:
            self._overlaps = Overlaps(self.layout)
        return self._overlaps.contacts(joints, active)

    def load_kernels(self) -> None:
        """Load the kernels that name what touches, so that no moving robot has to wait for them."""
        q, layout = self.layout.q_start, self.layout
        self._path(q[None, :], self._all)
        if layout.moving_bodies and layout.standing_bodies:
            self._nearest(q, np.zeros(3, dtype=np.int64))
        elif len(layout.moving_bodies) > 1:
            self._nearest(q, np.array([1, 0, 1]))

    def _path(self, rows: Array, active: NDArray[np.uint8]) -> tuple[bool, NDArray[np.int64]]:
        numbers, found = np.zeros(6), np.full(6, -1, dtype=np.int64)
        return check_path(self.layout.tables, rows, active, FINENESS, numbers, found, MOST_LOOKS) == 1, found[:3]

    def _nearest(self, q: Array, found: NDArray[np.int64]) -> Nearest:
        kind, a, b = (int(value) for value in found)
        points = np.empty(6)
        d = pair_points(self.layout.tables, q, kind, a, b, points)
        bodies = self.layout.standing_bodies if kind == 0 else self.layout.moving_bodies
        margin = float(self.layout.tables.standing[b, -1]) if kind == 0 else 0.0
        first = self.layout.moving_bodies[a].owner.removesuffix(SLIDING)
        return Nearest(d, first, bodies[b].owner.removesuffix(SLIDING), points[:3].copy(), points[3:].copy(), margin)

    def _active(self, keys: Iterable[str]) -> NDArray[np.uint8]:
        active = np.zeros(max(1, len(self.layout.arms)), dtype=np.uint8)
        names = self.arms
        for key in keys:
            active[names.index(key)] = 1
        return active

    def _configuration(self, q: Joints | None, others: Joints | None = None) -> tuple[Array, NDArray[np.uint8]]:
        """Return all joints, and which arms were asked for."""
        joints = self.layout.q_start if others is None else self._configuration(others)[0]
        if q is None:
            return joints, self._all
        given = self._by_arm(q)
        for arm, values in given:
            joints[self.layout.slices[arm.key]] = arm.kinematics.check_q(values)
        return joints, self._active(arm.key for arm, _ in given) if given else self._all

    def _by_arm(self, q: Joints) -> list[tuple[PlacedArm, ArrayLike]]:
        if isinstance(q, Mapping):
            return [(self.scene.arm(key), values) for key, values in q.items()]
        if len(self.layout.arms) != 1:
            raise InputError(f"this cell has {len(self.layout.arms)} arms; give joints by arm: {', '.join(self.arms)}")
        return [(self.layout.arms[0], q)]

    def _rows(self, moved: Mapping[str, ArrayLike], others: Joints | None = None) -> Array:
        """Return all joints for each vertex."""
        still, _ = self._configuration(others)
        parts: list[tuple[PlacedArm, Array]] = []
        for key, values in moved.items():
            placed = self.scene.arm(key)
            Q = np.atleast_2d(np.asarray(values, dtype=np.float64))
            if Q.ndim != 2 or Q.shape[1] != placed.kinematics.dof or len(Q) == 0:
                raise InputError(f"path of {placed.key} has shape {Q.shape}; allowed: (N, {placed.kinematics.dof})")
            if not np.isfinite(Q).all():
                bad = int(np.flatnonzero(~np.isfinite(Q).all(axis=1))[0])
                raise InputError(f"vertex {bad} of the path of {placed.key} is {Q[bad].tolist()}; it must be finite")
            parts.append((placed, Q))
        lengths = {len(Q) for _, Q in parts}
        if len(lengths) != 1:
            raise InputError(
                f"paths that are checked together have {sorted(lengths)} vertices; the numbers must be equal"
            )
        rows = np.tile(still, (lengths.pop(), 1))
        for placed, Q in parts:
            rows[:, self.layout.slices[placed.key]] = Q
        return rows


def _place(at: float, count: int) -> tuple[int, float]:
    index = min(int(at), max(0, count - 2))
    return index, at - index


def _rebuild(
    scene: Scene, may_touch: tuple[tuple[str, ...], ...], gripped: tuple[tuple[str, str], ...]
) -> CollisionWorld:
    return CollisionWorld(scene, may_touch=may_touch, gripped=dict(gripped))
