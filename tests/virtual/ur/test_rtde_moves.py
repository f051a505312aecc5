"""RTDEControlInterface of ur_rtde, unmodified, on a virtual UR3e: moves, paths, stops."""

import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from rtde_control import Path, PathEntry, RTDEControlInterface
from rtde_receive import RTDEReceiveInterface
from waiting import wait_until

from openpendant.virtual.launch import VirtualHandle, start_virtual

HOME = [0.0, -1.6, 1.2, -1.2, -1.57, 0.0]
AWAY = [0.5, -1.3, 1.4, -1.6, -1.4, 0.4]
ASYNC = True


@pytest.fixture(scope="module")
def robot() -> Iterator[VirtualHandle]:
    with start_virtual("ur3e", "127.0.11.30", start_q=HOME) as robot:
        yield robot


@pytest.fixture(scope="module")
def shared(robot: VirtualHandle) -> Iterator[RTDEControlInterface]:
    control = RTDEControlInterface(robot.address)
    yield control
    control.stopScript()
    control.disconnect()


@pytest.fixture
def control(shared: RTDEControlInterface) -> RTDEControlInterface:
    """A control interface with the arm at home."""
    assert shared.moveJ(HOME, 3.0, 10.0)
    return shared


@pytest.fixture(scope="module")
def receive(robot: VirtualHandle) -> Iterator[RTDEReceiveInterface]:
    receive = RTDEReceiveInterface(robot.address)
    yield receive
    receive.disconnect()


def at(receive: RTDEReceiveInterface, q: list[float]) -> bool:
    return bool(np.allclose(receive.getTargetQ(), q, atol=1e-6))


def moved(pose: list[float], dx: float = 0.0, dy: float = 0.0, dz: float = 0.0) -> list[float]:
    return [pose[0] + dx, pose[1] + dy, pose[2] + dz, *pose[3:]]


class Watcher:
    """Collects what the arm does while something else waits."""

    def __init__(self, receive: RTDEReceiveInterface) -> None:
        self._receive = receive
        self.q: list[list[float]] = []
        self.pose: list[list[float]] = []
        self.speed: list[float] = []

    def until(self, condition: Callable[[], bool]) -> None:
        def looked() -> bool:
            self.q.append(self._receive.getTargetQ())
            self.pose.append(self._receive.getTargetTCPPose())
            self.speed.append(float(np.linalg.norm(self._receive.getTargetTCPSpeed()[:3])))
            return condition()

        wait_until(looked, "the end of the move")


def test_move_j(control: RTDEControlInterface, receive: RTDEReceiveInterface):
    assert control.moveJ(AWAY, 2.0, 5.0)
    wait_until(lambda: at(receive, AWAY), "the target")
    wait_until(lambda: np.allclose(receive.getActualQ(), AWAY, atol=2e-3), "the arm")


def test_move_j_obeys_its_speed(control: RTDEControlInterface, receive: RTDEReceiveInterface):
    watcher = Watcher(receive)
    fastest: list[float] = [0.0]

    def done() -> bool:
        fastest[0] = max(fastest[0], float(np.abs(receive.getTargetQd()).max()))
        return at(receive, AWAY)

    control.moveJ(AWAY, 0.8, 3.0, ASYNC)
    watcher.until(done)
    assert 0.6 < fastest[0] <= 0.8 + 1e-6


def test_move_l_is_straight(control: RTDEControlInterface, receive: RTDEReceiveInterface):
    start = receive.getTargetTCPPose()
    goal = moved(start, dx=0.08, dz=-0.1)
    watcher = Watcher(receive)
    control.moveL(goal, 0.2, 1.0, ASYNC)
    watcher.until(lambda: bool(np.allclose(receive.getTargetTCPPose(), goal, atol=1e-6)))
    points = np.array(watcher.pose)[:, :3]
    way = np.array(goal[:3]) - np.array(start[:3])
    way /= np.linalg.norm(way)
    off = points - start[:3] - np.outer((points - start[:3]) @ way, way)
    assert np.linalg.norm(off, axis=1).max() < 1e-4
    assert max(watcher.speed) == pytest.approx(0.2, rel=0.01)
    wait_until(lambda: control.isSteady(), "rest")


