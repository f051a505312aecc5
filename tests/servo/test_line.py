"""A jog that cannot keep its direction stops and says why, instead of sliding sideways."""

import numpy as np
import pytest
from streams import every_arm

from openpendant.messages import IntentFrame, TwistIntent
from openpendant.servo import Servo
from openpendant.spatial import matrix_from_rotation_vector

DT = 0.002
UR = {case.name: case for case in every_arm()}["ur3e/arm"]
SPEED = 0.25
DOWN = matrix_from_rotation_vector(np.array([np.pi, 0.0, 0.0]))


def at(x: float, y: float, z: float) -> Servo:
    """Return a servo of a UR3e whose flange points down there, metres in its base."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = DOWN, (x, y, z)
    servo = Servo(UR.arm, UR.limits, DT)
    servo.reset(UR.arm.ik(T, seed=np.array([-1.0, -1.4, 1.75, -1.92, -1.57, 0.0])).solutions[0].q)
    return servo


def jog(
    servo: Servo,
    linear: tuple[float, float, float] = (0.0, 0.0, 0.0),
    angular: tuple[float, float, float] = (0.0, 0.0, 0.0),
    *,
    straight: bool = True,
    frame: IntentFrame = "base",
    seconds: float = 8.0,
) -> tuple[np.ndarray, str]:
    """Hold a jog as the robot's loop does, until it is barred and at rest; return where the tool was, and why."""
    p = [servo.T_world_tool]
    for tick in range(int(seconds / DT)):
        now = 1 + int(tick * DT * 1e9)
        intent = TwistIntent(source="t", stamp_ns=now, linear=linear, angular=angular, straight=straight, frame=frame)
        servo.accept(intent, now)
        step = servo.step(now)
        p.append(servo.T_world_tool)
        if servo.barred and not step.moving:
            break
    return np.array(p), servo.barred


def test_a_jog_up_at_the_edge_of_reach_stays_on_its_line_and_says_why():
    up = (0.0, 0.0, 0.3 * SPEED)
    T, why = jog(at(0.15, -0.26, 0.30), up)
    off = np.linalg.norm(T[:, :2, 3] - T[0, :2, 3], axis=1)
    assert "cannot go further in this direction" in why
    assert T[-1, 2, 3] - T[0, 2, 3] > 0.02, "it gave up where it could still go"
    assert off.max() < 0.005
    # Without it, the same jog slides away by what a person sees.
    T, why = jog(at(0.15, -0.26, 0.30), up, straight=False)
    assert why == ""
    assert np.linalg.norm(T[-1, :2, 3] - T[0, :2, 3]) > 0.05


@pytest.mark.parametrize("frame", ["base", "tool"])
@pytest.mark.parametrize("way", [*np.eye(3), *-np.eye(3)])
def test_every_direction_ends_on_its_line(way: np.ndarray, frame: IntentFrame):
    servo = at(0.15, -0.26, 0.35)
    turn = np.eye(3) if frame == "base" else servo.T_world_tool[:3, :3]
    T, why = jog(servo, tuple(SPEED * way), frame=frame)
    away = T[:, :3, 3] - T[0, :3, 3]
    line = turn @ way
    assert why
    # Seen at 2 mm; from then on it has the distance in which a tool of this speed comes to rest at 4 m/s².
    assert np.linalg.norm(away - np.outer(away @ line, line), axis=1).max() < 0.002 + SPEED**2 / (2.0 * 4.0)


def test_a_turn_keeps_its_axis_and_its_place():
    T, why = jog(at(0.15, -0.26, 0.35), angular=(0.8, 0.0, 0.0), seconds=10.0)
    assert why
    assert np.linalg.norm(T[:, :3, 3] - T[0, :3, 3], axis=1).max() < 0.005
    axis = T[:, :3, :3] @ (T[0, :3, :3].T @ np.array([1.0, 0.0, 0.0]))
    assert np.arccos(np.clip(axis[:, 0], -1, 1)).max() < 0.1


def test_a_jog_that_nothing_holds_goes_on_and_may_turn_back():
    servo = at(0.15, -0.26, 0.35)
    T, why = jog(servo, (0.0, 0.0, -0.05), seconds=1.5)
    assert why == ""
    assert T[0, 2, 3] - T[-1, 2, 3] == pytest.approx(0.075, abs=0.005)
