"""A cell that runs, with kinematic robots: moves, leases, kills, freezes, programs, work in other processes."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from running_cells import PATIENCE_S, one_robot, start_client, two_robots, wait_for

from openpendant.errors import ControllerError, InputError, UnknownNameError
from openpendant.messages import JointIntent
from openpendant.motion import Speed
from openpendant.runtime import CellRuntime, LeaseError
from openpendant.scene import encode_cell

SLOW = Speed(joint_fraction=0.2)


@pytest.fixture(scope="module")
def runtime() -> Iterator[CellRuntime]:
    with CellRuntime(two_robots(), virtual=False, name="test") as made:
        yield made


@pytest.fixture(autouse=True)
def _at_rest(runtime: CellRuntime) -> Iterator[None]:
    yield
    for name in runtime.robots:
        robot = runtime.robot(name)
        robot.wait_ready()
        robot.stop()
        wait_for(lambda robot=robot: not any(arm.moving for arm in robot.state.arms.values()), "rest")
        robot.release()


def in_thread(act) -> threading.Thread:
    thread = threading.Thread(target=act)
    thread.start()
    return thread


def test_two_robots_move_at_once(runtime: CellRuntime) -> None:
    results = {}

    def move(name: str, by: float) -> None:
        robot = runtime.robot(name)
        goal = robot.q() + by
        results[name] = (goal, robot.move_joints(goal, speed=Speed(joint_fraction=0.5)))

    threads = [in_thread(lambda name=name: move(name, 0.2)) for name in ("left arm", "right")]
    for thread in threads:
        thread.join()
    for goal, moved in results.values():
        assert moved.reached, moved.reason
        assert np.abs(moved.q - goal).max() < 1e-6
    state = runtime.robot("right").state
    assert state.connected
    assert state.ready
    assert state.holder == "test"


def test_states_are_fresh_while_nothing_moves(runtime: CellRuntime) -> None:
    robot = runtime.robot("right")
    first = robot.state
    wait_for(lambda: robot.state.number >= first.number + 20, "twenty more reports")
    assert robot.state.connected


def test_a_move_can_be_paused_resumed_and_stopped_from_elsewhere(runtime: CellRuntime) -> None:
    robot = runtime.robot("right")
    start, results = robot.q(), []
    goal = start + np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    thread = in_thread(lambda: results.append(robot.move_joints(goal, speed=SLOW)))
    wait_for(lambda: robot.q()[0] > start[0] + 0.1, "a part of the way")
    robot.pause()
    wait_for(lambda: robot.state.arms["arm"].outcome == "paused", "the pause")
    robot.resume()
    wait_for(lambda: robot.q()[0] > start[0] + 0.3, "more of the way")
    runtime.stop()
    thread.join()
    assert not results[0].reached
    assert results[0].outcome == "stopped"
    assert "stopped by test" in results[0].reason
    assert robot.move_joints(start).reached


def test_one_client_at_a_time_and_a_supervisor_above(runtime: CellRuntime) -> None:
    from openpendant.runtime import Bus, CellLink, RemoteRobot

    robot = runtime.robot("right")
    robot.acquire()
    with Bus.join(runtime.endpoint) as session:
        link = CellLink(session, runtime.cell.name, "boss")
        other = RemoteRobot("right", runtime.scene, link)
        other.wait_ready()
        with pytest.raises(LeaseError, match="test has control"):
            other.move_joints(other.q() + 0.01)
        results = []
        goal = robot.q() + np.array([1.5, 0.0, 0.0, 0.0, 0.0, 0.0])
        thread = in_thread(lambda: results.append(robot.move_joints(goal, speed=SLOW)))
        wait_for(lambda: robot.state.arms["arm"].moving, "a motion")
        other.acquire(take_over=True)
        thread.join()
        assert results[0].outcome == "stopped"
        assert "boss takes over from test" in results[0].reason
        with pytest.raises(LeaseError, match="boss has control"):
            robot.move_joints(robot.q() + 0.01)
        assert other.move_joints(other.q() - 0.05).reached
        link.close()
    assert robot.move_joints(robot.q() + 0.01).reached


@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "frozen"])
def test_a_client_that_dies_or_freezes_stops_its_robot(runtime: CellRuntime, kind: signal.Signals) -> None:
    robot = runtime.robot("left arm")
    robot.release()
    q = robot.q()
    away = q + np.array([1.5, 0.0, 0.0, 0.0, 0.0, 0.0])
    client = start_client(runtime.endpoint, encode_cell(runtime.cell).decode(), "left arm", away.tolist(), q.tolist())
    try:
        assert client.stdout is not None
        assert client.stdout.readline() == "ready\n"
        wait_for(lambda: robot.state.arms["arm"].moving, "a motion")
        client.send_signal(kind)
        wait_for(lambda: robot.state.holder == "", "the end of the lease", 10.0)
        wait_for(lambda: not robot.state.arms["arm"].moving, "rest", 10.0)
        arm = robot.state.arms["arm"]
        assert arm.outcome == "stopped"
        assert "client" in arm.reason
        assert robot.move_joints(q).reached
    finally:
        client.kill()
        client.wait()
        client.stdout.close()


@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "frozen"])
def test_a_robots_process_is_started_anew(runtime: CellRuntime, kind: signal.Signals) -> None:
    robot = runtime.robot("right")
    robot.wait_ready()
    before = robot.state.pid
    os.kill(before, kind)
    wait_for(lambda: not robot.state.connected, "the truth", 5.0)
    assert not robot.state.ready
    wait_for(lambda: robot.state.pid != before and robot.state.ready, "a new process")
    assert robot.move_joints(robot.q() + 0.05).reached
    kinds = [event.kind for event in runtime.events if event.robot == "right"]
    assert "process ended" in kinds


def test_a_process_that_stood_still_does_not_take_its_holder_for_gone(runtime: CellRuntime) -> None:
    robot = runtime.robot("right")
    robot.wait_ready()
    robot.acquire()
    before = robot.state.pid
    for _ in range(3):
        os.kill(before, signal.SIGSTOP)
        time.sleep(1.0)
        number = robot.state.number
        os.kill(before, signal.SIGCONT)
        wait_for(lambda number=number: robot.state.number > number + 20, "new reports")
        assert robot.state.pid == before
        assert robot.state.holder == "test"


def test_a_stop_reaches_everybody_though_one_is_frozen(runtime: CellRuntime) -> None:
    frozen, robot = runtime.robot("left arm"), runtime.robot("right")
    for one in (frozen, robot):
        one.wait_ready()
    q, before = robot.q(), frozen.state.pid
    os.kill(before, signal.SIGSTOP)
    with ThreadPoolExecutor(1) as pool:
        move = pool.submit(robot.move_joints, q + np.array([1.5, 0.0, 0.0, 0.0, 0.0, 0.0]), speed=SLOW)
        wait_for(lambda: abs(robot.q()[0] - q[0]) > 0.02, "a motion")
        outcomes = runtime.stop()
        assert not move.result().reached
    assert not outcomes["left arm"].reached
    assert outcomes["left arm"].reason == "its process does not respond"
    assert outcomes["left arm"].rest_s is None
    assert outcomes["right"].reached
    assert outcomes["right"].how == "along the path"
    assert outcomes["right"].rest_s is not None
    assert 0.0 < outcomes["right"].rest_s < 1.0
    assert robot.state.arms["arm"].outcome == "stopped"
    assert robot.move_joints(q).reached
    wait_for(lambda: frozen.state.pid != before and frozen.state.ready, "a new process")


def test_intents_jog_an_arm(runtime: CellRuntime) -> None:
    robot = runtime.robot("right")
    robot.engage()
    start = robot.q()

    def jogged() -> bool:
        robot.intend(
            JointIntent(
                source=robot.client_id,
                stamp_ns=time.monotonic_ns(),
                velocity=(0.2, 0.0, 0.0, 0.0, 0.0, 0.0),
            )
        )
        return robot.q()[0] > start[0] + 0.05

    wait_for(jogged, "the jog")
    wait_for(lambda: max(abs(v) for v in robot.state.arms["arm"].qd) == 0.0, "rest after the last intent")


def test_junk_on_the_bus_harms_nobody(runtime: CellRuntime) -> None:
    from openpendant.runtime import Bus
    from openpendant.runtime.bus import key

    robot = runtime.robot("right")
    pid = robot.state.pid
    with Bus.join(runtime.endpoint) as stranger:
        for end in ("state", "event", "intent", "lease"):
            for name in ("right", "left arm"):
                stranger.publish(key(runtime.cell.name, name, end), b"\xc1junk")
        answer = stranger.request(key(runtime.cell.name, "right", "command"), b"\xc1junk", 5.0)
    assert b"no command" in answer
    assert robot.move_joints(robot.q() + 0.02).reached
    assert robot.state.pid == pid


def test_bad_input_is_refused_with_words(runtime: CellRuntime) -> None:
    robot = runtime.robot("right")
    with pytest.raises(InputError, match="6"):
        robot.move_joints([0.0, 1.0])
    with pytest.raises(InputError):
        robot.move_joints([float("nan")] * 6)
    with pytest.raises(InputError, match="allowed"):
        robot.move_joints([99.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    with pytest.raises(UnknownNameError):
        runtime.robot("middle")
    with pytest.raises(InputError, match="no arm 'third'"):
        robot.q("third")
    robot.acquire()
    with pytest.raises(InputError, match="no output named 'nothing'"):
        robot.set_output("nothing", value=True)
    with pytest.raises(UnknownNameError):
        CellRuntime(two_robots(), addresses={"nobody": "127.0.13.200"})
    with pytest.raises(InputError, match="there is no driver for a rx90l"):
        CellRuntime(one_robot("rx90l", "right"), addresses={"right": "127.0.13.200"})


def test_a_process_that_cannot_run_ends_the_start() -> None:
    broken = CellRuntime(one_robot("irb120"), virtual=False, start={"arm": {"arm": [0.0] * 6}})
    broken._starts = {"other": {}}
    broken._joints = lambda robot: {"arm": (99.0,) * 6}
    with (
        pytest.raises(ControllerError, match=r"nothing received from arm: process of arm ended with status 1"),
        broken,
    ):
        pass


def test_a_runtime_that_does_not_run_says_so() -> None:
    idle = CellRuntime(two_robots())
    with pytest.raises(InputError, match="not running"):
        idle.robot("right")
    idle.close()


def test_nothing_is_left_behind() -> None:
    before = set(threading.enumerate())
    with CellRuntime(one_robot("irb120"), virtual=False) as short:
        pid = short.pids()["arm"]
    wait_for(lambda: set(threading.enumerate()) <= before, "the end of all threads", PATIENCE_S)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    outcome = short.robot("arm").stop()
    assert not outcome.reached
    assert outcome.reason
