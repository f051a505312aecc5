"""Every exported RAPID program of the demos runs on the virtual controller: where and when as the check says."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from abb_twin import TICK_S, check, controller_of, farthest_m, run_texts

from openpendant.programs import Action, Call, MoveAxis, Program, SpeedOverride, WaitInput, read_programs
from openpendant.programs.document import all_steps
from openpendant.programs.export import export_rapid
from openpendant.robots import load
from openpendant.scene import Cell, CellRobot, demo_names, load_demo
from openpendant.scene.demo_cells import FOLDER as DEMOS


def demos() -> Iterator[tuple[str, Cell, Program, dict[str, Program]]]:
    for demo in demo_names():
        cell = load_demo(demo).cell
        programs = dict(read_programs(DEMOS / demo, cell))
        models = {robot.name: robot.model for robot in cell.robots}
        for program in programs.values():
            if load(models[program.robot]).facts.convention == "abb":
                yield demo, cell, program, programs


ALL = {f"{demo}/{program.name}": (demo, cell, program, programs) for demo, cell, program, programs in demos()}


def test_there_are_demos_of_one_arm_and_of_two():
    assert {"pick_and_place/sort_cubes", "two_arms/assemble", "two_arms/place_peg"} <= set(ALL)


@pytest.mark.parametrize("name", ALL)
def test_an_exported_program_runs_as_it_was_checked(name: str, tmp_path: Path):
    demo, cell, program, programs = ALL[name]
    folder = DEMOS / demo
    brain = controller_of(cell, program.robot, tmp_path)
    ports = {one.name: one.port for one in cell.signals}
    for one in programs.values():
        for _, step in all_steps(one):
            if isinstance(step, WaitInput):
                brain.signals.write(ports[step.signal], float(step.value))
    ridden = run_texts(brain, export_rapid(cell, program, programs=programs, folder=folder))
    checked = check(cell, program, programs, folder)
    assert ridden.seconds == pytest.approx(checked.seconds, rel=0.03)
    for unit in brain.units.values():
        arm, T_flange_tool = unit.arm.model.arm, unit.arm.T_flange_tool
        Q, way = ridden.paths[arm.name], checked.paths.get(arm.name)
        if way is None:
            assert np.ptp(Q, axis=0).max() < 1e-9
            continue
        moved = np.append(True, np.abs(np.diff(Q, axis=0)).max(axis=1) > 1e-7)
        points, targets, path = (
            (arm.fk(q, check_limits=False) @ T_flange_tool)[:, :3, 3]
            for q in (Q[moved], ridden.targets[arm.name][moved], way)
        )
        assert farthest_m(points[::3], path) < 0.0005
        assert farthest_m(path[::5], points) < 0.0005
        # What the drives are told: a mean of joints over 16 ms.
        assert farthest_m(targets[::3], path) < 0.0005


def test_arms_may_call_each_other_to_any_depth_and_slow_each_other_down(tmp_path: Path):
    cell = Cell(name="deep", robots=(CellRobot(name="yumi", model="yumi"),))
    home = {arm: tuple(load("yumi").posture("home", arm).tolist()) for arm in ("left", "right")}

    def turn(name: str, arm: str, steps: tuple[Action, ...], speed: str = "50%") -> Program:
        away = (*home[arm][:5], 0.8, home[arm][6])
        go = (
            MoveAxis(id=f"{name}-go", q=away, speed=speed),
            *steps,
            MoveAxis(id=f"{name}-back", q=home[arm], speed=speed),
        )
        return Program(name=name, robot="yumi", arm=arm, steps=go)

    inner = turn("inner", "left", (SpeedOverride(id="slow", percent=50.0),))
    middle = turn("middle", "right", (Call(id="c1", program="inner"),))
    outer = turn("outer", "left", (Call(id="c2", program="middle"), Call(id="c3", program="inner")))
    main = turn("lead", "right", (Call(id="c4", program="outer"), Call(id="c5", program="inner")))
    programs = {one.name: one for one in (inner, middle, outer, main)}
    texts = export_rapid(cell, main, programs=programs)
    assert [one.task for one in texts] == ["T_ROB_R", "T_ROB_L"]
    brain = controller_of(cell, "yumi", tmp_path)
    for again in range(2):
        if again:
            # What was asked for in a run that was broken off is not made in the next one.
            brain.program.write(("T_ROB_L", "ask_left"), "1")
        ridden = run_texts(brain, texts)
        turns = {arm: int((np.diff((Q[:, 5] > 0.25).astype(int)) == 1).sum()) for arm, Q in ridden.paths.items()}
        assert turns == {"right": 1, "left": 3}
        moving = [np.abs(np.diff(Q, axis=0)).max(axis=1) > 1e-9 for Q in ridden.paths.values()]
        assert not (moving[0] & moving[1]).any()
        # Once one of them has said half of the 50 %, whoever moves turns with a quarter of the 500°/s of vmax.
        speed = np.diff(ridden.paths["right"][:, 5]) / TICK_S
        assert speed.max() > np.radians(200.0)
        assert -speed.min() == pytest.approx(np.radians(125.0), rel=0.02)
