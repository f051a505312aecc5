"""Taking parts, carrying them, letting them fall, and putting them back."""

import pickle

import numpy as np
import pytest
from cells import box, pose

from openpendant.errors import InputError, UnknownNameError
from openpendant.scene import (
    Cell,
    CellObject,
    CellPoint,
    CellRobot,
    Clearance,
    Collision,
    CollisionWorld,
    CylinderShape,
    Scene,
    SphereShape,
    attach_part,
    find_grip,
    load_demo,
    resting_on,
    settle,
    transform_of,
)
from openpendant.spatial import inverse, make_transform, matrix_from_rpy


@pytest.fixture(scope="module")
def world() -> CollisionWorld:
    return CollisionWorld(Scene(load_demo("pick_and_place").cell))


def joints_at(scene: Scene, point: str) -> np.ndarray:
    arm = scene.arm()
    T = inverse(arm.T_world_base) @ scene.T_world(point) @ inverse(arm.T_flange_tcp)
    return arm.kinematics.ik(T, seed=arm.q_start).solutions[0].q


def test_what_is_between_the_fingers(world: CollisionWorld) -> None:
    grip = find_grip(world, "irb120", joints_at(world.scene, "at cube 2"))
    assert grip is not None
    assert grip.part == "cube 2"
    assert grip.opening_m == pytest.approx(0.02, abs=1e-6)
    assert find_grip(world, "irb120", joints_at(world.scene, "above cube 2")) is None


def test_a_tool_without_fingers_takes_what_is_at_its_tip() -> None:
    bench = CollisionWorld(Scene(load_demo("bench").cell))
    grip = find_grip(bench, "ur3e", joints_at(bench.scene, "at puck 1"))
    assert grip is not None
    assert (grip.part, grip.opening_m) == ("puck 1", 0.0)


def test_pick_carry_place(world: CollisionWorld) -> None:
    scene = world.scene
    at, above = joints_at(scene, "at cube 1"), joints_at(scene, "above cube 1")
    assert resting_on(world, "cube 1") == ("table top",)
    held = attach_part(world.for_scene(scene.with_opening("irb120", 0.02)), "cube 1", "irb120", at)
    assert held.in_hand("irb120") == ("cube 1",)
    np.testing.assert_allclose(held.T_world("cube 1", {"irb120": at}), scene.T_world("cube 1"), atol=1e-12)
    moved = held.T_world("cube 1", {"irb120/arm": above})
    np.testing.assert_allclose(moved[:3, 3] - scene.T_world("cube 1")[:3, 3], [0, 0, 0.1], atol=1e-9)
    carrying = world.for_scene(held)
    # Up from the table it rested on, and over to the tray, the part is no collision with anything.
    answer = carrying.check_path([at, above, joints_at(scene, "above slot 1")])
    assert isinstance(answer, Clearance)
    # 20 mm too deep it goes into the tray, and it is the cube that does.
    arm = scene.arm()
    T = inverse(arm.T_world_base) @ scene.T_world("at slot 1") @ inverse(arm.T_flange_tcp)
    deep = arm.kinematics.ik(make_transform(None, [0, 0, -0.004]) @ T, seed=arm.q_start).solutions[0].q
    answer = carrying.sweep(joints_at(scene, "above slot 1"), deep)
    assert isinstance(answer, Collision)
    assert (answer.nearest.a, answer.nearest.b) == ("cube 1", "tray")
    # Down to the tray it may touch what it is put on.
    target = joints_at(scene, "at slot 1")
    assert isinstance(carrying.sweep(joints_at(scene, "above slot 1"), target), Collision)
    allowing = carrying.for_scene(held, may_touch=[("cube 1", "tray")])
    assert isinstance(allowing.sweep(joints_at(scene, "above slot 1"), target), Clearance)
    assert isinstance(allowing.sweep(joints_at(scene, "above slot 1"), deep), Collision)
    let_go = held.detach("cube 1", target)
    rested, support = settle(world.for_scene(let_go), "cube 1")
    assert support == "tray"
    assert rested.T_world("cube 1")[2, 3] == pytest.approx(0.75 + 0.012 + 0.02, abs=1e-6)
    back = rested.restored(["cube 1"])
    np.testing.assert_allclose(back.T_world("cube 1"), scene.T_world("cube 1"))


def test_a_carried_part_meets_other_parts(world: CollisionWorld) -> None:
    scene = world.scene
    at = joints_at(scene, "at cube 1")
    held = attach_part(world, "cube 1", "irb120", at)
    answer = world.for_scene(held).sweep(joints_at(scene, "above cube 1"), joints_at(scene, "at cube 2"))
    assert isinstance(answer, Collision)
    assert "cube" in answer.nearest.a
    assert answer.nearest.b == "cube 2"


def falling(*objects: CellObject) -> CollisionWorld:
    return CollisionWorld(Scene(Cell(name="c", objects=objects)))


