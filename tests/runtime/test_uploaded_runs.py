"""A UR3e on its virtual controller beside an IRB 120: streamed and uploaded programs, and the watch over the latter."""

import time
import uuid
from collections.abc import Iterator

import msgspec
import numpy as np
import pytest
from running_cells import GRIP_S, two_robots, wait_for

from openpendant.controllers import VendorText
from openpendant.errors import InputError
from openpendant.messages import Pose, TwistIntent
from openpendant.programs import InlinePoint, MoveAxis, PickPart, PlacePart, Program, SetOutput, Tool, Wait
from openpendant.robots import load
from openpendant.runtime import CellRuntime, Corridor
from openpendant.spatial import quaternion_from_matrix

NAME = "left arm"
HEARTBEAT_S, MAKERS_STOP_S = 0.402, 0.159
"""After so long without a beat the controller stops a program; from full speed that takes a UR3's base so long."""


@pytest.fixture(scope="module")
def runtime() -> Iterator[CellRuntime]:
    with CellRuntime(two_robots(), virtual={NAME: "127.0.13.20"}, name="test") as made:
        made.robot(NAME).wait_ready()
        yield made


def program_of(runtime: CellRuntime, speed: str = "40%") -> Program:
    q = runtime.robot(NAME).q()
    rows = [q + by * np.array([1.0, -0.3, 0.3, 0.2, 0.1, 0.1]) for by in (0.3, 0.6, 0.0)]
    zones = ("z20", "fine", "fine")
    steps = [
        MoveAxis(id=f"m{index}", q=tuple(row.tolist()), speed=speed, zone=zone)
        for index, (row, zone) in enumerate(zip(rows, zones, strict=True))
    ]
    return Program(name="nod", robot=NAME, steps=(*steps[:2], Wait(id="w", seconds=0.1), steps[2]))


@pytest.mark.parametrize("mode", ["streamed", "uploaded"])
def test_a_checked_program_runs_in_both_ways(runtime: CellRuntime, mode: str) -> None:
    robot = runtime.robot(NAME)
    home = robot.q()
    program = program_of(runtime)
    report = runtime.check(program)
    assert report.clear
    farthest = 0.0
    run = runtime.start_run(program, mode=mode, report=report)

    def over() -> bool:
        nonlocal farthest
        farthest = max(farthest, float(robot.q()[0] - home[0]))
        return run.status != "running"

    wait_for(over, "the end")
    assert run.status == "done", run.message
    assert farthest > 0.55
    assert np.abs(robot.q() - home).max() < 0.01
    assert robot.move_joints(home).reached, "control comes back after an upload"


@pytest.mark.parametrize("mode", ["streamed", "uploaded"])
def test_a_gripper_on_outputs_works_in_both_ways(runtime: CellRuntime, mode: str) -> None:
    virtual, robot = runtime.virtual(NAME), runtime.robot(NAME)
    virtual.control("input", name="tool_digital_0", value=False)

    def pins() -> int:
        time.sleep(0.03)  # asking is work for the controller
        return int(virtual.read("actual_digital_output_bits")["actual_digital_output_bits"])

    q = robot.q()
    program = Program(
        name="grip",
        robot=NAME,
        steps=(
            MoveAxis(id="m", q=tuple((q + 0.02).tolist()), speed="40%"),
            Tool(id="close", state="close"),
            SetOutput(id="on", signal="lamp"),
            Tool(id="open", state="open"),
            SetOutput(id="off", signal="lamp", value=False),
            MoveAxis(id="back", q=tuple(q.tolist()), speed="40%"),
        ),
    )
    run = runtime.start_run(program, mode=mode)
    wait_for(lambda: pins() == 1 << 16 or run.status != "running", "the output at the tool")
    assert run.status == "running", run.message
    time.sleep(0.2)
    assert (run.status, pins()) == ("running", 1 << 16), "it waits for the input"
    virtual.control("input", name="tool_digital_0", value=True)
    wait_for(lambda: pins() == 1 << 8 or run.status != "running", "the lamp, and the tool open")
    assert run.wait(30.0) == "done", run.message
    assert pins() == 0
    virtual.control("input", name="tool_digital_0", value=False)


