"""A robot refuses a path because somebody has stopped it, before its report tells so: the run was stopped."""

import pytest

from openpendant.runtime import StoppedError
from virtual_cell import SWINGS, VirtualCell


def test_a_run_whose_robot_was_stopped_meanwhile_ends_as_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    world = VirtualCell()
    run = world.run(SWINGS)
    world.ticks(20)

    def refuse(*_: object, **__: object) -> str:
        raise StoppedError("robot was stopped after this was requested")

    monkeypatch.setattr(world.arms["me"], "follow", refuse)
    world.ticks(600)
    assert (run.status, run.message) == ("stopped", "robot was stopped after this was requested")