def test_parts_come_to_rest_on_what_is_below() -> None:
    table = box("table", (1.0, 1.0, 0.1), pose(0, 0, 0.45))
    shelf = box("shelf", (0.2, 0.2, 0.02), pose(0.3, 0.0, 0.7))
    ball = CellObject(name="ball", shape=SphereShape(radius=0.05), pose=pose(0.0, 0.0, 1.3), graspable=True)
    world = falling(table, shelf, ball)
    for x, y, support, height in (
        (0.0, 0.0, "table", 0.55),
        (0.3, 0.0, "shelf", 0.76),
        (0.44, 0.0, "shelf", 0.71 + np.sqrt(0.05**2 - 0.04**2)),
        (0.9, 0.0, "floor", 0.05),
        (0.55, 0.0, "table", 0.5),
    ):
        scene, found = settle(world.for_scene(world.scene.with_pose("ball", make_transform(None, [x, y, 1.3]))), "ball")
        if x == 0.55:
            # It only just passes the edge of the table: 50 mm beside it, with a radius of 50 mm.
            assert found in {"table", "floor"}
            continue
        assert found == support
        assert scene.T_world("ball")[2, 3] == pytest.approx(height, abs=1e-5)


def test_turned_parts_rest_on_their_corners_and_keep_their_turn() -> None:
    T = make_transform(matrix_from_rpy(0.0, np.pi / 4, 0.3), [0.1, 0.2, 0.9])
    world = falling(
        box("table", (1.0, 1.0, 0.1), pose(0, 0, 0.45)), box("part", (0.1, 0.1, 0.1), pose(), graspable=True)
    )
    scene, support = settle(world.for_scene(world.scene.with_pose("part", T)), "part")
    assert support == "table"
    assert scene.T_world("part")[2, 3] == pytest.approx(0.5 + 0.05 * np.sqrt(2), abs=1e-6)
    np.testing.assert_allclose(scene.T_world("part")[:3, :3], T[:3, :3])


@pytest.mark.parametrize(("depth", "rests"), [(0.0, 0.55), (1e-6, 0.55), (0.0015, 0.55), (0.01, 0.54)])
def test_parts_let_go_a_little_deep_are_put_on_top(depth: float, rests: float) -> None:
    world = falling(
        box("table", (1.0, 1.0, 0.1), pose(0, 0, 0.45)),
        CellObject(
            name="tin", shape=CylinderShape(radius=0.03, length=0.1), pose=pose(0, 0, 0.55 - depth), graspable=True
        ),
    )
    scene, support = settle(world, "tin")
    assert support == "table"
    assert scene.T_world("tin")[2, 3] == pytest.approx(rests, abs=1e-5)


def test_stacked_parts() -> None:
    world = falling(
        box("lower", (0.1, 0.1, 0.1), pose(0, 0, 0.05), graspable=True),
        box("upper", (0.1, 0.1, 0.1), pose(0.02, 0, 0.3), graspable=True),
    )
    scene, support = settle(world, "upper")
    assert support == "lower"
    assert scene.T_world("upper")[2, 3] == pytest.approx(0.15, abs=1e-6)
    assert resting_on(world.for_scene(scene), "upper") == ("lower",)


def test_scenes_know_where_things_are_and_travel(world: CollisionWorld) -> None:
    scene = world.scene
    np.testing.assert_allclose(scene.T_world("slots")[:3, 3], [0.36, -0.20, 0.762])
    np.testing.assert_allclose(scene.T_world("at slot 1")[:3, 3], [0.36, -0.11, 0.782])
    np.testing.assert_allclose(scene.T_world("irb120")[:3, 3], [0, 0, 0.75])
    again = pickle.loads(pickle.dumps(scene.with_opening("irb120", 0.01)))
    assert again.opening("irb120") == 0.01
    assert again.cell == scene.cell
    tcp = scene.arm().T_world_tcp(joints_at(scene, "start"))
    np.testing.assert_allclose(tcp, scene.T_world("start"), atol=1e-9)


def test_bad_handling_is_told(world: CollisionWorld) -> None:
    scene = world.scene
    q = scene.arm().q_start
    with pytest.raises(InputError, match="'tray' stands fixed"):
        scene.attach("tray", "irb120", q)
    with pytest.raises(UnknownNameError, match=r"no object in this cell named 'cub 1'. Did you mean cube 1"):
        scene.attach("cub 1", "irb120", q)
    held = scene.attach("cube 1", "irb120", q)
    with pytest.raises(InputError, match="already held by irb120/arm"):
        held.attach("cube 1", "irb120", q)
    with pytest.raises(InputError, match="not held by any arm"):
        scene.detach("cube 1", q)
    with pytest.raises(InputError, match="is held by"):
        settle(world.for_scene(held), "cube 1")
    with pytest.raises(InputError, match=r"open 0 to 0.025 m each, not 0.1"):
        scene.with_opening("irb120", 0.1)
    with pytest.raises(UnknownNameError):
        scene.T_world("nothing")
    with pytest.raises(InputError, match="no arm"):
        Scene(Cell(name="c")).arm()
    ghost = CellObject(name="ghost", shape=SphereShape(radius=0.1), collides=False)
    with pytest.raises(InputError, match="no body"):
        settle(falling(ghost), "ghost")


def test_points_can_stand_on_robots() -> None:
    cell = Cell(
        name="c",
        robots=(CellRobot(name="r", model="ur3e", pose=pose(1.0, 0, 0, np.pi / 2)),),
        points=(CellPoint(name="p", frame="r", pose=pose(0.5, 0, 0)),),
    )
    np.testing.assert_allclose(Scene(cell).T_world("p")[:3, 3], [1.0, 0.5, 0.0], atol=1e-12)
    np.testing.assert_allclose(transform_of(pose(1.0, 2.0, 3.0))[:3, 3], [1, 2, 3])
