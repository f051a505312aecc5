"""A crane in a running cell: jogged, led along paths, its tool worked by outputs, its programs uploaded and stopped."""

import time
from collections.abc import Iterator

import numpy as np
import pytest
from cranes import crane_cell, program, wait_for

from openpendant.controllers import VendorTasks, VendorText
from openpendant.errors import InputError
from openpendant.messages import JointIntent
from openpendant.motion import MoveJoint, Trajectory, joint_limits, plan
from openpendant.programs import MoveAxis, Tool, Wait
from openpendant.runtime import CellRuntime, Corridor, RemoteRobot
from openpendant.virtual import VirtualHandle, start_virtual

SLOW = "127.0.21.31"
THERE = MoveAxis(id="there", q=(0.25, 0.5), speed="60%")
BACK = MoveAxis(id="back", q=(0.0, 0.4), speed="60%")
LIFTS = program(
    THERE, Tool(id="take", state="close"), Wait(id="rest", seconds=0.2), Tool(id="drop", state="open"), BACK
)
LONG = program(MoveAxis(id="far", q=(2.5, 0.6), speed="20%"), BACK, name="long")


@pytest.fixture(scope="module")
def runtime() -> Iterator[CellRuntime]:
    with CellRuntime(crane_cell(), programs={one.name: one for one in (LIFTS, LONG)}, name="test") as made:
        made.robot("crane").wait_ready()
        yield made


@pytest.fixture
def crane(runtime: CellRuntime) -> Iterator[RemoteRobot]:
    robot = runtime.robot("crane")
    yield robot
    runtime.stop()
    assert robot.move_joints((0.0, 0.4)).reached


def test_it_says_what_it_can_do(crane: RemoteRobot) -> None:
    known = crane.state.capabilities
    assert (known.servo, known.sampled, known.dialects, known.arms) == (True, True, ("crane",), ("arm",))
    assert known.state_s == 0.0


def test_it_goes_along_paths_and_by_hand(crane: RemoteRobot) -> None:
    assert crane.move_joints((0.4, 0.7)).reached
    job = crane.engage()
    start = crane.q()

    def jog() -> bool:
        stamp_ns = time.monotonic_ns()
        crane.intend(JointIntent(source=crane.client_id, stamp_ns=stamp_ns, velocity=(0.3, 0.0)))
        return bool(crane.q()[0] > start[0] + 0.05)

    wait_for(jog, "a jog")
    assert crane.stop().reached
    assert crane.wait_job(job)[0] == "stopped"


def test_its_tool_is_worked_by_outputs(crane: RemoteRobot) -> None:
    crane.move_tool(closes=True)
    wait_for(lambda: crane.state.outputs["pull"] and crane.state.inputs["has it"], "a part at the magnet")
    wait_for(lambda: not crane.state.arms["arm"].tool_moving, "the end of the stroke")
    crane.move_tool(closes=False)
    wait_for(lambda: not crane.state.inputs["has it"], "the magnet to let go")


@pytest.mark.parametrize("mode", ["streamed", "uploaded"])
def test_a_program_runs_in_both_ways(runtime: CellRuntime, crane: RemoteRobot, mode: str) -> None:
    run = runtime.start_run(LIFTS, mode=mode)
    wait_for(lambda: crane.state.inputs["has it"] or run.status == "failed", "a part at the magnet")
    assert run.wait(60.0) == "done", (run.message, crane.events[-8:])
    assert run.mode == mode
    assert np.abs(crane.q() - (0.0, 0.4)).max() < 0.01
    assert not crane.state.outputs["pull"]


def test_an_uploaded_program_is_stopped_with_all_its_tasks(runtime: CellRuntime, crane: RemoteRobot) -> None:
    run = runtime.start_run(LONG, mode="uploaded")
    wait_for(lambda: bool(np.abs(crane.state.arms["arm"].qd).max() > 0.05) or run.status == "failed", "a motion")
    assert crane.state.arms["arm"].doing == "uploaded", run.message
    outcome = crane.stop()
    assert outcome.reached
    assert outcome.rest_s is not None
    assert run.wait(30.0) == "stopped"
    assert runtime.virtual("crane").state()["program_state"] == "STOPPED"


@pytest.fixture(scope="module")
def slow() -> Iterator[VirtualHandle]:
    with start_virtual("crane", SLOW) as handle:
        handle.fault("slow")
        yield handle


