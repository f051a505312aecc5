"""Random picks and places: the check says what a fine simulation says that is judged by coal.

The simulation takes the tool along every move half a millimetre at a time. At each place coal says which bodies touch;
of the part that is gripped, coal has a box that is a millimetre smaller on every side for the tool alone.
"""

from dataclasses import dataclass

import coal
import numpy as np
import pytest
from numpy.typing import NDArray
from small_cells import HOME_Q, at, program

from openpendant.programs import (
    InlinePoint,
    MoveAxis,
    Offset,
    PickPart,
    PlacePart,
    Program,
    check_program,
)
from openpendant.programs.check.trace import TimedChain, trace_program
from openpendant.scene import BoxShape, Cell, CellObject, CellRobot, CollisionWorld, Scene
from openpendant.scene.collision import attach_part, find_grip, settle
from openpendant.scene.collision.bodies import Body
from openpendant.scene.collision.kernels.placement import place_bodies
from openpendant.scene.collision.kernels.rows import SKIPPED
from openpendant.scene.collision.overlap import _geometry
from openpendant.scene.collision.tables import SLIDING
from openpendant.spatial import rotation_z

Array = NDArray[np.float64]

STEP_M = 0.0005
FAR_M, FASTER = 0.02, 2.5
"""Nothing farther is asked for, and no body is so many times as fast as the tool's point."""
PRESS_M = 0.001
UNSURE_M = 0.0004
"""Contacts that are nearer to their limit than this are left out: the check has a resolution of 0.1 mm."""
HAND = ("r/gripper", "r/gripper_finger_left", "r/gripper_finger_right")


@dataclass
class Judge:
    """Asks coal, pair by pair, what touches."""

    world: CollisionWorld
    gripped: str = ""
    released: frozenset[tuple[str, str]] = frozenset()

    def __post_init__(self) -> None:
        layout = self.world.layout
        self.moving = [(one.owner, _coal(one.body)) for one in layout.moving_bodies]
        self.standing = [(one.owner, _coal(one.body)) for one in layout.standing_bodies]
        objects = self.world.scene.objects
        if self.gripped:
            x, y, z = (edge - 2.0 * PRESS_M for edge in objects[self.gripped].shape.size)  # type: ignore[union-attr]
            T = self.world.scene.T_world(self.gripped)
            self.inner = coal.CollisionObject(coal.Box(x, y, z), coal.Transform3s(T[:3, :3], T[:3, 3]))
        skip, t = layout.tables.skip, layout.tables
        self.pairs = [(a, b) for a, b, _ in t.pairs.tolist()]
        self.with_world = [
            (m, s)
            for m in range(len(self.moving))
            for s in range(len(self.standing))
            if skip[t.moving_ints[m, 3], t.standing_ints[s, 3]] != SKIPPED
        ]

    def least_m(self, Q: Array) -> float:
        """Return the least distance along a move; what is far is not asked again before it can be near."""
        least, index = FAR_M, 0
        while index < len(Q):
            here = self.nearest_m(Q[index])
            least = min(least, here)
            index += max(1, int(here / (STEP_M * FASTER)))
        return least if least <= 0.0 else min(least, self.nearest_m(Q[-1]))

    def nearest_m(self, q: Array) -> float:
        """Return the least distance of what must not touch; below zero: it does."""
        t = self.world.layout.tables
        frames, places = np.empty((len(t.joint_floats), 12)), np.empty((len(t.moving), 12))
        place_bodies(t.joint_floats, t.joint_ints, t.moving, t.moving_ints, q, frames, places)
        for (_, body), place in zip(self.moving, places, strict=True):
            body.setTransform(coal.Transform3s(place[:9].reshape(3, 3), place[9:]))
            body.computeAABB()
        least = FAR_M
        for a, b in self.pairs:
            least = min(least, _distance(self.moving[a][1], self.moving[b][1], least))
        for m, s in self.with_world:
            (mover, body), (owner, other) = self.moving[m], self.standing[s]
            if (mover.removesuffix(SLIDING), owner) in self.released:
                continue
            inner = owner == self.gripped and mover in HAND
            least = min(least, _distance(body, self.inner if inner else other, least))
        return least


def _coal(body: Body) -> coal.CollisionObject:
    made = coal.CollisionObject(_geometry(body), coal.Transform3s(body.T[:3, :3], body.T[:3, 3]))
    made.computeAABB()
    return made


def _distance(a: coal.CollisionObject, b: coal.CollisionObject, enough: float) -> float:
    if a.getAABB().distance(b.getAABB()) > enough:
        return enough
    return float(coal.distance(a, b, coal.DistanceRequest(), coal.DistanceResult()))


def random_cell(random: np.random.Generator) -> Cell:
    size = tuple(float(value) for value in random.uniform((0.015, 0.015, 0.02), (0.035, 0.06, 0.06)))
    yaw = random.uniform(-np.pi, np.pi)
    x, y = random.uniform((0.3, -0.15), (0.45, 0.15)).tolist()
    wxyz = (float(np.cos(yaw / 2)), 0.0, 0.0, float(np.sin(yaw / 2)))
    part = CellObject(name="part", shape=BoxShape(size=size), pose=at(x, y, size[2] / 2, wxyz), graspable=True)
    table = CellObject(name="table", shape=BoxShape(size=(1.0, 1.2, 0.04)), pose=at(0.6, 0.0, -0.02))
    beside: list[CellObject] = []
    for number in range(int(random.integers(0, 4))):
        angle, away = random.uniform(-np.pi, np.pi), float(random.uniform(0.045, 0.11))
        height, edge = float(random.uniform(0.02, 0.15)), float(random.uniform(0.01, 0.04))
        place = at(x + away * float(np.cos(angle)), y + away * float(np.sin(angle)), height / 2 + 0.0005)
        beside.append(CellObject(name=f"thing {number}", shape=BoxShape(size=(edge, edge, height)), pose=place))
    return Cell(name="random", robots=(CellRobot(name="r", model="irb120"),), objects=(part, table, *beside))


