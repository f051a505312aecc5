"""A collision world against python-fcl, coal and dense sampling."""

import itertools
import pickle

import numpy as np
import pytest
from cells import box, pose, random_objects
from peers import FclWorld

from openpendant.errors import InputError, UnknownNameError
from openpendant.scene import (
    Cell,
    CellRobot,
    CellTool,
    Clearance,
    Collision,
    CollisionWorld,
    CylinderShape,
    Scene,
    ToolPart,
    link_pairs,
)


def cell_with(model: str, count: int, seed: int, **more: object) -> Cell:
    rng = np.random.default_rng(seed)
    return Cell(name="c", robots=(CellRobot(name="r", model=model),), objects=random_objects(rng, count), **more)


def random_q(world: CollisionWorld, rng: np.random.Generator, count: int) -> np.ndarray:
    arm = world.scene.arm().kinematics
    low = np.maximum(arm.limits_lower, -np.pi)
    high = np.minimum(arm.limits_upper, np.pi)
    return rng.uniform(low, high, (count, arm.dof))


@pytest.fixture(scope="module")
def world() -> CollisionWorld:
    return CollisionWorld(Scene(cell_with("ur3e", 60, 5)))


@pytest.mark.parametrize(("model", "count"), [("ur3e", 20), ("ur3e", 150), ("irb120", 60), ("rx90l", 60)])
def test_the_same_answers_as_python_fcl(model: str, count: int) -> None:
    world = CollisionWorld(Scene(cell_with(model, count, count)))
    peer = FclWorld(world)
    rng = np.random.default_rng(7)
    Q = random_q(world, rng, 400)
    ours = world.touches_many(Q)
    theirs = np.array([peer.collides(q) for q in Q])
    assert 20 < ours.sum() < 390
    # Where the answers differ, the bodies are within fcl's tolerance of touching.
    for q in Q[ours != theirs]:
        assert abs(world.distance(q, own_links=True).distance_m) < 1e-4
    assert (ours != theirs).mean() < 0.01


def test_bool_distance_and_path_agree(world: CollisionWorld) -> None:
    Q = random_q(world, np.random.default_rng(3), 200)
    touches = world.touches_many(Q)
    quick = world.checker()
    for q, hit in zip(Q, touches, strict=True):
        near = world.distance(q, own_links=True)
        assert (near.distance_m <= 0.0) == hit == quick(q) == (world.collides(q) is not None)
        assert isinstance(world.check_path(q[None]), Collision if hit else Clearance)
        if not hit:
            assert np.linalg.norm(near.point_a - near.point_b) == pytest.approx(near.distance_m, abs=1e-7)
            assert world.check_path(q[None]).nearest.distance_m == pytest.approx(world.distance(q).distance_m)


def test_contacts_are_where_bodies_overlap(world: CollisionWorld) -> None:
    Q = random_q(world, np.random.default_rng(11), 60)
    seen = 0
    for q, hit in zip(Q, world.touches_many(Q), strict=True):
        contacts = world.contacts(q)
        deep = [contact for contact in contacts if contact.depth_m > 1e-6]
        assert bool(deep) == hit or (hit and world.distance(q, own_links=True).distance_m > -1e-6)
        for contact in deep:
            seen += 1
            assert contact.a.startswith("r/")
            assert np.linalg.norm(contact.normal) == pytest.approx(1.0, abs=1e-6)
    assert seen > 20


def dense(Q: np.ndarray, step: float) -> np.ndarray:
    parts = [
        a + (b - a) * np.linspace(0, 1, max(2, int(np.abs(b - a).max() / step)))[:, None]
        for a, b in itertools.pairwise(Q)
    ]
    return np.concatenate(parts)


