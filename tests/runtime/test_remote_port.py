"""A path of a run begins when its arm rests: soft joints swing on for a moment after the path before."""

from collections.abc import Callable

import pytest

from openpendant.errors import ControllerError
from openpendant.runtime.remote_port import when_at_rest
from openpendant.said import Said, say


def swinging(times: int, why: Said) -> Callable[[], str]:
    """Return a robot that refuses that often."""
    left = [ControllerError(why)] * times

    def begin() -> str:
        if left:
            raise left.pop()
        return "job"

    return begin


def test_it_begins_when_the_arm_has_come_to_rest() -> None:
    assert when_at_rest(swinging(3, say("robot.still_moving", arm="arm"))) == "job"


def test_whatever_else_is_wrong_is_told_at_once() -> None:
    with pytest.raises(ControllerError, match="busy"):
        when_at_rest(swinging(1, say("robot.busy", arm="arm", job="jog")))


def test_an_arm_that_goes_on_swinging_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openpendant.runtime.remote_port.REST_S", 0.02)
    with pytest.raises(ControllerError, match="arm is still moving"):
        when_at_rest(swinging(1000, say("robot.still_moving", arm="arm")))
