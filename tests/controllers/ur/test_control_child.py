"""The process that holds ur_rtde ends whatever happens to those that it talks to: nobody is left to end it."""

import subprocess
import time
from collections.abc import Iterator

import pytest

from openpendant.controllers.ur.control import control_command
from openpendant.controllers.ur.control_child import HANGS_S, LEAVE_WITHIN_S, MARK
from openpendant.virtual import VirtualHandle, start_virtual

ADDRESS = "127.0.12.61"
SLACK_S = 10.0
Child = subprocess.Popen[bytes]


@pytest.fixture
def robot() -> Iterator[VirtualHandle]:
    with start_virtual("ur3e", ADDRESS) as robot:
        yield robot


@pytest.fixture
def child(robot: VirtualHandle) -> Iterator[Child]:
    with Child(control_command(robot.address, 8.0), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as made:
        yield made
        made.kill()


def wait_for_control(child: Child) -> None:
    assert child.stdout is not None
    while (line := child.stdout.readline()) != f"{MARK}control \n".encode():
        assert line, "it takes the robot"


def leave(child: Child) -> None:
    """Go, as its owner."""
    assert child.stdin is not None
    child.stdin.close()


def test_it_gives_the_robot_back(robot: VirtualHandle, child: Child) -> None:
    wait_for_control(child)
    assert robot.state()["program_state"] == "PLAYING"
    leave(child)
    assert child.wait(LEAVE_WITHIN_S + SLACK_S) == 0
    assert robot.state()["program_state"] == "STOPPED"


def test_it_ends_where_the_controller_is_gone_too(robot: VirtualHandle, child: Child) -> None:
    wait_for_control(child)
    robot.fault("freeze", seconds=60.0)
    leave(child)
    robot.kill()
    child.wait(LEAVE_WITHIN_S + SLACK_S)


@pytest.mark.soak
@pytest.mark.timeout(120)
def test_it_ends_where_it_was_still_taking_the_robot(robot: VirtualHandle, child: Child) -> None:
    """ur_rtde then waits for a connection, for ever."""
    end = time.monotonic() + SLACK_S
    while robot.state()["program_state"] != "PLAYING":
        assert time.monotonic() < end
    robot.fault("freeze", seconds=60.0)
    leave(child)
    robot.kill()
    child.wait(HANGS_S + SLACK_S)
