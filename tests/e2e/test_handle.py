"""Dragging the tool with the mouse; branches; what cannot be reached."""

import numpy as np
import pytest
from pendant import Pendant
from playwright.sync_api import expect

from openpendant import robots
from openpendant.spatial import matrix_from_quaternion

REACH_PX = 40


def pose_of(pendant: Pendant) -> np.ndarray:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = matrix_from_quaternion(pendant.quaternion), pendant.position
    return T


@pytest.mark.parametrize(("name", "frame"), [("irb120", "tcp"), ("ur3e", "tool0")])
def test_moving_the_tool_agrees_with_python(pendant: Pendant, name: str, frame: str) -> None:
    arm = robots.load(name).arm()
    pendant.open(name)
    assert pendant.state("frame") == frame
    for i, axis in enumerate("XYZ"):
        q, before = pendant.q, pose_of(pendant)
        dx, dy = pendant.outwards(axis)
        pendant.drag(axis, REACH_PX * dx, REACH_PX * dy)
        expect(pendant.find("view-unreached")).to_have_count(0)
        after = pose_of(pendant)
        moved = after[:3, 3] - before[:3, 3]
        assert moved[i] > 0.02, "the tool follows the arrow"
        np.testing.assert_allclose(np.delete(moved, i), 0, atol=1e-9, err_msg="and no other axis")
        np.testing.assert_allclose(after[:3, :3], before[:3, :3], atol=1e-9)
        np.testing.assert_allclose(arm.fk(pendant.q, frame=frame), after, atol=1e-9)
        nearest = arm.ik(after, seed=q, frame=frame).nearest
        assert nearest is not None
        np.testing.assert_allclose(pendant.q, nearest.q, atol=1e-7, err_msg="by continuity")
        assert np.abs(pendant.q - q).max() < 1, "without a jump"


def test_turning_the_tool_keeps_its_place(pendant: Pendant) -> None:
    arm = robots.load("ur3e").arm()
    pendant.open("ur3e")
    pendant.page.keyboard.press("e")
    for axes in ("world", "tool"):
        before = pose_of(pendant)
        pendant.drag("Z", 50, 6)
        after = pose_of(pendant)
        np.testing.assert_allclose(after[:3, 3], before[:3, 3], atol=1e-9)
        np.testing.assert_allclose(arm.fk(pendant.q), after, atol=1e-9)
        turn = after[:3, :3] @ before[:3, :3].T if axes == "world" else before[:3, :3].T @ after[:3, :3]
        assert turn[2, 2] == pytest.approx(1, abs=1e-9), "about z of the chosen axes"
        assert turn[0, 0] < 0.999
        pendant.page.keyboard.press("x")


def test_branches_are_those_of_python_and_can_be_chosen(pendant: Pendant) -> None:
    arm = robots.load("ur3e").arm()
    pendant.open("ur3e")
    pose = pose_of(pendant)
    solutions = arm.ik(pose, seed=pendant.q).solutions
    rows = pendant.find("branches").get_by_role("button")
    expect(rows).to_have_count(len(solutions))
    shown = [row.inner_text().split("\n")[1] for row in rows.all()]
    assert sorted(shown) == sorted(one.label for one in solutions)
    for i, label in enumerate(shown):
        if i % 2:
            pendant.page.keyboard.press(str(i + 1))
        else:
            pendant.find(f"branch-{i + 1}").click()
        pendant.settle()
        expect(pendant.find(f"branch-{i + 1}")).to_have_attribute("aria-current", "true")
        # Which turn of 360° a joint is in depends on where the arm came from.
        turns = [np.exp(1j * one.q) for one in solutions if one.label == label]
        assert any(np.allclose(turn, np.exp(1j * pendant.q), atol=1e-7) for turn in turns)
        np.testing.assert_allclose(arm.fk(pendant.q), pose, atol=1e-8, err_msg="the tool stays")