@pytest.mark.parametrize("seed", range(12))
def test_a_path_against_dense_sampling(world: CollisionWorld, seed: int) -> None:
    """Nothing is jumped over, and the least distance is the least."""
    rng = np.random.default_rng(100 + seed)
    start = world.scene.arm().q_start
    Q = start + np.cumsum(rng.normal(size=(8, 6)) * rng.uniform(0.02, 0.3), axis=0)
    samples = dense(Q, 0.002)
    touches = world.touches_many(samples)
    answer = world.check_path(Q)
    if isinstance(answer, Collision):
        at = answer.index + answer.fraction
        assert answer.nearest.distance_m <= 1.01e-4
        before = dense(np.vstack([Q[: answer.index + 1], answer.q]), 0.002)[:-3]
        assert not world.touches_many(before).any()
        assert 0 <= at <= len(Q) - 1
        near = world.collides(answer.q) or world.distance(answer.q, own_links=True)
        assert near.distance_m <= 1.01e-4
    else:
        assert not touches.any()
        least = min(world.distance(q).distance_m for q in samples[::5])
        assert answer.at_least_m <= least
        assert answer.nearest.distance_m <= least + max(0.0005, 0.03 * least) + 1e-9
        here = Q[answer.index] + answer.fraction * (Q[min(answer.index + 1, len(Q) - 1)] - Q[answer.index])
        assert world.distance(here).distance_m == pytest.approx(answer.nearest.distance_m, abs=1e-9)


def test_thin_things_are_not_jumped_over() -> None:
    """A wire of 0.2 mm across a long fast move."""
    wire = box("wire", (0.0002, 0.0002, 2.0), pose(0.35, 0.0, 0.5))
    world = CollisionWorld(Scene(Cell(name="c", robots=(CellRobot(name="r", model="ur3e"),), objects=(wire,))))
    q = np.array([1.4, -1.2, 1.6, -2.0, -1.57, 0.0])
    answer = world.sweep(q, q * [-1, 1, 1, 1, 1, 1])
    assert isinstance(answer, Collision)
    assert answer.nearest.b == "wire"
    assert 0.1 < answer.fraction < 0.9
    assert str(answer).endswith("touches wire")


def test_margins_keep_things_away() -> None:
    def answer(margin: float) -> Clearance | Collision:
        table = box("table", (2.0, 2.0, 0.02), pose(0.0, 0.0, -0.01), margin_m=margin)
        cell = Cell(name="c", robots=(CellRobot(name="r", model="ur3e", pose=pose(0, 0, 0.2)),), objects=(table,))
        world = CollisionWorld(Scene(cell))
        return world.sweep(world.scene.arm().q_start, world.scene.arm().q_start + np.array([0.5, 0, 0, 0, 0, 0]))

    free = answer(0.0)
    assert isinstance(free, Clearance)
    gap = free.nearest.distance_m
    assert gap > 0.05
    assert isinstance(answer(gap * 0.98), Clearance)
    blocked = answer(gap * 1.02)
    assert isinstance(blocked, Collision)
    assert blocked.nearest.margin_m == gap * 1.02
    assert blocked.nearest.too_near
    assert "whose margin is" in str(blocked)


def test_a_robot_does_not_pass_through_itself(world: CollisionWorld) -> None:
    folded = np.array([0.0, -1.57, 2.9, 0.0, 0.0, 0.0])
    near = world.collides(folded)
    assert near is not None
    assert near.a.startswith("r/")
    assert near.b.startswith("r/")
    answer = world.sweep(world.scene.arm().q_start, folded)
    assert isinstance(answer, Collision)


def test_pairs_of_links() -> None:
    scene = Scene(Cell(name="c", robots=(CellRobot(name="one", model="ur3e"),)))
    pairs = {frozenset((p.a, p.b)): p for p in link_pairs(scene, "one")}
    assert pairs[frozenset(("one/shoulder_link", "one/upper_arm_link"))].why == "neighbours"
    assert pairs[frozenset(("one/base_link_inertia", "one/shoulder_link"))].ignored
    assert pairs[frozenset(("one/upper_arm_link", "one/wrist_2_link"))].why == "sometimes"
    assert not pairs[frozenset(("one/base_link_inertia", "one/upper_arm_link"))].ignored
    assert link_pairs(scene, "one") == link_pairs(Scene(scene.cell), "one")