@pytest.mark.parametrize("mode", ["streamed", "uploaded"])
def test_a_pick_and_a_place_are_made_in_both_ways(runtime: CellRuntime, mode: str) -> None:
    virtual, robot = runtime.virtual(NAME), runtime.robot(NAME)
    virtual.control("input", name="tool_digital_0", value=True)
    home = robot.q()
    T = load("ur3e").arm().fk(home)
    x, y, z = (float(value) for value in T[:3, 3])
    w, i, j, k = (float(value) for value in quaternion_from_matrix(T[:3, :3]))
    there, aside = (InlinePoint(pose=Pose(xyz=(x, y + by, z), wxyz=(w, i, j, k)), frame=NAME) for by in (0.02, -0.02))
    steps = (
        PickPart(id="pick", part="", at=there, approach_m=0.03, retreat_m=0.02, along="+z"),
        PlacePart(id="place", part="", at=aside, approach_m=0.03, retreat_m=0.02, along="+z"),
    )
    program = Program(name="handle", robot=NAME, steps=steps)
    report = runtime.check(program)
    assert report.clear, report.summary
    seen: list[float] = []
    grips: list[int] = []
    run = runtime.start_run(program, mode=mode, report=report)

    def over() -> bool:
        seen.append(float(load("ur3e").arm().fk(robot.q(), check_limits=False)[2, 3]))
        pins = int(virtual.read("actual_digital_output_bits")["actual_digital_output_bits"])
        if not grips or grips[-1] != pins:
            grips.append(pins)
        return run.status != "running"

    wait_for(over, "the end")
    assert run.status == "done", run.message
    assert grips == [0, 1 << 16, 0]
    assert min(seen) == pytest.approx(z, abs=2e-3)
    assert max(seen) == pytest.approx(z + 0.03, abs=2e-3)
    virtual.control("input", name="tool_digital_0", value=False)
    assert robot.move_joints(home).reached


@pytest.mark.parametrize("mode", ["streamed", "uploaded"])
def test_a_gripper_that_does_not_confirm_fails_the_run_in_both_ways(runtime: CellRuntime, mode: str) -> None:
    virtual, robot = runtime.virtual(NAME), runtime.robot(NAME)
    virtual.control("input", name="tool_digital_0", value=False)

    def pins() -> int:
        time.sleep(0.03)  # asking is work for the controller
        return int(virtual.read("actual_digital_output_bits")["actual_digital_output_bits"])

    home = robot.q()
    there = home + 0.02
    program = Program(
        name="grip",
        robot=NAME,
        steps=(
            MoveAxis(id="m", q=tuple(there.tolist()), speed="40%"),
            Tool(id="close", state="close"),
            SetOutput(id="on", signal="lamp"),
            MoveAxis(id="back", q=tuple(home.tolist()), speed="40%"),
        ),
    )
    run = runtime.start_run(program, mode=mode)
    wait_for(lambda: pins() == 1 << 16 or run.status != "running", "the output at the tool")
    assert run.status == "running", run.message
    begun_s = time.monotonic()
    assert run.wait(30.0) == "failed", run.message
    took_s = time.monotonic() - begun_s
    whose = {"streamed": "step close: the tool", "uploaded": "tool hand"}[mode]
    assert run.message == f"{whose} did not close: shut did not come within {GRIP_S:g} s"
    assert GRIP_S - 0.5 < took_s < GRIP_S + 2.0, f"the wiring of the tool allows {GRIP_S} s, not {took_s:.2f} s"
    assert pins() == 1 << 16, "nothing comes after the step that failed"
    assert np.abs(robot.q() - there).max() < 0.01
    robot.wait_ready()
    assert robot.move_joints(home).reached, "control comes back"
    robot.set_output("grip", value=False)
    wait_for(lambda: pins() == 0, "the output off")


def test_a_program_with_a_signal_that_is_not_wired_does_not_begin(runtime: CellRuntime) -> None:
    program = Program(name="idea", robot=NAME, steps=(SetOutput(id="s", signal="idea"),))
    for mode in ("streamed", "uploaded"):
        with pytest.raises(InputError, match="step s of idea: signal 'idea' is not wired: set its robot to left arm"):
            runtime.start_run(program, mode=mode)


def test_both_robots_move_at_once(runtime: CellRuntime) -> None:
    other = runtime.robot("right")
    start = other.q()
    run = runtime.start_run(program_of(runtime, "20%"))
    assert other.move_joints(start + 0.2).reached
    assert run.status == "running"
    assert other.move_joints(start).reached
    assert run.wait(60.0) == "done", run.message


def test_an_uploaded_program_is_stopped_by_anybody(runtime: CellRuntime) -> None:
    robot = runtime.robot(NAME)
    home = robot.q()
    run = runtime.start_run(program_of(runtime, "10%"), mode="uploaded")
    with pytest.raises(InputError, match="cannot be paused"):
        run.pause()
    wait_for(lambda: robot.q()[0] > home[0] + 0.05, "a motion")
    assert robot.state.arms["arm"].doing == "uploaded"
    outcome = runtime.stop()[NAME]
    assert outcome.reached, outcome
    assert outcome.how == "by the controller", outcome
    assert outcome.distance_m is not None
    assert outcome.distance_m > 0.0
    assert run.wait(30.0) == "stopped", run.message
    wait_for(lambda: not robot.state.arms["arm"].moving, "rest")
    robot.wait_ready()
    assert robot.move_joints(home).reached


