"""RobotOrders on a UR3e and an IRB 120, each on its virtual controller: the same calls for both."""

import math
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

from openpendant import robots
from openpendant.compat import RobotOrders
from openpendant.errors import ControllerError, InputError, UnknownNameError

VIRTUAL = "127.0.14.10"
PATIENCE_S = 30.0


def wait_for(condition, what: str, within_s: float = PATIENCE_S) -> None:
    end = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < end, f"{what} did not happen within {within_s} s"
        time.sleep(0.002)


@pytest.fixture(scope="module")
def ur3e() -> Iterator[RobotOrders]:
    with RobotOrders("ur3e", virtual=VIRTUAL) as made:
        yield made


@pytest.fixture(scope="module")
def irb120() -> Iterator[RobotOrders]:
    with RobotOrders("irb120") as made:
        yield made


@pytest.fixture(params=["ur3e", "irb120"])
def orders(request: pytest.FixtureRequest) -> RobotOrders:
    """Each of them: no test starts one of its own, and each finds its robot at rest."""
    made: RobotOrders = request.getfixturevalue(request.param)
    wait_for(lambda: made.robot.state.ready and not made.robot.state.arms["arm"].moving, "a robot at rest")
    return made


def twelve() -> list[list[float]]:
    """Twelve moves: base 0 to 60 degrees, shoulder -90 to -120."""
    moves = []
    for index in range(12):
        base = math.radians(60.0 * (index if index < 6 else 11 - index) / 5.0)
        shoulder = math.radians(-90.0 - 30.0 * (index % 4) / 3.0)
        moves.append([base, shoulder, 0.0, -1.6, 0.0, 0.0])
    return moves


def twelve_moves_with_a_pause(orders: RobotOrders, pause_s: float) -> None:
    for index, angles in enumerate(twelve()):
        if index == 6:
            first = orders.robot.state.number
            rested_at = orders.ask4RobotJoints()
            end = time.monotonic() + pause_s
            wait_for(lambda end=end: time.monotonic() > end, "the pause", pause_s + PATIENCE_S)
            assert orders.robot.state.number > first + 50 * pause_s, "states are not fresh while idle"
            assert np.abs(np.array(orders.ask4RobotJoints()) - rested_at).max() < 0.001
            assert not any(event.kind in ("lost", "not ready") for event in orders.robot.events)
        assert orders.moveJoints(angles) == 1, orders.why
        assert np.abs(np.array(orders.ask4RobotJoints()) - angles).max() <= 0.01


def test_twelve_moves_and_a_pause_that_changes_nothing(ur3e: RobotOrders) -> None:
    twelve_moves_with_a_pause(ur3e, 2.5)


@pytest.mark.soak
def test_a_pause_of_a_minute_changes_nothing(ur3e: RobotOrders) -> None:
    twelve_moves_with_a_pause(ur3e, 60.0)


def test_it_blocks_until_all_joints_are_there(orders: RobotOrders) -> None:
    start = np.array(orders.ask4RobotJoints())
    for by in (0.4, -0.4):
        goal = start + np.array([by, 0.0, 0.0, 0.0, 0.0, by / 4.0])
        begin = time.monotonic()
        assert orders.moveJoints(goal) == 1, orders.why
        assert time.monotonic() - begin > 0.1, "it returned at once"
        assert np.abs(np.array(orders.ask4RobotJoints()) - goal).max() <= 0.01
    assert orders.moveJoints(start) == 1


def test_the_position_is_in_metres_in_base(orders: RobotOrders) -> None:
    model = robots.load(orders.robot.name)
    T_root_flange = model.arm().fk(orders.ask4RobotJoints(), check_limits=False)
    x, y, z = orders.ask4AbsPosition()
    # The makers' own frames: UR's base is turned by half a turn against base_link.
    sign = -1.0 if orders.robot.name == "ur3e" else 1.0
    assert (sign * x, sign * y, z) == pytest.approx(tuple(T_root_flange[:3, 3]), abs=1e-3)


def test_the_position_is_what_the_controller_itself_says(ur3e: RobotOrders) -> None:
    told = ur3e.runtime.virtual("ur3e").read("actual_TCP_pose")["actual_TCP_pose"]
    assert ur3e.ask4AbsPosition() == pytest.approx(told[:3], abs=1e-3)


def test_a_stop_from_elsewhere_gives_0_and_says_why(orders: RobotOrders) -> None:
    start = np.array(orders.ask4RobotJoints())
    results: list[int] = []
    goal = start + np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    thread = threading.Thread(target=lambda: results.append(orders.moveJoints(goal)))
    thread.start()
    wait_for(lambda: abs(orders.ask4RobotJoints()[0] - start[0]) > 0.05, "a motion")
    orders.robot.stop()
    thread.join()
    assert results == [0]
    assert "stopped" in orders.why
    assert orders.moveJoints(start) == 1
    assert orders.why == ""


def test_orders_of_several_threads_come_one_after_another(orders: RobotOrders) -> None:
    start = np.array(orders.ask4RobotJoints())
    results: list[int] = []
    goals = [start + np.array([by, 0.0, 0.0, 0.0, 0.0, 0.0]) for by in (0.1, -0.1, 0.2)]
    threads = [threading.Thread(target=lambda goal=goal: results.append(orders.moveJoints(goal))) for goal in goals]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [1, 1, 1]
    assert orders.moveJoints(start) == 1


def test_the_velocity_law(ur3e: RobotOrders) -> None:
    start = np.array(ur3e.ask4RobotJoints())
    ur3e._law, ur3e._gain = True, 1.5
    try:
        goal = start + np.array([-0.6, 0.1, 0.0, 0.05, 0.0, 0.3])
        assert ur3e.moveJoints(goal) == 1, ur3e.why
        assert np.abs(np.array(ur3e.ask4RobotJoints()) - goal).max() <= 0.01
    finally:
        ur3e._law = False
    assert ur3e.moveJoints(start) == 1


def test_a_lost_link_gives_0_no_old_joints_and_heals(ur3e: RobotOrders) -> None:
    start = np.array(ur3e.ask4RobotJoints())
    results: list[int] = []
    goal = start + np.array([-1.5, 0.0, 0.0, 0.0, 0.0, 0.0])
    thread = threading.Thread(target=lambda: results.append(ur3e.moveJoints(goal)))
    thread.start()
    wait_for(lambda: abs(ur3e.ask4RobotJoints()[0] - start[0]) > 0.05, "a motion")
    ur3e.runtime.virtual("ur3e").fault("drop", seconds=0.5)
    wait_for(lambda: not ur3e.robot.state.connected, "the truth", 5.0)
    with pytest.raises(ControllerError, match="no contact"):
        ur3e.ask4RobotJoints()
    thread.join()
    assert results == [0]
    assert ur3e.moveJoints(start) == 1, ur3e.why


@pytest.mark.parametrize("angles", [[0.0] * 5, [float("nan")] * 6, [100.0] + [0.0] * 5, "six"])
def test_bad_angles_are_refused(orders: RobotOrders, angles) -> None:
    with pytest.raises(InputError):
        orders.moveJoints(angles)


def test_bad_robots_are_refused() -> None:
    with pytest.raises(UnknownNameError):
        RobotOrders("irb121")
    with pytest.raises(InputError, match="2 arms"):
        RobotOrders("yumi")
    with pytest.raises(InputError, match="gain"):
        RobotOrders("irb120", gain=0.0)