def test_move_j_ik_and_move_l_fk(control: RTDEControlInterface, receive: RTDEReceiveInterface):
    pose = moved(receive.getTargetTCPPose(), dy=0.06)
    assert control.moveJ_IK(pose, 2.0, 5.0)
    wait_until(lambda: bool(np.allclose(receive.getTargetTCPPose(), pose, atol=1e-5)), "the pose")
    assert control.moveL_FK(HOME, 0.5, 2.0)
    wait_until(lambda: at(receive, HOME), "home")


def test_a_joint_path_is_blended(control: RTDEControlInterface, receive: RTDEReceiveInterface):
    middle = [0.25, -1.3, 1.0, -1.2, -1.57, 0.0]
    path = [[*middle, 1.5, 4.0, 0.02], [*AWAY, 1.5, 4.0, 0.0]]
    watcher = Watcher(receive)
    assert control.moveJ(path, ASYNC)
    watcher.until(lambda: at(receive, AWAY))
    near = np.linalg.norm(np.array(watcher.q) - middle, axis=1).min()
    moving = [speed for speed in watcher.speed if speed > 0.0]
    assert near < 0.2
    assert min(moving[len(moving) // 4 : 3 * len(moving) // 4]) > 0.01


def test_a_straight_path_is_blended(control: RTDEControlInterface, receive: RTDEReceiveInterface):
    start = receive.getTargetTCPPose()
    corner, goal = moved(start, dx=0.08), moved(start, dx=0.08, dy=0.08)
    watcher = Watcher(receive)
    assert control.moveL([[*corner, 0.2, 1.0, 0.02], [*goal, 0.2, 1.0, 0.0]], ASYNC)
    watcher.until(lambda: bool(np.allclose(receive.getTargetTCPPose(), goal, atol=1e-6)))
    off = np.linalg.norm(np.array(watcher.pose)[:, :3] - corner[:3], axis=1)
    assert 1e-4 < off.min() < 0.02
    inside = [speed for speed, d in zip(watcher.speed, off, strict=True) if d < 0.02]
    assert min(inside) > 0.02


def test_move_path_mixes_moves(control: RTDEControlInterface, receive: RTDEReceiveInterface):
    pose = receive.getTargetTCPPose()
    path = Path()
    path.addEntry(PathEntry(PathEntry.MoveJ, PathEntry.PositionJoints, [*AWAY, 2.0, 5.0, 0.0]))
    path.addEntry(PathEntry(PathEntry.MoveL, PathEntry.PositionTcpPose, [*pose, 0.3, 1.0, 0.01]))
    path.addEntry(PathEntry(PathEntry.MoveL, PathEntry.PositionTcpPose, [*moved(pose, dz=-0.05), 0.3, 1.0, 0.0]))
    assert control.movePath(path)
    wait_until(lambda: bool(np.allclose(receive.getTargetTCPPose(), moved(pose, dz=-0.05), atol=1e-5)), "the end")


def test_asynchronous_progress_is_told(control: RTDEControlInterface, receive: RTDEReceiveInterface):
    assert control.moveJ([[*AWAY, 1.5, 4.0, 0.0], [*HOME, 1.5, 4.0, 0.0]], ASYNC)
    seen: list[int] = []

    def over() -> bool:
        seen.append(control.getAsyncOperationProgress())
        return seen[-1] < 0 and at(receive, HOME)

    wait_until(over, "the end of the path")
    assert {0, 1} <= set(seen)
    status = control.getAsyncOperationProgressEx()
    assert not status.isAsyncOperationRunning()


@pytest.mark.parametrize("stop", ["stopJ", "stopL"])
def test_a_running_move_is_stopped(control: RTDEControlInterface, receive: RTDEReceiveInterface, stop: str):
    far = [1.5, *HOME[1:]]
    control.moveJ(far, 1.0, 3.0, ASYNC)
    wait_until(lambda: receive.getTargetQ()[0] > 0.2, "the arm to move")
    getattr(control, stop)(4.0)
    wait_until(lambda: np.abs(receive.getTargetQd()).max() < 1e-9, "rest")
    assert 0.2 < receive.getTargetQ()[0] < 1.4
    assert control.isProgramRunning()


def test_a_target_out_of_reach_is_refused(control: RTDEControlInterface, receive: RTDEReceiveInterface):
    pose = moved(receive.getTargetTCPPose(), dx=5.0)
    assert not control.isPoseWithinSafetyLimits(pose)
    assert not control.isJointsWithinSafetyLimits([math.tau + 1.0, *HOME[1:]])
    assert control.isJointsWithinSafetyLimits(HOME)
    assert not control.moveJ_IK(pose, 1.0, 1.0) or at(receive, HOME)