@pytest.mark.parametrize("ports", [(30001,), (30004,), ()], ids=["30001", "30004", "all"])
def test_an_uploaded_program_does_not_survive_its_link(runtime: CellRuntime, ports: tuple[int, ...]) -> None:
    robot = runtime.robot(NAME)
    home = robot.q()
    run = runtime.start_run(program_of(runtime, "10%"), mode="uploaded")
    wait_for(lambda: robot.q()[0] > home[0] + 0.05, "a motion")
    runtime.virtual(NAME).fault("drop", ports=ports)
    assert run.wait(30.0) in ("failed", "stopped"), run.message
    wait_for(lambda: robot.state.connected and not robot.state.arms["arm"].moving, "rest")
    q = robot.q()
    runtime.stop()
    robot.wait_ready()
    assert np.abs(robot.q() - q).max() < 0.01, "it rests until somebody moves it again"
    assert robot.move_joints(home).reached


def test_what_leaves_its_corridor_is_stopped(runtime: CellRuntime) -> None:
    robot = runtime.robot(NAME)
    home = robot.q()
    away = home + np.array([0.9, 0.0, 0.0, 0.0, 0.0, 0.0])
    joints = ", ".join(f"{value:.6f}" for value in away)
    text = VendorText("urscript", "stray.script", f"def stray():\n  movej([{joints}], a=1.0, v=0.6)\nend\n")
    job = uuid.uuid4().hex
    robot.wait_ready()
    robot.acquire()
    robot.upload(job, "arm", text, Corridor(home[None, :], 0.1), tuple(home.tolist()))
    outcome, reason = robot.wait_job(job, "arm", 30.0)
    assert outcome == "held", reason
    assert "outside the corridor" in reason
    wait_for(lambda: not robot.state.arms["arm"].moving, "rest")
    # However late the stop gets through: without a heartbeat the controller stops the program, as fast as its maker
    # says. tests/controllers/test_corridor_guard.py measures time and way of the stop itself.
    assert 0.1 < robot.q()[0] - home[0] <= 0.1 + 0.6 * (HEARTBEAT_S + MAKERS_STOP_S)
    robot.wait_ready()
    assert robot.move_joints(home).reached


def test_only_a_clear_report_of_this_program_from_here_is_uploaded(runtime: CellRuntime) -> None:
    robot = runtime.robot(NAME)
    home = robot.q()
    program = program_of(runtime)
    report = runtime.check(program)
    for other, words in (
        (msgspec.structs.replace(report, clear=False), "the check of"),
        (msgspec.structs.replace(report, fingerprint="0" * 32), "as they are now"),
    ):
        with pytest.raises(InputError, match=words):
            runtime.start_run(program, mode="uploaded", report=other)
    assert robot.move_joints(home + 0.03).reached
    with pytest.raises(InputError, match="check again"):
        runtime.start_run(program, mode="uploaded", report=report)
    assert robot.move_joints(home).reached


def test_errors_of_a_script_come_in_the_controllers_words(runtime: CellRuntime) -> None:
    robot = runtime.robot(NAME)
    home = robot.q()
    text = VendorText("urscript", "wrong.script", "def wrong():\n  x = [1, 2]\n  y = x[7]\nend\n")
    job = uuid.uuid4().hex
    robot.wait_ready()
    robot.acquire()
    robot.upload(job, "arm", text, Corridor(home[None, :]), tuple(home.tolist()))
    outcome, reason = robot.wait_job(job, "arm", 30.0)
    assert outcome == "failed"
    assert "line 3" in reason or "index" in reason.lower(), reason
    robot.wait_ready()
    assert robot.move_joints(home + 0.02).reached


@pytest.mark.parametrize(
    ("then", "told"), [("halt", "no part"), ("sleep(1.0)\n  halt", "the controller stopped the program")]
)
def test_an_error_that_a_script_shows_is_why_it_halts_unless_it_goes_on(
    runtime: CellRuntime, then: str, told: str
) -> None:
    robot = runtime.robot(NAME)
    home = robot.q()
    shows = f'def shows():\n  sleep(0.2)\n  popup("no part", error=True, blocking=False)\n  {then}\nend\n'
    job = uuid.uuid4().hex
    robot.wait_ready()
    robot.acquire()
    robot.upload(
        job, "arm", VendorText("urscript", "shows.script", shows), Corridor(home[None, :]), tuple(home.tolist())
    )
    assert robot.wait_job(job, "arm", 30.0) == ("failed", told)
    robot.wait_ready()


def test_a_hand_moves_the_tool(runtime: CellRuntime) -> None:
    import time

    robot = runtime.robot(NAME)
    arm = robot.placed().kinematics
    start = arm.fk(robot.q())[:3, 3]
    robot.engage()

    def pushed() -> bool:
        robot.intend(
            TwistIntent(source=robot.client_id, stamp_ns=time.monotonic_ns(), linear=(0.0, 0.0, -0.05), frame="base")
        )
        return float(arm.fk(robot.q(), check_limits=False)[2, 3] - start[2]) < -0.02

    wait_for(pushed, "a way down")
    wait_for(lambda: max(abs(v) for v in robot.state.arms["arm"].qd) < 0.01, "rest")
    sideways = arm.fk(robot.q(), check_limits=False)[:2, 3] - start[:2]
    assert np.abs(sideways).max() < 0.003
    robot.stop()
