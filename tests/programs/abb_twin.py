"""What exported RAPID does on the virtual controller, in virtual time, beside what the check says of the program."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from openpendant.controllers import VendorText
from openpendant.motion import Blocked, plan
from openpendant.programs import Program, check_program
from openpendant.programs.check.trace import trace_program
from openpendant.robots import load
from openpendant.scene import Cell, Scene
from openpendant.virtual.abb import AbbController, AbbSetup, SignalSetup, build_controller
from openpendant.virtual.wire import ClosedSockets

Array = NDArray[np.float64]
TICK_S = 0.004
SAMPLE_S = 0.002


@dataclass(frozen=True, eq=False)
class Ridden:
    """A run on the controller."""

    seconds: float
    paths: dict[str, Array]
    """(N, n) by arm: where its path was, tick by tick."""
    targets: dict[str, Array]
    """(N, n) by arm: where the drives were told to be, which limits jerk and rounds off the sharpest corners."""


def controller_of(cell: Cell, robot: str, folder: Path) -> AbbController:
    """Return the virtual controller of a robot of a cell, with its arms where the cell has them."""
    (folder / "home").mkdir()
    (folder / "ramdisk").mkdir()
    signals = [
        SignalSetup(one.port, "DI" if one.kind == "in" else "DO", float(one.initial))
        for one in cell.signals
        if one.robot == robot and one.port
    ]
    model = next(one.model for one in cell.robots if one.name == robot)
    arms = [arm for arm in Scene(cell, None).arms.values() if arm.robot == robot]
    q = np.concatenate([next(one.q_start for one in arms if one.arm == name) for name in load(model).arms])
    setup = AbbSetup(model, "127.0.0.1", folder / "home", folder / "ramdisk", signals)
    return build_controller(setup, ClosedSockets(), start_q=q.tolist())


def run_texts(brain: AbbController, texts: tuple[VendorText, ...], most_s: float = 300.0) -> Ridden:
    """Load texts into their tasks, run them once and return what the arms did."""
    for one in texts:
        brain.program.load(one.task or next(iter(brain.program.tasks)), one.text, one.name, replace=True)
    brain.panel.set_motors(on=True)
    brain.start("once")
    units = list(brain.units.values())
    rows: dict[str, list[tuple[Array, Array]]] = {one.arm.model.arm.name: [] for one in units}
    ticks = 0
    while brain.program.running:
        brain.tick()
        ticks += 1
        assert ticks < most_s / TICK_S, [str(one) for one in brain.log.newest_first()[:4]]
        for one in units:
            rows[one.arm.model.arm.name].append((one.arm.mover.raw[0].copy(), one.arm.mover.target.copy()))
    assert [one for one in brain.log.newest_first() if one.level == 3] == []
    both = {name: np.array(some) for name, some in rows.items()}
    paths, targets = ({name: some[:, part] for name, some in both.items()} for part in (0, 1))
    return Ridden(ticks * TICK_S, paths, targets)


@dataclass(frozen=True, eq=False)
class Checked:
    """What the check says of a program."""

    seconds: float
    fastest_s: float
    """With joints of which nothing limits the jerk."""
    paths: dict[str, Array]
    """(N, n) by arm."""


def check(cell: Cell, program: Program, programs: Mapping[str, Program], folder: Path) -> Checked:
    """Check a program, and find where it goes."""
    report = check_program(cell, program, programs=programs, folder=folder)
    assert report.first_failing is None, report.summary
    trace = trace_program(cell, program, programs=programs, folder=folder)
    gained = 0.0
    for one in trace.stretches:
        setting, chain = one.chain.setting, one.chain
        limits, T = setting.limits.scaled(jerk=math.inf), setting.T_flange_tool(chain.tool)
        found = plan(setting.placed.kinematics, limits, chain.q_start, chain.moves, T)
        assert not isinstance(found, Blocked)
        gained += one.trajectory.duration - found.duration
    ways: dict[str, list[Array]] = {}
    for key, trajectory in trace.ways:
        ways.setdefault(key.partition("/")[2], []).append(trajectory.sample(SAMPLE_S).q)
    paths = {arm: np.concatenate(some) for arm, some in ways.items()}
    return Checked(report.duration_s, report.duration_s - gained, paths)


def farthest_m(points: Array, path: Array) -> float:
    """Return how far the farthest of some points (N, 3) is from a path through others (M, 3)."""
    starts, ways = path[:-1], np.diff(path, axis=0)
    squares = np.maximum((ways**2).sum(axis=1), 1e-18)
    worst = 0.0
    for point in points:
        share = np.clip(((point - starts) * ways).sum(axis=1) / squares, 0.0, 1.0)
        worst = max(worst, float(((starts + share[:, None] * ways - point) ** 2).sum(axis=1).min()))
    return worst**0.5