@pytest.fixture(scope="module")
def deaf_runtime(slow: VirtualHandle) -> Iterator[CellRuntime]:
    with CellRuntime(crane_cell(), addresses={"crane": SLOW}, programs={"lift": LIFTS}, name="test") as made:
        made.robot("crane").wait_ready()
        yield made


@pytest.fixture
def deaf(deaf_runtime: CellRuntime, slow: VirtualHandle) -> CellRuntime:
    """A cell whose crane takes no setpoints, and says how it is every 0.25 s; it is connected and at rest."""
    robot = deaf_runtime.robot("crane")
    robot.wait_ready()
    wait_for(lambda: not robot.state.arms["arm"].moving, "a crane at rest")
    assert slow.state()["program_state"] == "STOPPED"
    return deaf_runtime


def test_without_setpoints_it_is_connected_all_the_time(deaf: CellRuntime) -> None:
    robot = deaf.robot("crane")
    known = robot.state.capabilities
    assert (known.servo, known.sampled, known.state_s) == (False, False, 0.25)
    end = time.monotonic() + 3.0
    while time.monotonic() < end:
        assert robot.state.connected, robot.state
        time.sleep(0.01)


def test_without_setpoints_jogs_and_paths_are_refused_in_words(deaf: CellRuntime) -> None:
    robot = deaf.robot("crane")
    q = robot.q()
    placed = robot.placed()
    path = plan(placed.kinematics, joint_limits(placed.model, "arm"), q, [MoveJoint(q + 0.1)])
    assert isinstance(path, Trajectory)
    robot.acquire()
    for order in (robot.engage, lambda: robot.follow(path), lambda: robot.approach(q + 0.1)):
        with pytest.raises(InputError, match="accepts no setpoints") as refused:
            order()
        assert refused.value.code == "robot.no_servo"
    with pytest.raises(InputError, match="its programs run on its own controller") as refused:
        deaf.start_run(LIFTS, mode="streamed")
    assert refused.value.code == "run.no_servo"
    assert np.abs(robot.q() - q).max() < 1e-6


def test_without_setpoints_a_run_is_uploaded_by_itself_and_stopped(deaf: CellRuntime) -> None:
    robot = deaf.robot("crane")
    run = deaf.start_run(LIFTS)
    assert run.mode == "uploaded"
    assert run.wait(60.0) == "done", (run.message, robot.events[-8:])
    run = deaf.start_run(LIFTS)
    wait_for(lambda: bool(np.abs(robot.state.arms["arm"].qd).max() > 0.05) or run.status == "failed", "a motion")
    assert robot.stop().reached
    assert run.wait(30.0) == "stopped", run.message


def test_without_setpoints_silence_is_told_within_a_second(deaf: CellRuntime, slow: VirtualHandle) -> None:
    robot = deaf.robot("crane")
    slow.fault("silence", seconds=3.0)
    wait_for(lambda: not robot.state.connected, "the loss")
    first = robot.state
    assert (first.stamp_ns - first.state_ns) * 1e-9 < 1.0
    slow.fault("silence", seconds=0.0)
    robot.wait_ready()


def test_a_crane_that_gets_quick_again_takes_setpoints(deaf: CellRuntime, slow: VirtualHandle) -> None:
    robot = deaf.robot("crane")
    slow.fault("clear")
    try:
        wait_for(lambda: robot.state.capabilities.servo, "a crane that takes setpoints")
    finally:
        slow.fault("slow")
    wait_for(lambda: not robot.state.capabilities.servo, "a crane that takes none")


def test_its_key_is_told(deaf: CellRuntime, slow: VirtualHandle) -> None:
    robot = deaf.robot("crane")
    wait_for(lambda: robot.state.operating == "automatic", "its key")
    for told in ("manual", "automatic"):
        slow.press("turn_key")
        wait_for(lambda told=told: robot.state.operating == told, f"its key at {told}")


def test_a_task_that_moves_an_arm_which_nobody_watches_is_refused(crane: RemoteRobot) -> None:
    q = crane.q()
    texts = (
        VendorText("crane", "swing", "go 0.1 0.5 0.4", task="joints", arm="arm"),
        VendorText("crane", "other", "wait 1", task="other", arm="left"),
    )
    crane.acquire()
    with pytest.raises(InputError, match="also moves left"):
        crane.upload("job", "arm", VendorTasks("both", texts), Corridor(q[None, :]), tuple(q.tolist()))
    assert crane.state.arms["arm"].doing == "nothing"
