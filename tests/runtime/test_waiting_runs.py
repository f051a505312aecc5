"""A run that only waits ends when its robot is lost: it does not go on by itself when the robot is back."""

import numpy as np
import pytest

from virtual_cell import HOME, MOVES_LATER, VirtualCell


def test_a_run_that_waits_goes_on_to_its_end() -> None:
    world = VirtualCell()
    run = world.run(MOVES_LATER)
    world.ticks(2000)
    assert run.status == "done", run.message
    assert abs(world.q[0] - 0.5) < 1e-3


@pytest.mark.parametrize("ticks", [100, 300])
def test_a_run_that_waits_does_not_go_on_after_its_robot_was_lost(ticks: int) -> None:
    world = VirtualCell()
    run = world.run(MOVES_LATER)
    world.ticks(50)
    plant = world.loop.controller
    plant.close()
    world.later(ticks, plant.connect)
    world.ticks(2000)
    assert run.status == "failed"
    assert "no contact with the controller" in run.message
    assert np.abs(world.q - np.array(HOME)).max() < 1e-6, "it moved by itself"
