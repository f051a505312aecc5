"""Programs of the demo cells, exported as RAPID, on the virtual controller: the path and the time that were checked."""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from openpendant.programs import read_programs
from openpendant.programs.check import Trace, check_program, trace_program
from openpendant.robots import load
from openpendant.scene import load_demo
from openpendant.scene.demo_cells import FOLDER as DEMOS
from openpendant.virtual.abb import AbbController, AbbSetup, SignalSetup, build_controller
from openpendant.virtual.wire import ClosedSockets

Array = NDArray[np.float64]
GOLDEN = Path(__file__).parents[1] / "programs" / "golden"
TICK_S = 0.004
MOST_MM, MOST_SHARE = 0.5, 0.03
"""How far an arm may be from its checked path, and by which share the time may differ."""
UNITS = {"arm": "ROB_1", "left": "ROB_L", "right": "ROB_R"}
EXPORTED = {
    ("pick_and_place", "sort_cubes"): {"T_ROB1": "sort_cubes"},
    ("pick_and_place", "pallet_row"): {"T_ROB1": "pallet_row"},
    ("two_arms", "place_block"): {"T_ROB_R": "place_block"},
    ("two_arms", "place_peg"): {"T_ROB_L": "place_peg"},
    ("two_arms", "assemble"): {"T_ROB_R": "assemble", "T_ROB_L": "assemble_left"},
}
"""The golden file of each task, by demo and program."""


@cache
def checked(demo: str, name: str) -> Trace:
    cell = load_demo(demo).cell
    programs = read_programs(DEMOS / demo, cell)
    return trace_program(cell, programs[name], programs=programs)


def controller(folder: Path, demo: str, texts: dict[str, str]) -> AbbController:
    """Return a controller whose arms stand where the cell says, and whose inputs are all set."""
    cell = load_demo(demo).cell
    (robot,) = [one for one in cell.robots if load(one.model).facts.convention == "abb"]
    model = load(robot.model)
    q = np.concatenate([robot.joints.get(name) or model.posture(arm=name) for name in model.arms])
    together = "\n".join(texts.values())
    inputs = set(re.findall(r"(?:WaitDI |DInput\()(\w+)", together))
    outputs = set(re.findall(r"SetDO (\w+)", together))
    signals = [SignalSetup(one, "DI", 1.0) for one in inputs] + [SignalSetup(one, "DO") for one in outputs]
    setup = AbbSetup(robot.model, "127.0.0.1", folder, folder, signals)
    brain = build_controller(setup, ClosedSockets(), start_q=q.tolist())
    for task, text in texts.items():
        brain.program.load(task, text, f"{task}.mod", replace=True)
    brain.panel.set_motors(on=True)
    return brain


def places(trace: Trace, brain: AbbController) -> dict[str, Array]:
    """Where the tool's mounting of each arm goes in the check, every millisecond; by mechanical unit."""
    found: dict[str, list[Array]] = {}
    for stretch in trace.stretches:
        unit = UNITS[stretch.chain.setting.placed.arm]
        count = max(2, int(stretch.trajectory.duration / 0.001))
        times = np.linspace(0.0, stretch.trajectory.duration, count)
        fk = brain.units[unit].arm.model.arm.fk
        found.setdefault(unit, []).extend(fk(stretch.trajectory.at(t).q, check_limits=False)[:3, 3] for t in times)
    return {unit: np.array(one) for unit, one in found.items()}


def off_mm(sent: Array, path: Array) -> float:
    """Return how far the farthest of the places in `sent` is from a path."""
    starts, steps = path[:-1], np.diff(path, axis=0)
    squares = np.maximum((steps**2).sum(axis=1), 1e-18)
    worst = 0.0
    for place in sent:
        near = np.clip(((place - starts) * steps).sum(axis=1) / squares, 0.0, 1.0)
        worst = max(worst, float(np.linalg.norm(starts + near[:, None] * steps - place, axis=1).min()))
    return 1000.0 * worst


@pytest.mark.parametrize(("demo", "name"), list(EXPORTED), ids="/".join)
def test_an_export_keeps_to_the_checked_path_and_time(tmp_path: Path, demo: str, name: str):
    texts = {task: (GOLDEN / demo / f"{file}.mod").read_text() for task, file in EXPORTED[demo, name].items()}
    brain = controller(tmp_path, demo, texts)
    sent: dict[str, list[Array]] = {unit: [] for unit in brain.units}
    brain.start("once")
    ticks = 0
    while brain.program.running:
        brain.tick()
        ticks += 1
        assert ticks * TICK_S < 120.0
        for unit, one in brain.units.items():
            sent[unit].append(one.arm.model.arm.fk(one.arm.mover.target, check_limits=False)[:3, 3])
    assert [one for one in brain.log.newest_first() if one.level == 3] == []
    trace = checked(demo, name)
    for unit, path in places(trace, brain).items():
        assert off_mm(np.array(sent[unit])[::5], path) < MOST_MM
    cell = load_demo(demo).cell
    programs = read_programs(DEMOS / demo, cell)
    wanted = check_program(cell, programs[name], programs=programs, collisions=False, alternatives=False).duration_s
    assert ticks * TICK_S == pytest.approx(wanted, rel=MOST_SHARE)
