"""Recordings: a program from start to end, for a timeline."""

import numpy as np
import pytest
from small_cells import BENCH, program

from openpendant.errors import InputError
from openpendant.programs import GoTo, Repeat, Wait, check_program, read_programs, simulate_program
from openpendant.scene import load_demo
from openpendant.scene.demo_cells import FOLDER as DEMOS


def demo(name: str):
    cell = load_demo(name).cell
    return cell, read_programs(DEMOS / name, cell)


def test_a_recording_tells_what_the_check_has_promised():
    cell, programs = demo("pick_and_place")
    report = check_program(cell, programs["sort_cubes"])
    found = simulate_program(cell, programs["sort_cubes"])
    assert found.status == "done"
    # The plant counts whole ticks of 4 ms for each of the steps.
    assert found.t[-1] == pytest.approx(report.duration_s, abs=0.004 * len(report.steps))
    assert found.t[1] - found.t[0] == pytest.approx(0.02)
    assert found.distance_m.min() >= report.clearance.distance_m - 1e-6
    way = np.linalg.norm(np.diff(found.tools["irb120/arm"], axis=0), axis=1).sum()
    assert way == pytest.approx(report.length_m, rel=0.02)
    assert set(found.parts) == {"cube 1", "cube 2", "cube 3"}
    ends = {name: T[-1, :3, 3] for name, T in found.parts.items()}
    slots = [point for point in cell.points if point.name.startswith("at slot")]
    assert len(slots) == 3
    assert len({tuple(np.round(end, 3)) for end in ends.values()}) == 3
    times = {(step.step, step.start_s) for step in found.steps}
    assert len(times) == len(found.steps)
    assert all(step.end_s >= step.start_s for step in found.steps)


def test_speed_is_that_of_the_tool():
    cell, programs = demo("weld_a_box")
    found = simulate_program(cell, programs["weld_box"], dt_s=0.1)
    weld = next(step for step in found.steps if step.end_s - step.start_s > 20.0)
    middle = (found.t > weld.start_s + 2.0) & (found.t < weld.end_s - 2.0)
    assert np.abs(found.speeds["rx90l/arm"][middle] - 0.01).max() < 1e-4


def test_a_failing_program_is_recorded_up_to_the_step_that_fails():
    found = simulate_program(BENCH, program(GoTo(to="above"), Wait(seconds=0.2), GoTo(to="far"), Wait(seconds=9.0)))
    assert found.status == "failed"
    assert "cannot be executed" in found.message
    assert 0.2 < found.t[-1] < 5.0


def test_a_program_that_goes_round_for_ever_is_recorded_once():
    found = simulate_program(BENCH, program(Repeat(times=None, steps=(GoTo(to="above"), GoTo(to="home")))))
    assert 0.1 < found.t[-1] < 10.0
    longest = simulate_program(BENCH, program(Repeat(times=None, steps=(Wait(seconds=50.0),))), longest_s=2.0)
    assert longest.t[-1] == pytest.approx(2.0, abs=0.02)


def test_dt_must_be_positive():
    with pytest.raises(InputError, match="dt_s"):
        simulate_program(BENCH, program(GoTo(to="above")), dt_s=0.0)
