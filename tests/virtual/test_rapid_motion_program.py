"""Motion programs as abb-motion-program-exec writes them: binary and as RAPID text, on one arm and on two."""

from pathlib import Path

import numpy as np
import pytest
from abb_motion_program_exec.abb_motion_program_exec_client import MotionProgram
from abb_motion_program_exec.commands.rapid_types import (
    CirPathModeSwitch,
    confdata,
    fine,
    jointtarget,
    loaddata,
    pose,
    robtarget,
    tooldata,
    v200,
    v500,
    z5,
    z10,
)
from motion_program_bench import MotionProgramBench, header_with

from openpendant.virtual.abb.unit import TOOL0, WOBJ0

NO_AXES = [9e9] * 6
START = [0.0, 10.0, 20.0, 0.0, 60.0, 0.0]
AT_GUIDANCE = 66
"""Where a file says how its program is guided, in numbers of 4 bytes."""
GRIPPER = tooldata(
    robhold=True, tframe=pose([0, 0, 100], [1, 0, 0, 0]), tload=loaddata(0.5, [0, 0, 50], [1, 0, 0, 0], 0, 0, 0)
)


def beside(bench: MotionProgramBench, tool: tooldata, dx: float, dy: float, dz: float, unit: int = 0) -> robtarget:
    """A target beside where the tool is."""
    rapid = (True, (tuple(tool.tframe.trans), tuple(tool.tframe.rot)), TOOL0[2])
    place, turn, configuration, external = bench.units[unit].robtarget(rapid, WOBJ0)
    x, y, z = place
    return robtarget([x + dx, y + dy, z + dz], list(turn), confdata(*configuration), list(external))


def square(bench: MotionProgramBench) -> MotionProgram:
    """Every command for one arm."""
    made = MotionProgram(tool=GRIPPER)
    made.MoveAbsJ(jointtarget(START, NO_AXES), v500, fine)
    made.MoveL(beside(bench, GRIPPER, 30, 0, 0), v200, z5)
    made.MoveL(beside(bench, GRIPPER, 30, 40, 0), v200, z10)
    made.WaitTime(0.1)
    made.MoveJ(beside(bench, GRIPPER, 0, 40, 20), v500, z5)
    made.CirPathMode(CirPathModeSwitch.ObjectFrame)
    made.MoveC(beside(bench, GRIPPER, -20, 20, 20), beside(bench, GRIPPER, 0, 0, 20), v200, fine)
    made.WaitTime(0.05)
    return made


@pytest.fixture
def bench(tmp_path: Path) -> MotionProgramBench:
    return MotionProgramBench(tmp_path, "irb120")


def test_the_text_of_a_motion_program_visits_the_same_points_as_its_file(bench: MotionProgramBench):
    made = square(bench)
    binary: list[list[list[float]]] = []
    took = bench.run(made, each=lambda: binary.append([one.arm.plant.q.tolist() for one in bench.units]))
    assert bench.errors == []
    end = bench.units[0].arm.plant.q.copy()
    for module in ("MotionProgram", "MotionProgramGuided"):
        bench.brain.program.unload("T_ROB1", module)
    bench.brain.program.unload("T_MP_LOG", "MotionProgramLog")
    bench.brain.program.load("T_MP_LOG", "MODULE none\nPROC main()\nENDPROC\nENDMODULE", "none.mod", replace=True)
    text = made.get_program_rapid()
    home = f"MoveAbsJ [{START},[9E9,9E9,9E9,9E9,9E9,9E9]],v5000,fine,tool0;"
    bench.brain.program.load("T_ROB1", f"MODULE go\nPROC main()\n{home}\nENDPROC\nENDMODULE", "go.mod", replace=True)
    bench.brain.start("once")
    bench.finish()
    bench.brain.program.unload("T_ROB1", "go")
    bench.brain.program.load("T_ROB1", text, "text.mod", replace=True)
    written: list[list[list[float]]] = []
    # A task without main was noted while the modules were changed.
    noted = bench.errors
    bench.brain.start("once")
    again = bench.finish(lambda: written.append([one.arm.plant.q.tolist() for one in bench.units]))
    assert bench.errors == noted
    assert bench.units[0].arm.plant.q == pytest.approx(end, abs=1e-5)
    # Every place of the one path is on the other, in the same time.
    first, second = np.array(binary)[:, 0], np.array(written)[:, 0]
    for here, there in ((first, second), (second, first)):
        assert max(aside_rad(one, there) for one in here) < 2e-3
    assert took == pytest.approx(again, abs=0.15)


