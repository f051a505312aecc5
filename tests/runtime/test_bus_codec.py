"""Trajectories and scenes cross the bus whole; what does not fit is refused with words."""

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openpendant import robots
from openpendant.errors import InputError
from openpendant.messages import bus
from openpendant.motion import MoveJoint, Trajectory, joint_limits, plan, stop_along
from openpendant.runtime.bus_codec import (
    decode_matrix,
    decode_scene,
    decode_trajectory,
    encode_matrix,
    encode_scene,
    encode_trajectory,
)
from openpendant.scene import Scene, load_demo
from openpendant.spatial import translation


@given(st.lists(st.integers(0, 4), min_size=1, max_size=3))
def test_arrays_come_back(shape: list[int]) -> None:
    values = np.random.default_rng(1).normal(size=shape)
    assert (decode_matrix(encode_matrix(values), "x") == values).all()


@pytest.mark.parametrize("message", [((2, 2), bytes(8)), ((-1,), bytes(8)), ((1,), b"")])
def test_arrays_that_are_none_are_refused(message: bus.Matrix) -> None:
    with pytest.raises(InputError, match="x has shape"):
        decode_matrix(message, "x")


@pytest.mark.parametrize("name", ["ur3e", "irb120", "yumi"])
def test_a_trajectory_comes_back_and_can_be_braked(name: str) -> None:
    robot = robots.load(name)
    q = robot.posture()
    found = plan(robot.arm(), joint_limits(robot), q, [MoveJoint(q + 0.1)])
    assert isinstance(found, Trajectory)
    raw = msgspec.msgpack.encode(encode_trajectory(found))
    back = decode_trajectory(msgspec.msgpack.decode(raw, type=bus.TrajectoryMessage))
    times = np.linspace(0.0, found.duration, 50)
    assert (back.samples_at(times).q == found.samples_at(times).q).all()
    assert (back.tool_speed(times) == found.tool_speed(times)).all()
    middle = 0.5 * found.duration
    assert (stop_along(back, middle).q_end == stop_along(found, middle).q_end).all()


def test_a_scene_comes_back_with_parts_in_hands_and_elsewhere() -> None:
    scene = Scene(load_demo("pick_and_place").cell)
    q = scene.arm().q_start
    moved = (
        scene.attach("cube 1", "irb120", q).with_pose("cube 2", translation(0.3, 0.2, 0.1)).with_opening("irb120", 0.01)
    )
    raw = msgspec.msgpack.encode(encode_scene(moved, "me"))
    back = decode_scene(msgspec.msgpack.decode(raw, type=bus.Arrange), scene)
    assert np.abs(back.T_world("cube 2") - moved.T_world("cube 2")).max() == 0.0
    assert np.abs(back.T_world("cube 1", {"irb120": q}) - moved.T_world("cube 1", {"irb120": q})).max() == 0.0
    assert back.opening("irb120") == 0.01
    strange = msgspec.structs.replace(encode_scene(moved, "me"), poses={"nothing": encode_matrix(np.eye(4))})
    with pytest.raises(InputError, match="nothing"):
        decode_scene(strange, scene)
    bent = msgspec.structs.replace(encode_scene(moved, "me"), poses={"cube 2": encode_matrix(np.ones((4, 4)))})
    with pytest.raises(InputError, match="cube 2"):
        decode_scene(bent, scene)


def test_every_command_comes_back() -> None:
    commands: list[bus.Command] = [
        bus.Approach(holder="a", job="j", arm="", q=(0.0,), gain=1.0, exponent=0.6, tolerance_rad=0.01),
        bus.EngageArm(holder="a", job="j", arm="arm"),
        bus.PauseMotion(holder="a"),
        bus.ResumeMotion(holder="a"),
        bus.SetPace(holder="a", pace=0.5),
        bus.SetDigital(holder="a", name="lamp", value=True),
        bus.MoveTool(holder="a", arm="arm", opening_m=0.01, closes=True),
        bus.Arrange(holder="a", poses={}, carried={}, openings={}),
        bus.Halt(who="me", kind="now"),
        bus.LeaseRequest(holder="a", name="Ann", hold_s=0.5, take_over=True),
        bus.DropLease(holder="a"),
        bus.EventsRequest(after=3),
    ]
    for command in commands:
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(command), type=bus.Command) == command
    with pytest.raises(msgspec.ValidationError):
        msgspec.msgpack.decode(msgspec.msgpack.encode({"type": "fly"}), type=bus.Command)
