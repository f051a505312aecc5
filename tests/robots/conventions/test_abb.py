"""ABB's configurations and robtargets as its manuals print them."""

from itertools import product

import msgspec
import numpy as np
import pytest

from openpendant.robots import load


def test_abb_counts_quarter_turns() -> None:
    robot = load("irb120")
    for quarter in (-2, -1, 0, 1):
        q = np.radians([90 * quarter + 45, 0, 0, 90 * quarter + 44, 30, 90 * quarter + 43])
        q[3] = np.clip(q[3], np.radians(-159), np.radians(159))
        assert robot.label(q).startswith(f"cf1={quarter} cf4={quarter} cf6={quarter} ")
    assert "cf6=4" in robot.label(np.radians([0, 0, 0, 0, 30, 399]))
    assert "cf6=-5" in robot.label(np.radians([0, 0, 0, 0, 30, -399]))


@pytest.mark.parametrize(("behind", "back", "negative"), list(product((False, True), repeat=3)))
def test_abb_cfx_follows_the_table(behind: bool, back: bool, negative: bool) -> None:
    """Axis 2 leans the arm behind axis 1; axis 3 past the stretched elbow brings the wrist behind the lower arm."""
    robot = load("irb120")
    arm = robot.arm()
    stretched = np.degrees(np.arctan2(-0.302, 0.07))  # where forearm and lower arm are in line
    axis_3 = stretched + (-20 if back else 20)
    q = np.radians([0, -100 if behind else 60, axis_3, 0, -30 if negative else 30, 0])
    wrist = arm.fk_all(q)["link_5"][:3, 3]
    elbow = arm.fk_all(q)["link_3"][:3, 3] - (0, 0, 0.29)
    assert (wrist[0] < 0) == behind
    # In front of the lower arm: towards where it leans when axis 2 turns positive.
    lean = np.array([elbow[2], 0, -elbow[0]])
    assert (lean @ (wrist - (0, 0, 0.29)) < 0) == back
    assert robot.label(q).endswith(f"cfx={4 * behind + 2 * back + negative}")


def test_redundant_abb_arms_say_quarters_and_signs() -> None:
    robot = load("yumi")
    q = robot.posture("home", "left")
    assert robot.label(q, "left") == "cf1=0 cf4=0 cf6=0, axis 2 −, axis 3 +, axis 5 +"
    assert robot.print_pose(q, "left").title == "RAPID pose"


def test_abb_prints_a_robtarget() -> None:
    robot = load("irb120")
    assert robot.print_pose(np.zeros(6)) == ("RAPID robtarget", "[[374,0,630],[0.707107,0,0.707107,0],[0,0,0,0]]")
    q = np.radians([101, 52, -9, 1, 45, 6])
    place, turn, conf = msgspec.json.decode(robot.print_pose(q).text, type=tuple[list[float], list[float], list[int]])
    np.testing.assert_allclose(np.array(place) / 1000, robot.arm().fk(q)[:3, 3], atol=6e-7)
    assert np.linalg.norm(turn) == pytest.approx(1, abs=2e-6)
    assert conf == [1, 0, 0, 0]