def aside_rad(q: np.ndarray, path: np.ndarray) -> float:
    """How far joints are from a path through others, in the joint that is farthest."""
    steps = np.diff(path, axis=0)
    shares = ((q - path[:-1]) * steps).sum(axis=1) / np.maximum((steps**2).sum(axis=1), 1e-18)
    return float(np.abs(path[:-1] + np.clip(shares, 0.0, 1.0)[:, None] * steps - q).max(axis=1).min())


def test_the_log_file_has_time_command_and_joints(bench: MotionProgramBench):
    made = square(bench)
    seen: list[float] = []
    took = bench.run(made, each=lambda: seen.append(bench.brain.signals.read("motion_program_current_cmd_num")))
    log = bench.log(made)
    assert log.timestamp == made.get_timestamp()
    assert log.column_headers == ["timestamp", "cmdnum", "J1", "J2", "J3", "J4", "J5", "J6"]
    times, commands, joints = log.data[:, 0], log.data[:, 1], log.data[:, 2:]
    assert len(log.data) > 0.9 * took / 0.004 / 2
    assert (np.diff(times) > 0.0).all()
    # WaitTime and CirPathMode are no moves; each move begins after the one before it.
    assert [*dict.fromkeys(commands.tolist())] == [-1.0, 1.0, 2.0, 3.0, 5.0, 7.0]
    assert (np.diff(commands) >= 0.0).all()
    assert joints[-1] == pytest.approx(np.degrees(bench.units[0].arm.plant.q), abs=0.01)
    at = int(np.argmax(commands == 3.0))
    assert joints[at - 1] == pytest.approx(joints[at], abs=1.0)
    titles = [one.arguments for one in bench.brain.log.newest_first() if one.code == 80003]
    name = f"log-{made.get_timestamp()}.bin"
    assert titles == [("Motion program log file closed", name), ("Motion program log file opened", name)]
    assert bench.brain.signals.read("motion_program_queued_cmd_num") == 8.0
    assert bench.brain.signals.read("motion_program_log_motion") == 0.0


def test_another_file_takes_over_behind_a_command(bench: MotionProgramBench, tmp_path: Path):
    def up_and_down(first: int, times: int, step: float) -> MotionProgram:
        made = MotionProgram(first_cmd_num=first)
        for number in range(times):
            made.MoveL(beside(bench, TOOL, 0, 0, step if number % 2 == 0 else 0.0), v200, fine)
        return made

    TOOL = tooldata(
        robhold=True, tframe=pose([0, 0, 0], [1, 0, 0, 0]), tload=loaddata(0.001, [0, 0, 0.001], [1, 0, 0, 0], 0, 0, 0)
    )
    height = bench.units[0].robtarget(TOOL0, WOBJ0)[0][2]
    program, other = up_and_down(1, 9, 20.0), up_and_down(4, 2, -30.0)
    other._commands.pop()
    bench.begin(program)
    while bench.brain.program.running and bench.brain.signals.read("motion_program_current_cmd_num") < 1.0:
        bench.brain.tick()
    (tmp_path / "motion_program_p1.bin").write_bytes(other.get_program_bytes())
    bench.brain.signals.write("motion_program_preempt_cmd_num", 3.0)
    bench.brain.signals.write("motion_program_preempt", 1.0)
    bench.finish()
    assert bench.errors == []
    assert bench.brain.signals.read("motion_program_preempt_current") == 1.0
    assert bench.brain.signals.read("motion_program_current_cmd_num") == 4.0
    assert bench.units[0].robtarget(TOOL0, WOBJ0)[0][2] == pytest.approx(height - 30.0, abs=0.05)