def random_pick(random: np.random.Generator, cell: Cell) -> Program:
    part = cell.objects[0]
    assert isinstance(part.shape, BoxShape)
    where = None
    if random.random() < 0.5:
        # Beside the middle, too deep, too high, or turned so that the fingers do not fit.
        yaw = 2.0 * np.arctan2(part.pose.wxyz[3], part.pose.wxyz[0]) + random.choice([0.0, np.pi / 2, 0.05])
        dx, dy, dz = random.uniform((-0.004, -0.01, -0.015), (0.004, 0.01, 0.02))
        x, y, _ = (rotation_z(yaw) @ np.array([dx, dy, 0.0])) + np.array(part.pose.xyz)
        turn = (0.0, float(np.cos(yaw / 2)), float(np.sin(yaw / 2)), 0.0)
        where = InlinePoint(pose=at(float(x), float(y), float(part.shape.size[2] / 2 + dz), turn))
    shift = tuple(float(value) for value in random.uniform((-0.05, -0.08, -0.0005), (0.05, 0.08, 0.0)))
    if random.random() < 0.5:
        shift = (*shift[:2], float(random.choice([0.0, -0.0025, 0.003])))
    up = float(random.uniform(0.02, 0.12))
    # Without a zone: the check covers every blend that a controller may make, a simulation only one.
    pick = PickPart(id="pick", part="part", at=where, approach_m=up, retreat_m=up, zone="fine")
    place = PlacePart(
        id="place", part="part", at=where, offset=Offset(by=shift), approach_m=up, retreat_m=up, zone="fine"
    )
    return program(MoveAxis(q=HOME_Q), pick, place, robot="r", name="random")


def judged(cell: Cell, picks: Program) -> tuple[str, float]:
    """Return which step fails first (empty: none), and how sure that is: the distance to another answer, metres."""
    scene = Scene(cell)
    arm = scene.arm()
    strict = CollisionWorld(scene)
    sure = np.inf
    traced = trace_program(cell, picks)
    phases = [(stretch, leg) for stretch in traced.stretches for leg in range(len(stretch.chain.legs))]
    for stretch, leg in phases:
        turn = stretch.chain.legs[leg].leaf
        phase = turn.step.id.partition(".")[2]
        world = strict.for_scene(scene)
        judge = Judge(world, "part" if phase == "grasp" or (phase == "retreat" and turn.id == "place") else "")
        Q = _fine(stretch, leg)
        if phase == "put":
            # A part that is put down presses up to a millimetre into what it stands on then.
            judge = Judge(world.for_scene(scene, may_touch=[("part", "table")]))
        least = judge.least_m(Q)
        sure = min(sure, abs(least))
        if least <= 0.0:
            return turn.id, sure
        if phase == "grasp":
            grip = find_grip(world, arm.key, Q[-1])
            if grip is None:
                return turn.id, sure
            scene = attach_part(world, grip.part, arm.key, Q[-1]).with_opening(arm.key, grip.opening_m)
        if phase == "put":
            scene = scene.detach("part", Q[-1]).with_opening(arm.key, arm.travel_m)
            scene, _ = settle(strict.for_scene(scene), "part")
        closed = phase in ("grasp", "put")
        if closed:
            world = strict.for_scene(scene)
            least = Judge(world, "part" if phase == "put" else "").nearest_m(Q[-1])
            sure = min(sure, abs(least))
            if least <= 0.0:
                return turn.id, sure
    return "", sure


def _fine(stretch: TimedChain, leg: int) -> Array:
    trajectory = stretch.trajectory
    spans = [span for span in trajectory.spans if span.move == leg]
    kinematics = stretch.chain.setting.placed.kinematics
    rows: list[Array] = []
    for span in spans:
        rough = trajectory.samples_at(np.linspace(span.start_s, span.end_s, 65)).q
        way = np.linalg.norm(np.diff(kinematics.fk(rough, check_limits=False)[:, :3, 3], axis=0), axis=1).sum()
        count = int(np.clip(way / STEP_M, 8, 400))
        rows.append(trajectory.samples_at(np.linspace(span.start_s, span.end_s, count + 1)).q)
    return np.concatenate(rows)


def compare(seeds: range) -> dict[str, int]:
    """Compare check and simulation; return how often each answer came."""
    counted: dict[str, int] = {"unsure": 0}
    for seed in seeds:
        random = np.random.default_rng(seed)
        cell = random_cell(random)
        picks = random_pick(random, cell)
        report = check_program(cell, picks, alternatives=False)
        kinds = {one.kind for step in report.failing for one in step.findings if one.fails}
        if kinds - {"collision", "tool"} or (not report.clear and report.first_failing is None):
            continue
        says, sure_m = judged(cell, picks)
        if sure_m < UNSURE_M:
            counted["unsure"] += 1
            continue
        assert (report.first_failing or "") == says, f"seed {seed}: {report.summary}"
        counted[says] = counted.get(says, 0) + 1
    return counted


def test_the_check_says_what_coal_says_of_random_picks():
    counted = compare(range(60))
    assert sum(counted.values()) - counted["unsure"] >= 40, counted
    assert min(counted.get(answer, 0) for answer in ("", "pick", "place")) >= 3, counted


@pytest.mark.soak
def test_the_check_says_what_coal_says_of_many_random_picks():
    counted = compare(range(1000, 1300))
    assert sum(counted.values()) - counted["unsure"] >= 200, counted
