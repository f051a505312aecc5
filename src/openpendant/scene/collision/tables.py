"""Lay a scene out for the kernels."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openpendant.scene.placement import PlacedArm, Scene

from .bodies import Body
from .carriers import PlacedBody, bodies_of_shape, robot_bodies, tool_bodies
from .kernels.rows import BODY_FLOATS, BODY_INTS, KIND_CORNERS, RANKED, SKIPPED, SPINE, UNRANKED, Tables
from .kernels.tree import build_tree

Array = NDArray[np.float64]

INSET_M = 0.001
"""A carried part may be this deep in what it rested on: it slides along a table without hitting it. A tool may be this
deep in the part that it grips."""
SLIDING = " (sliding)"


@dataclass(frozen=True, slots=True)
class LinkRules:
    """What holds for pairs of links (as robot/link)."""

    ignored: frozenset[frozenset[str]]
    """Not checked."""
    always_near: frozenset[frozenset[str]]
    """Checked, but their distance does not count as clearance."""


NO_RULES = LinkRules(frozenset(), frozenset())


@dataclass(frozen=True, eq=False)
class SceneLayout:
    """A scene as tables, and the names that belong to the rows."""

    tables: Tables
    arms: tuple[PlacedArm, ...]
    slices: Mapping[str, slice]
    """Where the joints of each arm are in q."""
    moving_owners: tuple[str, ...]
    standing_owners: tuple[str, ...]
    moving_bodies: tuple[PlacedBody, ...]
    standing_bodies: tuple[PlacedBody, ...]
    rows: Mapping[str, tuple[Array, tuple[Body, ...]]]
    """Rows of objects that stand, by name: they serve again where only few things have moved."""

    @property
    def q_start(self) -> Array:
        """All joints at the start."""
        return np.concatenate([arm.q_start for arm in self.arms]) if self.arms else np.zeros(0)

    def new_axes(self) -> Array:
        """Return memory for the kernels: in which direction each pair of bodies was apart; nothing is known yet."""
        moving = len(self.tables.moving)
        return np.zeros((moving, len(self.tables.standing) + moving, 3))


def lay_out(
    scene: Scene,
    may_touch: Collection[frozenset[str]],
    links_may: LinkRules,
    before: SceneLayout | None = None,
    *,
    gripped: Mapping[str, str] | None = None,
) -> SceneLayout:
    """Return the tables of a scene.

    Args:
        scene: What stands where.
        may_touch: Pairs of owners (links as robot/link, objects by name) that are not checked; for a carried part
            and an object: the part may slide along it.
        links_may: What holds for links of the same robot.
        before: Another layout of the same cell whose rows can serve again.
        gripped: By a part that stands, the arm whose tool may be 1 mm deep in it.
    """
    arms = tuple(scene.arms.values())
    starts = np.cumsum([0, *(arm.kinematics.dof for arm in arms)])
    slices = {arm.key: slice(int(a), int(b)) for arm, a, b in zip(arms, starts[:-1], starts[1:], strict=True)}
    links = [body for robot in scene.robots for body in robot_bodies(scene, robot)]
    links += [body for arm in arms for body in tool_bodies(scene, arm)]
    parts = _carried_bodies(scene)
    moving = [body for body in (*links, *parts) if body.joint >= 0]
    standing = [body for body in links if body.joint < 0]
    rows, objects = _standing_objects(scene, before, gripped or {})
    margins = [0.0] * len(standing) + [_margin(scene, body.owner) for body in objects]
    standing_rows = [body.body.row() for body in standing]
    object_rows = [row for rows_of, _ in rows.values() for row in rows_of]
    all_standing = (*standing, *objects)

    moving_owners = tuple(dict.fromkeys(body.owner for body in moving))
    standing_owners = tuple(dict.fromkeys(body.owner for body in all_standing))
    corners: list[Array] = []
    moving_floats = _stack([body.body.row() for body in moving])
    moving_ints = _ints([b.body for b in moving], [moving_owners.index(b.owner) for b in moving], corners)
    first_rows = {arm.key: int(start) for arm, start in zip(arms, starts, strict=False)}
    moving_ints[:, 4] = [first_rows[body.arm] + body.joint for body in moving]
    place_of = {owner: index for index, owner in enumerate(standing_owners)}
    standing_floats = _stack([*standing_rows, *object_rows])
    standing_floats[:, BODY_FLOATS - 1] = margins
    standing_ints = _ints([b.body for b in all_standing], [place_of[b.owner] for b in all_standing], corners)
    joint_floats, joint_ints = _joints(arms, starts)
    _fill_reach(joint_floats, joint_ints, moving_floats, moving_ints)
    boxes = np.empty((2 * len(standing_floats), 6))
    tree = np.empty((2 * len(standing_floats), 2), dtype=np.int64)
    used = build_tree(standing_floats, boxes, tree)
    rules = _Rules(scene, may_touch, links_may, gripped or {})
    skip = np.array([[rules.mark(a, b) for b in standing_owners] for a in moving_owners], dtype=np.uint8).reshape(
        len(moving_owners), len(standing_owners)
    )
    tables = Tables(
        corners=np.ascontiguousarray(np.concatenate(corners)) if corners else np.zeros((1, 3)),
        joint_floats=joint_floats,
        joint_ints=joint_ints,
        moving=moving_floats,
        moving_ints=moving_ints,
        standing=standing_floats,
        standing_ints=standing_ints,
        pairs=_pairs(moving, rules),
        skip=skip,
        boxes=np.ascontiguousarray(boxes[:used]),
        links=np.ascontiguousarray(tree[:used]),
        widest=np.array([max(margins, default=0.0)]),
    )
    return SceneLayout(tables, arms, slices, moving_owners, standing_owners, tuple(moving), all_standing, rows)


class _Rules:
    """Which owners may touch."""

    def __init__(
        self,
        scene: Scene,
        may_touch: Collection[frozenset[str]],
        links_may: LinkRules,
        gripped: Mapping[str, str],
    ) -> None:
        self._allowed = links_may.ignored | set(may_touch)
        self.near = links_may.always_near
        self._held_by = {part: held.arm for part, held in scene.carried.items()}
        self._slides = {frozenset((part, o)) for part, held in scene.carried.items() for o in held.resting_on}
        self._slides |= {pair for pair in may_touch if pair & set(scene.carried)}
        self._hands = {
            arm.key: {f"{arm.robot}/{link}" for link in (*arm.tool_links, arm.tool.name if arm.tool else "")}
            for arm in scene.arms.values()
        }
        self._slides |= {frozenset((part, link)) for part, arm in gripped.items() for link in self._hands[arm]}

    def mark(self, a: str, b: str) -> int:
        """Return whether two owners are checked, and whether their distance counts.

        Distances inside one robot do not: neighbours but one are always near, which is not worth reporting.
        """
        if self.may(a, b):
            return SKIPPED
        if a.endswith(SLIDING) or b.endswith(SLIDING):
            return UNRANKED
        return UNRANKED if "/" in a and "/" in b and a.split("/")[0] == b.split("/")[0] else RANKED

    def may(self, a: str, b: str) -> bool:
        """Return whether two owners are not checked."""
        if a.endswith(SLIDING) or b.endswith(SLIDING):
            pair = frozenset((a.removesuffix(SLIDING), b.removesuffix(SLIDING)))
            return pair not in self._slides
        pair = frozenset((a, b))
        if len(pair) == 1 or pair in self._allowed or pair in self._slides:
            return True
        for part, other in ((a, b), (b, a)):
            if part in self._held_by and other in self._hands.get(self._held_by[part], ()):
                return True
        return False


def _carried_bodies(scene: Scene) -> list[PlacedBody]:
    out: list[PlacedBody] = []
    for part, held in scene.carried.items():
        arm = scene.arm(held.arm)
        T = arm.kinematics.chain.T_last_flange @ held.T_flange_part
        bodies = bodies_of_shape(scene.objects[part].shape, None, T, scene.folder)
        last = arm.kinematics.dof - 1
        out += [PlacedBody(part, arm.key, last, body) for body in bodies]
        out += [PlacedBody(part + SLIDING, arm.key, last, body.shrunk(INSET_M)) for body in bodies]
    return out


def _margin(scene: Scene, owner: str) -> float:
    return 0.0 if owner.endswith(SLIDING) else scene.objects[owner].margin_m


def _standing_objects(
    scene: Scene, before: SceneLayout | None, gripped: Mapping[str, str]
) -> tuple[dict[str, tuple[Array, tuple[Body, ...]]], list[PlacedBody]]:
    rows: dict[str, tuple[Array, tuple[Body, ...]]] = {}
    placed: list[PlacedBody] = []
    for item in scene.cell.objects:
        if item.name in scene.carried or not item.collides:
            continue
        known = before.rows.get(item.name) if before is not None else None
        # Only what is graspable moves between scenes of one cell.
        if known is None or item.graspable:
            bodies = bodies_of_shape(item.shape, None, scene.T_world(item.name), scene.folder)
            known = (_stack([body.row() for body in bodies]), bodies)
        rows[item.name] = known
        placed += [PlacedBody(item.name, "", -1, body) for body in known[1]]
        if item.name in gripped:
            inner = tuple(body.shrunk(INSET_M) for body in known[1])
            rows[item.name + SLIDING] = (_stack([body.row() for body in inner]), inner)
            placed += [PlacedBody(item.name + SLIDING, "", -1, body) for body in inner]
    return rows, placed


def _joints(arms: Sequence[PlacedArm], starts: Sequence[int] | NDArray[np.int64]) -> tuple[Array, NDArray[np.int64]]:
    total = sum(arm.kinematics.dof for arm in arms)
    floats, ints = np.zeros((total, 17)), np.zeros((total, 3), dtype=np.int64)
    for number, arm in enumerate(arms):
        chain, start = arm.kinematics.chain, int(starts[number])
        for i in range(chain.dof):
            T = chain.T_parent_joint[i] if i else arm.T_world_base @ chain.T_parent_joint[0]
            row = start + i
            floats[row, :9] = T[:3, :3].ravel()
            floats[row, 9:12] = T[:3, 3]
            floats[row, 12:15] = chain.axis[i]
            floats[row, 15] = float(chain.prismatic[i])
            ints[row] = (row - 1 if i else -1, start + int(chain.order[i]), number)
    return floats, ints


def _fill_reach(joints: Array, joint_ints: NDArray[np.int64], bodies: Array, ints: NDArray[np.int64]) -> None:
    """Write for each joint how far from its axis something that it carries can ever be."""
    for body, row in zip(bodies, ints, strict=True):
        R, p = body[:9].reshape(3, 3), body[9:12]
        ends = [R @ body[SPINE + k : SPINE + k + 3] + p for k in (0, 3)]
        far = max(float(np.linalg.norm(end)) for end in ends) + float(body[SPINE + 6])
        j = int(row[4])
        while j >= 0:
            joints[j, 16] = max(joints[j, 16], 1.0 if joints[j, 15] else far)
            far += float(np.linalg.norm(joints[j, 9:12])) + (1.0 if joints[j, 15] else 0.0)
            j = int(joint_ints[j, 0])


def _pairs(moving: Sequence[PlacedBody], rules: _Rules) -> NDArray[np.int64]:
    """Return rows of moving bodies that must keep apart."""
    marks: dict[tuple[str, str], int] = {}
    out: list[tuple[int, int, int]] = []
    for a, first in enumerate(moving):
        for b in range(a + 1, len(moving)):
            second = moving[b]
            if first.arm == second.arm and first.joint == second.joint:
                continue
            key = (first.owner, second.owner)
            if key not in marks:
                marks[key] = rules.mark(*key)
            if marks[key] != SKIPPED:
                # The two arms of one robot are as strange to each other as two robots, but for their shoulders.
                strange = first.arm != second.arm and frozenset(key) not in rules.near
                out.append((a, b, int(marks[key] == RANKED or strange)))
    return np.array(out, dtype=np.int64).reshape(-1, 3)


def _ints(bodies: Sequence[Body], owners: Sequence[int], corners: list[Array]) -> NDArray[np.int64]:
    out = np.zeros((len(bodies), BODY_INTS), dtype=np.int64)
    used = sum(len(block) for block in corners)
    for row, (body, owner) in enumerate(zip(bodies, owners, strict=True)):
        out[row] = (body.kind, used, len(body.corners), owner, -1)
        if body.kind == KIND_CORNERS:
            corners.append(body.corners)
            used += len(body.corners)
    return out


def _stack(rows: Sequence[Array]) -> Array:
    return np.ascontiguousarray(np.array(rows, dtype=np.float64).reshape(-1, BODY_FLOATS))