def test_files_that_are_none_say_why_and_move_nothing(bench: MotionProgramBench, tmp_path: Path):
    made = square(bench)
    whole = made.get_program_bytes()
    at_command = len(whole) // 4 - 4
    spoilt = {
        b"": "file ends within a command",
        whole[:4]: "file ends within a command",
        whole[:200]: "file ends within a command",
        header_with(made, 0, 10010.0): "command or value is not known",
        header_with(made, 22, 99.0): "command or value is not known",
        header_with(made, AT_GUIDANCE, 9.0): "command or value is not known",
        header_with(made, at_command + 2, 77.0): "command or value is not known",
    }
    for data, reason in list(spoilt.items()):
        before = bench.units[0].arm.plant.q.copy()
        bench.brain.reset_pointers()
        (tmp_path / "motion_program.bin").write_bytes(data)
        bench.brain.start("once")
        bench.finish()
        assert bench.errors[0][:2] == ("Motion program failed", reason), data[:40]
        assert len(bench.errors[0]) == 5
        if data != header_with(made, at_command + 2, 77.0):
            assert bench.units[0].arm.plant.q == pytest.approx(before, abs=1e-4)
    (tmp_path / "motion_program.bin").unlink()
    bench.brain.reset_pointers()
    bench.brain.start("once")
    bench.finish()
    assert bench.errors[0][:2] == ("Motion program failed", "file is not there")
    # After all of that the next one runs.
    count = len(bench.errors)
    bench.run(made)
    assert len(bench.errors) == count


def both_arms(bench: MotionProgramBench) -> tuple[MotionProgram, MotionProgram]:
    """Moves of the right and the left arm of a YuMi that begin and end together."""
    made = []
    for unit, side in ((0, -1.0), (1, 1.0)):
        one = MotionProgram(tool=GRIPPER)
        one.SyncMoveOn()
        one.MoveL(beside(bench, GRIPPER, 40, side * 30, 20, unit), v200, z5)
        one.MoveJ(beside(bench, GRIPPER, 60 if unit else 30, side * 30, 40, unit), v200, fine)
        one.SyncMoveOff()
        one.MoveJ(beside(bench, GRIPPER, 40, side * 20, 40, unit), v200, fine)
        made.append(one)
    return made[0], made[1]


def test_both_arms_of_a_yumi(tmp_path: Path):
    bench = MotionProgramBench(tmp_path, "yumi")
    right, left = both_arms(bench)
    moving: list[tuple[bool, bool]] = []
    places: list[list[list[float]]] = []

    def note() -> None:
        moving.append(tuple(bool(np.abs(one.arm.plant.qd).max() > 2e-3) for one in bench.units))  # type: ignore[arg-type]
        places.append([list(one.robtarget(GRIPPER_RAPID, WOBJ0)[0]) for one in bench.units])

    bench.run(right, left, each=note)
    assert bench.errors == []
    for unit, program in enumerate((right, left)):
        last = program._commands[-1].to_point.trans
        assert places[-1][unit] == pytest.approx(last, abs=0.05)
        path = np.array([one[unit] for one in places])
        via = np.array(program._commands[2].to_point.trans)
        assert np.linalg.norm(path - via, axis=1).min() < 0.1
    log = bench.log(right)
    names = [f"J{number}" for number in range(1, 8)]
    assert log.column_headers == ["timestamp", "cmdnum", *names, *(f"{one}_2" for one in names)]
    for unit, columns in ((0, log.data[:, 2:9]), (1, log.data[:, 9:16])):
        q = np.degrees(bench.units[unit].arm.plant.q)
        assert columns[-1] == pytest.approx(q, abs=0.05)
    # With their IDs they begin together.
    first = [next(tick for tick, one in enumerate(moving) if one[unit]) for unit in (0, 1)]
    assert abs(first[0] - first[1]) <= 1


GRIPPER_RAPID = (True, ((0.0, 0.0, 100.0), (1.0, 0.0, 0.0, 0.0)), TOOL0[2])