def test_two_arms_and_two_robots() -> None:
    cell = Cell(
        name="c",
        robots=(CellRobot(name="a", model="ur3e"), CellRobot(name="b", model="ur3e", pose=pose(0.62, 0.0, 0.0, np.pi))),
    )
    world = CollisionWorld(Scene(cell))
    assert world.arms == ("a/arm", "b/arm")
    start = world.scene.arm("a").q_start
    up = np.array([0.0, -1.57, 0.0, -1.57, 0.0, 0.0])
    reach = np.array([0.0, -0.6, 0.6, -1.57, -1.57, 0.0])
    assert world.collides({"a": up, "b": up}) is None
    near = world.collides({"a": reach, "b": reach})
    assert near is not None
    assert {near.a[0], near.b[0]} == {"a", "b"}
    together = world.check_path({"a": [up, reach], "b": [up, reach]})
    assert isinstance(together, Collision)
    assert together.q.shape == (12,)
    alone = world.check_path([up, reach], "a", others={"b": up})
    assert isinstance(alone, Clearance)
    assert {alone.nearest.a[0], alone.nearest.b[0]} == {"a", "b"}
    # What the other arm does meanwhile is not held against this one.
    folded = np.array([0.0, -1.57, 2.9, 0.0, 0.0, 0.0])
    assert isinstance(world.check_path([up, up + 0.01], "a", others={"b": folded}), Clearance)
    with pytest.raises(InputError, match="2 arms; give joints by arm"):
        world.distance(start)
    with pytest.raises(InputError, match="must be equal"):
        world.check_path({"a": [up], "b": [up, reach]})


def test_a_tool_of_the_cell_is_part_of_the_arm() -> None:
    rod = ToolPart(shape=CylinderShape(radius=0.01, length=0.4), pose=pose(0, 0, 0.2))
    stick = CellTool(name="stick", tcp=pose(0, 0, 0.4), parts=(rod,))
    table = box("table", (2.0, 2.0, 0.02), pose(0, 0, -0.01))
    q = np.radians([0, -80, 100, -110, -90, 0])

    def near(tools: dict[str, str | None]) -> CollisionWorld:
        robot = CellRobot(name="r", model="ur3e", tools=tools, pose=pose(0, 0, 0.02))
        return CollisionWorld(Scene(Cell(name="c", robots=(robot,), tools=(stick,), objects=(table,))))

    assert near({"arm": None}).collides(q) is None
    hit = near({"arm": "stick"}).collides(q)
    assert hit is not None
    assert (hit.a, hit.b) == ("r/stick", "table")
    touching = near({"arm": "stick"})
    allowed = touching.for_scene(touching.scene, may_touch=[("r/stick", "table")])
    assert allowed.collides(q) is None


def test_a_catalogue_tool_can_be_taken_off() -> None:
    cell = Cell(name="c", robots=(CellRobot(name="r", model="irb120", tools={"arm": None}),))
    owners = CollisionWorld(Scene(cell)).layout.moving_owners
    assert "r/link_6" in owners
    assert not any("gripper" in owner for owner in owners)


def test_worlds_are_deterministic_and_travel(world: CollisionWorld) -> None:
    Q = world.scene.arm().q_start + np.cumsum(np.full((20, 6), 0.01), axis=0)
    first, second = world.check_path(Q), pickle.loads(pickle.dumps(world)).check_path(Q)
    assert type(first) is type(second)
    assert first.nearest.distance_m == second.nearest.distance_m
    assert (first.index, first.fraction, first.looked_at) == (second.index, second.fraction, second.looked_at)


def test_an_empty_cell_is_clear() -> None:
    world = CollisionWorld(Scene(Cell(name="c", robots=(CellRobot(name="r", model="ur3e"),))))
    assert str(world.distance()) == "nothing near"
    answer = world.sweep(np.zeros(6) + 0.1, np.zeros(6) + 0.2)
    assert isinstance(answer, Clearance)
    assert answer.at_least_m == np.inf


def test_bad_input_is_told(world: CollisionWorld) -> None:
    with pytest.raises(InputError, match=r"shape \(4, 5\); allowed: \(N, 6\)"):
        world.check_path(np.zeros((4, 5)))
    with pytest.raises(InputError, match="vertex 1 of the path of r/arm"):
        world.check_path([[0.0] * 6, [np.nan] * 6])
    with pytest.raises(UnknownNameError, match="no arm in this cell named 'left'"):
        world.distance({"left": np.zeros(6)})
    with pytest.raises(InputError):
        world.distance(np.full(6, np.nan))
    with pytest.raises(InputError, match="is not a pair"):
        world.for_scene(world.scene, may_touch=[("table",)])
