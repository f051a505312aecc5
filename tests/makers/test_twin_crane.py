"""A crane with two booms: programs for both are uploaded as one job, with one progress and one stop."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from cranes import wait_for

from openpendant.controllers import VendorTasks, VendorText
from openpendant.errors import ControllerError, InputError
from openpendant.makers import DriverArm, DriverSetup, find_maker
from openpendant.messages import Pose
from openpendant.motion import joint_limits
from openpendant.programs import Call, MoveAxis, Program
from openpendant.robots import load
from openpendant.runtime import CellRuntime, Corridor, RemoteRobot, WatchedArm
from openpendant.runtime.upload import prepare_upload
from openpendant.scene import Cell, CellRobot
from openpendant.testing import NullModem, VirtualTime, check_controller

HOME = (0.0, 0.4)
BOOM_M = 0.8
ARMS = ("near", "far")


def lift(name: str, arm: str, *steps: MoveAxis | Call) -> Program:
    return Program(name=name, robot="twin", arm=arm, steps=steps)


FETCH = lift("fetch", "far", MoveAxis(id="out", q=(0.6, 0.6), speed="100%"), MoveAxis(id="in", q=HOME, speed="60%"))
TURNS = lift(
    "turns",
    "near",
    MoveAxis(id="a", q=(-0.4, 0.5), speed="60%"),
    Call(id="b", program="fetch"),
    MoveAxis(id="c", q=HOME, speed="60%"),
)
LONG = lift("long", "near", MoveAxis(id="d", q=(0.1, 0.4), speed="60%"), Call(id="e", program="slow"))
SLOW = lift("slow", "far", MoveAxis(id="f", q=(2.5, 0.4), speed="30%"))
DIP = lift("dip", "far", MoveAxis(id="h", q=(0.25, 0.5), speed="100%"), MoveAxis(id="i", q=HOME, speed="100%"))
NODS = lift(
    "nods",
    "near",
    MoveAxis(id="j", q=(-0.15, 0.45), speed="60%"),
    Call(id="k", program="dip"),
    MoveAxis(id="l", q=HOME, speed="60%"),
)
PROGRAMS = {one.name: one for one in (FETCH, TURNS, LONG, SLOW, DIP, NODS)}


def twin_cell() -> Cell:
    return Cell(name="dock", robots=(CellRobot(name="twin", model="twin"),))


@pytest.fixture(scope="module")
def runtime() -> Iterator[CellRuntime]:
    with CellRuntime(twin_cell(), programs=PROGRAMS, name="test") as made:
        made.robot("twin").wait_ready()
        yield made


@pytest.fixture
def twin(runtime: CellRuntime) -> Iterator[RemoteRobot]:
    robot = runtime.robot("twin")
    yield robot
    runtime.stop()
    for arm in ARMS:
        assert robot.move_joints(HOME, arm=arm).reached


def speeds(twin: RemoteRobot) -> dict[str, float]:
    arms = twin.state.arms
    return {arm: float(np.abs(arms[arm].qd).max()) for arm in ARMS}


def both(near: str, far: str) -> VendorTasks:
    texts = (("near", near), ("far", far))
    return VendorTasks("both", tuple(VendorText("crane", arm, text, task=arm, arm=arm) for arm, text in texts))


def line(*q: tuple[float, float]) -> Corridor:
    """The straight way through these joints."""
    share = np.linspace(0.0, 1.0, 101)[:, None]
    return Corridor(np.concatenate([a + share * np.subtract(b, a) for a, b in pairwise(q)]))


def upload(twin: RemoteRobot, text: VendorTasks, near: Corridor, *others: WatchedArm) -> str:
    twin.acquire()
    twin.upload("job", "near", text, near, HOME, others=others)
    return "job"


@pytest.mark.virtual_time
@pytest.mark.parametrize("arm", ARMS)
def test_its_driver_passes_the_kit_with_a_program_for_each_boom(arm: str) -> None:
    from toy_crane.host import CraneHost

    robot = load("twin")
    maker = find_maker(robot)
    assert maker is not None
    arms = tuple(DriverArm(name, joint_limits(robot, name)) for name in ARMS)
    tasks = both("go 0.1 0.5 0.4\nmeet\ngo 0.0 0.4 0.4", "go -0.1 0.5 0.2\nmeet\ngo 0.0 0.4 0.4")
    host, clock = CraneHost("twin", HOME * 2, in_process=True), VirtualTime()
    setup = DriverSetup(maker.parse_address("twin"), robot, arms, {}, {}, NullModem(host, clock))
    report = check_controller(lambda: maker.make_driver(setup), arm=arm, program=tasks, clock=clock)
    host.close()
    assert report.ok, str(report)
    assert {check.name for check in report.checks if check.left_out} == {"tells a loss, and recovers by itself"}


def test_a_program_that_calls_one_for_the_other_boom_is_one_job(runtime: CellRuntime, twin: RemoteRobot) -> None:
    run = runtime.start_run(TURNS, mode="uploaded")
    turns: list[str] = []
    jobs: set[str] = set()

    def over() -> bool:
        moving = [arm for arm, speed in speeds(twin).items() if speed > 0.05]
        assert len(moving) < 2, "each boom waits for its turn"
        if moving and moving[0] not in turns[-1:]:
            turns.append(moving[0])
            assert {twin.state.arms[arm].doing for arm in ARMS} == {"uploaded"}
            jobs.update(twin.state.arms[arm].job for arm in ARMS)
        return run.status in ("done", "failed", "stopped")

    wait_for(over, "the end of the run")
    assert run.status == "done", (run.message, twin.events[-8:])
    assert turns == ["near", "far", "near"]
    assert len(jobs) == 1
    assert all(np.abs(twin.q(arm) - HOME).max() < 0.01 for arm in ARMS)


def test_one_stop_stops_both(runtime: CellRuntime, twin: RemoteRobot) -> None:
    run = runtime.start_run(LONG, mode="uploaded")
    wait_for(lambda: speeds(twin)["far"] > 0.05 or run.status == "failed", "a motion of the other boom")
    assert twin.stop().reached
    assert run.wait(30.0) == "stopped", run.message
    assert {twin.state.arms[arm].outcome for arm in ARMS} == {"stopped"}
    assert runtime.virtual("twin").state()["program_state"] == "STOPPED"


def test_both_start_together_and_one_that_leaves_its_corridor_stops_both(twin: RemoteRobot) -> None:
    text = both("go 1.5 0.4 0.2", "go -1.5 0.4 0.2")
    job = upload(twin, text, line(HOME, (1.5, 0.4)), WatchedArm("far", line(HOME, (-0.3, 0.4)), HOME))
    wait_for(lambda: min(speeds(twin).values()) > 0.05, "both booms moving at once")
    for arm in ARMS:
        outcome, reason = twin.wait_job(job, arm, 30.0)
        assert outcome == "held"
        assert reason.startswith("far is 0.0")
    assert max(speeds(twin).values()) < 0.01
    # 0.06 rad of tolerance, and what it takes to see and to brake at 0.2 rad/s.
    assert -0.46 < twin.q("far")[0] < -0.36


def test_each_boom_keeps_to_reduced_speed(runtime: CellRuntime, twin: RemoteRobot) -> None:
    """The fast one is called: a boom of 0.8 m at 0.8 rad/s, the most that the language can say, is at 640 mm/s."""
    run = runtime.start_run(NODS, mode="uploaded", reduced=True)
    fastest = dict.fromkeys(ARMS, 0.0)

    def over() -> bool:
        arms = twin.state.arms
        for arm in ARMS:
            (slew, luff), (_, up) = arms[arm].qd, arms[arm].q
            fastest[arm] = max(fastest[arm], BOOM_M * float(np.hypot(slew * np.cos(up), luff)))
        return run.status in ("done", "failed", "stopped")

    wait_for(over, "the end of the run")
    assert run.status == "done", run.message
    assert 0.1 < fastest["far"] < 0.25
    assert fastest["near"] < 0.25


def test_what_nobody_would_watch_is_refused(twin: RemoteRobot) -> None:
    text = both("go 0.2 0.4 0.2", "go 0.2 0.4 0.2")
    way, far = line(HOME, (0.2, 0.4)), WatchedArm("far", line(HOME, (0.2, 0.4)), HOME)
    with pytest.raises(InputError, match="also moves far, which nothing would watch"):
        upload(twin, text, way)
    with pytest.raises(InputError, match="names an arm twice: near, near"):
        upload(twin, text, way, WatchedArm("near", way, HOME))
    with pytest.raises(ControllerError, match=r"0\.3000 rad away from where joint 1 of far is"):
        upload(twin, text, way, WatchedArm("far", far.corridor, (0.3, 0.4)))
    assert {twin.state.arms[arm].doing for arm in ARMS} == {"nothing"}
    assert max(speeds(twin).values()) < 1e-6


def test_arms_of_several_robots_are_not_one_upload() -> None:
    away = Pose(xyz=(9.0, 0.0, 0.0), wxyz=(1.0, 0.0, 0.0, 0.0))
    robots = (CellRobot(name="twin", model="twin"), CellRobot(name="crane", model="crane", pose=away))
    other = Program(name="other", robot="crane", steps=(MoveAxis(id="x", q=(0.2, 0.4), speed="50%"),))
    calls = lift("calls", "near", MoveAxis(id="y", q=(0.2, 0.4), speed="50%"), Call(id="z", program="other"))
    start = {"twin/near": HOME, "twin/far": HOME, "crane/arm": HOME}
    with pytest.raises(InputError, match="moves one robot; calls moves crane/arm, twin/near") as refused:
        prepare_upload(Cell(name="yard", robots=robots), calls, {"other": other}, None, start, reduced=False)
    assert refused.value.code == "run.one_robot"
