"""A run that is resumed while it still brakes for its pause goes on to its end."""

import numpy as np
import pytest

from virtual_cell import HOME, SWINGS, TICK_NS, VirtualCell

MS = 1_000_000


@pytest.mark.parametrize("after_ms", [30, 60, 100])
@pytest.mark.parametrize("moment", [10, 40, 90])
def test_a_resume_soon_after_a_pause_ends_as_done(after_ms: int, moment: int) -> None:
    world = VirtualCell()
    run = world.run(SWINGS)
    world.ticks(moment)
    assert world.moving
    run.pause()
    world.ticks(after_ms * MS // TICK_NS)
    run.resume()
    for _ in range(2000):
        if run.life.over:
            break
        world.step()
    assert (run.status, run.state) == ("done", "done"), run.message
    assert np.abs(world.q - np.array(HOME)).max() < 1e-3
    assert world.loop.controller.state.outputs["lamp"] is False, "its last step was made"
