"""Every demo cell: whole, reachable, and free at its start."""

from pathlib import Path

import numpy as np
import pytest

from openpendant.errors import InputError, UnknownNameError
from openpendant.scene import (
    CollisionWorld,
    Scene,
    copy_demo,
    demo_cells,
    demo_names,
    encode_cell,
    load_cell,
    load_demo,
    resting_on,
    settle,
)
from openpendant.spatial import inverse


def test_the_demos_that_were_promised() -> None:
    assert demo_names() == ("bench", "pick_and_place", "two_arms", "weld_a_box")


@pytest.mark.parametrize("name", demo_names())
def test_a_demo_is_whole(name: str) -> None:
    cell = load_demo(name).cell
    assert cell.name == name
    assert cell.title
    assert cell.notes
    assert encode_cell(cell) == (demo_cells.FOLDER / name / "cell.json").read_bytes()
    scene = Scene(cell)
    world = CollisionWorld(scene)
    assert world.collides() is None
    for point in cell.points:
        arm = scene.arm(f"{point.robot}/{point.arm}" if point.arm else point.robot)
        T = inverse(arm.T_world_base) @ scene.T_world(point.name) @ inverse(arm.T_flange_tcp)
        solutions = arm.kinematics.ik(T, seed=arm.q_start).solutions
        free = [s for s in solutions if world.collides({arm.key: s.q}) is None]
        assert free, f"{point.name} cannot be reached freely"
        np.testing.assert_allclose(arm.T_world_tcp(free[0].q), scene.T_world(point.name), atol=1e-6)


@pytest.mark.parametrize("name", demo_names())
def test_parts_of_a_demo_rest_on_something(name: str) -> None:
    scene = Scene(load_demo(name).cell)
    world = CollisionWorld(scene)
    for item in scene.cell.objects:
        if item.graspable:
            assert resting_on(world, item.name)
            settled, _ = settle(world, item.name)
            np.testing.assert_allclose(settled.T_world(item.name), scene.T_world(item.name), atol=1e-5)


def test_the_spray_room_has_its_windows_and_walls() -> None:
    names = {item.name for item in load_demo("weld_a_box").cell.objects}
    assert {"Upper Window", "Lower Window", "box", "table", "floor", "lab wall", "robot base"} <= names


def test_a_demo_is_copied_with_its_files(tmp_path: Path) -> None:
    document = copy_demo("bench", tmp_path / "mine")
    assert document.is_saved
    assert load_cell(tmp_path / "mine").cell == load_demo("bench").cell
    with pytest.raises(InputError, match="already contains a cell"):
        copy_demo("bench", tmp_path / "mine")
    with pytest.raises(UnknownNameError, match="Did you mean bench"):
        load_demo("bensh")
    assert load_demo("bench").folder is None
