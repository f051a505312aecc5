"""The driver of Universal Robots arms, against the virtual controller in its own process."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest
from driving import START, fastest, for_ticks, swing, undisturbed, until

from openpendant.controllers import SampledPath, ToolStroke, ToolWiring, VendorText
from openpendant.controllers.ur import UrDriver
from openpendant.errors import ControllerError, InputError, LinkError
from openpendant.messages import Pose
from openpendant.runtime.robot_builder import build_robot
from openpendant.runtime.settings import RobotSettings
from openpendant.scene import Cell, CellRobot, Signal, encode_cell
from openpendant.virtual.launch import VirtualHandle, start_virtual

ADDRESS = "127.0.12.1"
ABSENT = "127.0.12.2"
UNCALLED_NS = 100_000_000
"""A driver that is not called for 0.15 s is taken for dead by the process that moves the robot for it."""
INPUTS = {"part there": "standard_in_0", "shut": "tool_in_0"}
OUTPUTS = {"lamp": "standard_out_0", "valve": "standard_out_1", "horn": "configurable_out_0", "grip": "tool_out_1"}
HAND = ToolWiring(
    "hand",
    open=ToolStroke((("grip", False), ("horn", True)), time_s=0.3),
    close=ToolStroke((("grip", True), ("horn", False)), (("shut", True),), timeout_s=1.0),
)


@pytest.fixture(scope="module")
def robot():
    with start_virtual("ur3e", bind=ADDRESS, start_q=START) as handle:
        yield handle


def make_ready(robot: VirtualHandle) -> None:
    """Do what a person at the pendant does after an emergency stop, or a test that failed."""
    end, pressed = time.monotonic() + 30.0, set()
    while (state := robot.state())["robot_mode"] != "RUNNING" or state["safety"] != "NORMAL":
        assert time.monotonic() < end, state
        for button in ("emergency_reset", "unlock", "brake_release"):
            if state["buttons"][button] is None and button not in pressed:
                pressed.add(button)
                # What could be pressed a moment ago may not now.
                with contextlib.suppress(ControllerError):
                    robot.press(button)
                break
        time.sleep(0.1)


@pytest.fixture(scope="module")
def shared():
    """One driver for many tests: until it has the robot takes a second."""
    made = UrDriver(ADDRESS, inputs=INPUTS, outputs=OUTPUTS, tool=HAND)
    yield made
    made.close()


@pytest.fixture
def driver(robot: VirtualHandle, shared: UrDriver) -> UrDriver:
    """The driver, in control of an arm at rest; it has told nothing."""
    make_ready(robot)
    shared.connect()
    shared.stop()
    # Where nobody has called it for long, its program is about to end, and it tells so.
    for_ticks(shared, 500 if time.monotonic_ns() - shared._now_ns > UNCALLED_NS else 1)
    until(shared, lambda: shared.state.can_move and not shared.state.moving["arm"], "control")
    shared.events()
    return shared


@pytest.fixture
def nobodys(robot: VirtualHandle, shared: UrDriver) -> VirtualHandle:
    """The robot, of which nobody has control."""
    shared.close()
    make_ready(robot)
    return robot


def short_ride(driver: UrDriver) -> None:
    driver.run(swing(driver, -0.05, 0.5))
    until(driver, lambda: driver.progress("arm").over, "a path")
    assert driver.progress("arm").finished, driver.progress("arm")


def kinds(driver: UrDriver) -> list[str]:
    return [event.kind for event in driver.events()]


def test_states_tell_what_the_controller_tells(robot: VirtualHandle, driver: UrDriver):
    for_ticks(driver, 20)
    told = robot.read("actual_q", "target_q")
    state = driver.state
    assert state.q["arm"] == pytest.approx(told["actual_q"], abs=1e-3)
    assert state.q_target["arm"] == pytest.approx(told["target_q"], abs=1e-6)
    assert (state.mode, state.safety, state.speed) == ("ready", "normal", 1.0)
    driver.set_output("valve", value=True)
    until(driver, lambda: driver.state.outputs["valve"], "the output")
    assert not driver.state.outputs["lamp"]
    assert int(robot.read("actual_digital_output_bits")["actual_digital_output_bits"]) & 3 == 2
    driver.set_output("valve", value=False)
    until(driver, lambda: not driver.state.outputs["valve"], "the output")


def pins(robot: VirtualHandle) -> int:
    """Return the outputs as the controller itself tells them: 0-7 standard, 8-15 configurable, 16-17 tool."""
    return int(robot.read("actual_digital_output_bits")["actual_digital_output_bits"])


def test_a_tool_on_outputs_is_worked_and_confirmed(robot: VirtualHandle, driver: UrDriver):
    robot.control("input", name="tool_digital_0", value=False)
    driver.tool("arm", 0.0, closes=True)
    until(driver, lambda: pins(robot) & 1 << 17, "the output at the tool")
    assert not pins(robot) & 1 << 8
    for_ticks(driver, 50)
    assert driver.state.tool_moving["arm"], "it waits for its input"
    robot.control("input", name="tool_digital_0", value=True)
    until(driver, lambda: not driver.state.tool_moving["arm"], "the input")
    assert driver.state.inputs["shut"]
    time.sleep(0.05)  # The driver's last look at the controller is a while ago.
    began_s = time.monotonic()
    driver.tool("arm", 0.0, closes=False)
    until(driver, lambda: pins(robot) & 1 << 8 and not pins(robot) & 1 << 17, "the outputs")
    until(driver, lambda: not driver.state.tool_moving["arm"], "the time")
    assert time.monotonic() - began_s >= 0.3
    robot.control("input", name="tool_digital_0", value=False)
    driver.events()
    driver.tool("arm", 0.0, closes=True)
    until(driver, lambda: not driver.state.tool_moving["arm"], "an end without the input")
    assert [event.message for event in driver.events() if event.kind == "warning"] == [
        "the tool did not confirm its move: shut"
    ]
    with pytest.raises(InputError, match="output 'lam' is not wired to this robot: set its robot and port in the cell"):
        driver.set_output("lam", value=True)


SIGNALS = (
    Signal(name="zero", kind="out", robot="arm", port="standard_out_2"),
    Signal(name="theirs", kind="out", robot="second", port="standard_out_2"),
    Signal(name="eight", kind="out", robot="arm", port="configurable_out_5"),
    Signal(name="idea", kind="out"),
    Signal(name="there", kind="in", robot="arm", port="configurable_in_3"),
)


@pytest.mark.parametrize("signals", [SIGNALS, SIGNALS[::-1]], ids=["in order", "reversed"])
def test_reordered_signals_change_nothing_on_the_wire(nobodys: VirtualHandle, signals: tuple[Signal, ...]):
    robot = nobodys
    away = Pose(xyz=(3.0, 0.0, 0.0), wxyz=(1.0, 0.0, 0.0, 0.0))
    robots = (CellRobot(name="arm", model="ur3e"), CellRobot(name="second", model="ur3e", pose=away))
    document = encode_cell(Cell(name="c", robots=robots, signals=signals)).decode()
    settings = RobotSettings(cell="c", document=document, robot="arm", endpoint="", address=ADDRESS)
    driver = build_robot(settings, rehearsed=False).loop.controller
    assert isinstance(driver, UrDriver)
    try:
        driver.connect()
        before = pins(robot)
        for name, bit in (("zero", 2), ("eight", 13)):
            driver.set_output(name, value=True)
            until(driver, lambda name=name: driver.state.outputs[name], name)
            assert pins(robot) == before | 1 << bit
            driver.set_output(name, value=False)
            until(driver, lambda name=name: not driver.state.outputs[name], name)
        for name in ("idea", "theirs"):
            with pytest.raises(InputError, match="is not wired to this robot"):
                driver.set_output(name, value=True)
        for value in (True, False):
            robot.control("input", name="configurable_digital_3", value=value)
            until(driver, lambda value=value: driver.state.inputs["there"] == value, "the input")
    finally:
        driver.close()


def test_a_pause_longer_than_every_watchdog_changes_nothing(driver: UrDriver):
    for_ticks(driver, 1500)
    assert driver.state.can_move
    assert kinds(driver) == []
    assert isinstance(driver.servo("arm", driver.state.q_target["arm"]), np.ndarray)


def test_the_path_is_followed(driver: UrDriver):
    def ride() -> None:
        home, path, off = driver.state.q_target["arm"], swing(driver), []
        driver.run(path)
        while not driver.progress("arm").over:
            driver.poll(time.monotonic_ns())
            time.sleep(0.001)
            off.append(np.abs(path.Q - driver.state.q["arm"]).max(axis=1).min())
        assert max(off) < 0.01
        assert driver.progress("arm").finished, driver.progress("arm")
        assert np.abs(driver.state.q["arm"] - path.Q[-1]).max() < 0.003
        assert np.abs(path.Q[-1] - home).max() > 0.3
        assert kinds(driver) == ["job started", "job done"]

    undisturbed(driver, ride)


def test_setpoints_that_are_left_are_left_by_a_ramp(driver: UrDriver):
    def leave() -> None:
        rows = swing(driver, -0.3, 2.0).Q
        for row in rows[:500]:
            driver.servo("arm", row)
            driver.poll(time.monotonic_ns())
            time.sleep(0.002)
        driver.stop("path")
        assert driver.state.moving["arm"]
        until(driver, lambda: not driver.state.moving["arm"] and fastest(driver) < 0.01, "rest")
        assert np.abs(rows - driver.state.q["arm"]).max(axis=1).min() < 0.01
        assert kinds(driver) == ["stopped"]

    undisturbed(driver, leave)


def test_there_is_one_owner(driver: UrDriver):
    with pytest.raises(ControllerError, match=r"another owner.*IN_USE"):
        UrDriver(ADDRESS).connect()
    for_ticks(driver, 50)
    assert driver.state.can_move


def test_nobody_at_an_address_is_told():
    with pytest.raises(LinkError, match=f"no reply from a controller at {ABSENT}"):
        UrDriver(ABSENT).connect()


def test_a_missing_library_is_told(nobodys: VirtualHandle):
    child = Path(sys.modules[UrDriver.__module__].__file__).with_name("control_child.py")
    hidden = f"import sys, runpy; sys.modules['rtde_control'] = None; sys.argv = [{str(child)!r}, {ADDRESS!r}, '8']; "
    hidden += f"runpy.run_path({str(child)!r}, run_name='__main__')"
    made = UrDriver(ADDRESS, control=(sys.executable, "-c", hidden))
    with pytest.raises(ControllerError, match="ur_rtde is not installed: pip install ur-rtde"):
        made.connect()
    assert not made.state.connected


def test_a_program_is_uploaded_with_its_heart(robot: VirtualHandle, driver: UrDriver):
    text = f"""\
    # Our own.
    def visit():
      textmsg("on my way")
      movej([{", ".join(str(q) for q in np.add(START, 0.1))}], a=2.0, v=1.0)
      movej([{", ".join(str(q) for q in START)}], a=2.0, v=1.0)
    end
    """
    driver.run(VendorText("urscript", "visit", textwrap.dedent(text)))
    assert driver.state.moving["arm"]
    with pytest.raises(ControllerError, match="'visit' runs on the controller"):
        driver.servo("arm", driver.state.q["arm"])
    lines = set()
    until(driver, lambda: lines.add(driver.progress("arm").done) or driver.progress("arm").over, "the end")
    assert driver.progress("arm").finished, driver.progress("arm")
    assert {4, 5} <= lines
    told = driver.events()
    assert any(event.message == "on my way" for event in told)
    assert [event.kind for event in told if event.kind.startswith("job")] == ["job started", "job done"]
    assert np.abs(driver.state.q["arm"] - START).max() < 0.01
    until(driver, lambda: driver.state.can_move, "control again")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def broken():\n  x = = 1\nend\n", "line 2"),
        ("def unknown():\n  x = 1\n  movej(nowhere)\nend\n", "line 3.*nowhere"),
        ("def fails():\n  a = [1, 2]\n  sleep(0.1)\n  b = a[7]\nend\n", "line 4"),
    ],
)
def test_a_program_that_fails_is_told_in_the_controllers_words(driver: UrDriver, text: str, says: str):
    driver.run(VendorText("urscript", "bad", text))
    until(driver, lambda: driver.progress("arm").over, "the end")
    failed = [event for event in driver.events() if event.kind == "job failed"]
    assert len(failed) == 1
    assert re.search(says, failed[0].message), failed
    assert driver.progress("arm").ended == failed[0].message
    until(driver, lambda: driver.state.can_move, "control again")


def test_a_program_that_runs_is_stopped(driver: UrDriver):
    far = ", ".join(str(q) for q in np.add(START, 1.0))
    home = ", ".join(str(q) for q in START)
    driver.run(VendorText("urscript", "far", f"def far():\n  movej([{far}], a=1.0, v=0.5)\nend\n"))
    until(driver, lambda: fastest(driver) > 0.3, "motion")
    driver.stop()
    until(driver, lambda: driver.progress("arm").over and fastest(driver) < 0.01, "rest", 5.0)
    assert driver.progress("arm").ended == "stopped"
    driver.run(VendorText("urscript", "home", f"def home():\n  movej([{home}], a=1.0, v=0.5)\nend\n"))
    until(driver, lambda: driver.progress("arm").over, "home")


def test_a_large_program_does_not_cost_the_contact(driver: UrDriver):
    row = ", ".join(f"{q:.6f}" for q in np.add(START, 0.2))
    moves = f"  movej([{row}], a=1.000000, v=0.500000)\n" * 3000
    driver.run(VendorText("urscript", "large", f"def large():\n{moves}end\n"))
    until(driver, lambda: fastest(driver) > 0.1, "motion")
    driver.stop()
    until(driver, lambda: driver.progress("arm").over and fastest(driver) < 0.01, "rest", 5.0)
    assert "lost" not in kinds(driver)


def test_misuse_is_refused(driver: UrDriver):
    for call in (
        lambda: driver.servo("arm", driver.state.q["arm"] + 0.5),
        lambda: driver.run(SampledPath("arm", np.full((1, 6), 7.0))),
        lambda: driver.run(VendorText("rapid", "x", "MODULE x ENDMODULE")),
        lambda: driver.run(VendorText("urscript", "x", "movej([0,0,0,0,0,0])")),
        lambda: UrDriver(ADDRESS).tool("arm", 0.0, closes=True),
        lambda: UrDriver(ADDRESS, outputs={"lamp": "standard_out_8"}),
    ):
        with pytest.raises(InputError):
            call()


def test_an_emergency_stop_is_told_and_the_robot_taken_again_after_it(robot: VirtualHandle, driver: UrDriver):
    driver.run(swing(driver))
    until(driver, lambda: fastest(driver) > 0.1, "motion")
    robot.press("emergency_stop")
    until(driver, lambda: not driver.state.can_move, "the truth")
    assert driver.state.safety == "emergency stop"
    told = kinds(driver)
    assert "emergency stop" in told
    assert "stopped" in told
    assert driver.progress("arm").ended != ""
    with pytest.raises(ControllerError, match="emergency stop"):
        driver.run(swing(driver))
    until(driver, lambda: robot.state()["robot_mode"] == "POWER_OFF", "the end of the power")
    make_ready(robot)
    until(driver, lambda: driver.state.can_move, "control again")
    undisturbed(driver, lambda: short_ride(driver))


@pytest.mark.parametrize("cut", ["drop", "freeze", "kill the link's process"])
def test_a_loss_stops_the_arm_and_is_recovered_from(robot: VirtualHandle, driver: UrDriver, cut: str):
    driver.run(swing(driver))
    until(driver, lambda: fastest(driver) > 0.1, "motion")
    driver.events()
    if cut == "drop":
        robot.fault("drop", seconds=0.3)
        until(driver, lambda: not driver.state.connected, "the truth", 1.0)
    elif cut == "freeze":
        os.kill(robot.process.pid, signal.SIGSTOP)
        until(driver, lambda: not driver.state.connected, "the truth", 1.0)
        os.kill(robot.process.pid, signal.SIGCONT)
    else:
        os.kill(driver._control._child.pid, signal.SIGKILL)
        until(driver, lambda: not driver.state.can_move, "the truth", 1.0)
    until(driver, lambda: driver.progress("arm").over, "the end of the job")
    assert driver.progress("arm").ended != ""
    until(driver, lambda: driver.state.can_move, "the recovery")
    until(driver, lambda: fastest(driver) < 0.02, "rest")
    if cut != "kill the link's process":
        told = [kind for kind in kinds(driver) if kind in ("lost", "recovered", "stopped")]
        assert told == ["lost", "stopped", "recovered"]
    undisturbed(driver, lambda: short_ride(driver))


CALLER = """
import sys, time
sys.path.insert(0, {folder!r})
from driving import swing, until, fastest
from openpendant.controllers.ur import UrDriver
driver = UrDriver({address!r})
driver.connect()
until(driver, lambda: driver.state.can_move, "control")
driver.run(swing(driver, 0.8, 4.0))
until(driver, lambda: fastest(driver) > 0.2, "motion")
print("moving", driver._control._child.pid, flush=True)
until(driver, lambda: False, "the end")
"""


@pytest.mark.parametrize("also_child", [False, True])
def test_a_caller_that_is_killed_leaves_an_arm_at_rest(nobodys: VirtualHandle, also_child: bool):
    script = CALLER.format(folder=str(Path(__file__).parents[1]), address=ADDRESS)
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as caller:
        word, child = caller.stdout.readline().split()
        assert word == "moving"
        if also_child:
            os.kill(int(child), signal.SIGKILL)
        caller.kill()
    rows, end = [], time.monotonic() + 5.0
    while time.monotonic() < end:
        now = nobodys.read("timestamp", "target_qd", "target_q", "runtime_state")
        rows.append((now["timestamp"], *now["target_q"]))
        if max(abs(v) for v in now["target_qd"]) < 1e-6 and now["runtime_state"] == 1:
            break
    else:
        raise AssertionError(f"the arm did not come to rest: {now}")
    rows = np.array(rows)
    moved = np.abs(np.diff(rows[:, 1:], axis=0)).max(axis=1)
    assert moved.max() < 0.1, "no jump on the way to rest"


def test_the_calibration_of_the_very_arm_is_read(driver: UrDriver):
    assert driver.calibration is not None
    assert driver.calibration.worst_m == pytest.approx(0.0, abs=1e-9)
    assert driver.calibration.warning == ""
    calibrated = "127.0.12.3"
    with start_virtual("ur3e", bind=calibrated, start_q=START, calibration="typical") as robot:
        other = UrDriver(calibrated)
        other.connect()
        until(other, lambda: other.state.can_move, "control")
        warnings = [event.message for event in other.events() if event.kind == "warning"]
        told = robot.read("actual_q", "actual_TCP_pose")
        other.close()
    assert other.calibration is not None
    assert 0.0002 < other.calibration.worst_m < 0.02
    assert len(warnings) == 1
    assert f"{1000.0 * other.calibration.worst_m:.1f} mm" in warnings[0]
    T = other.calibration.measured.fk(told["actual_q"])
    off = np.linalg.norm(T[:3, 3] - told["actual_TCP_pose"][:3])
    assert off < 1e-5, "the controller's own pose is that of the calibrated arm"