def test_what_cannot_be_reached_is_said_and_the_handle_returns(pendant: Pendant) -> None:
    arm = robots.load("irb120").arm()
    pendant.open("irb120")
    x, y = pendant.grab("X")
    dx, dy = pendant.outwards("X")
    pendant.page.mouse.move(x + 380 * dx, y + 380 * dy, steps=12)
    expect(pendant.find("view-unreached")).to_be_visible()
    wished = pendant.state("tool")
    pendant.page.mouse.up()
    pendant.settle()
    back = pendant.state("tool")
    assert np.hypot(wished["x"] - back["x"], wished["y"] - back["y"]) > 20, "the handle goes back to the arm"
    assert arm.check_q(pendant.q) is not None, "the arm stays inside its limits"
    np.testing.assert_allclose(arm.fk(pendant.q, frame="tcp"), pose_of(pendant), atol=1e-9)
    # A small step back is possible again, and the line goes away.
    pendant.find("posture-home").click()
    pendant.settle()
    expect(pendant.find("view-unreached")).to_have_count(0)


def test_a_typed_pose_out_of_reach_says_what_python_says(pendant: Pendant) -> None:
    arm = robots.load("ur3e").arm()
    pendant.open("ur3e")
    T, q = pose_of(pendant), pendant.q
    T[0, 3] = 2.5
    reason = arm.ik(T, seed=q).unreachable
    assert reason is not None
    pendant.type("pose-x", "2500")
    expect(pendant.find("view-unreached")).to_contain_text(reason.reason[1:])
    np.testing.assert_allclose(pendant.q, reason.q_nearest, atol=1e-6)


def test_escape_takes_a_drag_back(pendant: Pendant) -> None:
    pendant.open("irb120")
    q = pendant.q
    x, y = pendant.grab("Z")
    pendant.page.mouse.move(x, y - 40, steps=4)
    pendant.page.keyboard.press("Escape")
    assert not pendant.state("dragging")
    pendant.page.mouse.up()
    pendant.settle()
    np.testing.assert_allclose(pendant.q, q, atol=1e-12)


def test_the_elbow_of_yumi_swings_while_the_tool_stays(pendant: Pendant) -> None:
    robot = robots.load("yumi")
    pendant.open("yumi")
    pendant.find("posture-at work").click()
    pendant.settle()
    arm = robot.arm("left")
    q, pose = pendant.q, pose_of(pendant)
    pendant.slide("swing-slider", q[6] - 0.3)
    assert pendant.q[6] == pytest.approx(q[6] - 0.3, abs=1e-9)
    np.testing.assert_allclose(arm.fk(pendant.q, frame="tcp"), pose, atol=1e-6)
    pendant.find("teach-arm").select_option("yumi/right")
    pendant.settle()
    assert pendant.state("arm") == "right"
    other = robot.arm("right").fk(pendant.q, frame="tcp")
    np.testing.assert_allclose(pendant.position, other[:3, 3], atol=1e-9)


def test_where_a_posture_ends_another_is_one_click_away(pendant: Pendant) -> None:
    arm = robots.load("ur3e").arm()
    pendant.open("ur3e")
    # Stretched upwards: no way down for this posture, but for a bent one.
    pendant.find("posture-home").click()
    pendant.settle()
    before = pose_of(pendant)
    # Scrubbing a number is a drag by other means.
    pendant.find("pose-z").scroll_into_view_if_needed()
    box = pendant.find("pose-z").bounding_box()
    assert box is not None
    pendant.page.mouse.move(box["x"] + 40, box["y"] + 8)
    pendant.page.mouse.down()
    pendant.page.mouse.move(box["x"] - 40, box["y"] + 8, steps=6)
    pendant.page.mouse.up()
    expect(pendant.find("view-unreached")).to_contain_text("another one can reach it")
    pendant.find("teach-go-there").click()
    pendant.settle()
    expect(pendant.find("view-unreached")).to_have_count(0)
    after = pose_of(pendant)
    assert after[2, 3] < before[2, 3] - 0.02
    np.testing.assert_allclose(arm.fk(pendant.q), after, atol=1e-9)
