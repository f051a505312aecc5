"""The programs of the demo cells: all clear, and they do what they say when they run."""

import json
from functools import cache
from pathlib import Path

import pytest

from openpendant.cli import main
from openpendant.messages import Pose
from openpendant.programs import (
    GoTo,
    InlinePoint,
    Program,
    Report,
    Runner,
    check_program,
    make_kinematic_robots,
    read_programs,
    write_program,
)
from openpendant.scene import Cell, CollisionWorld, Scene, copy_demo, load_demo
from openpendant.scene.demo_cells import FOLDER, demo_names

PARTS = {
    ("pick_and_place", "sort_cubes"): {"cube 1": "tray", "cube 2": "tray", "cube 3": "tray"},
    ("two_arms", "assemble"): {"block": "fixture", "peg": "block"},
    ("bench", "fill_bin"): {"puck 1": "bin floor", "puck 2": "bin floor"},
}
"""What each part rests on in the end."""


@cache
def demo(name: str) -> tuple[Cell, dict[str, Program], CollisionWorld]:
    cell = load_demo(name).cell
    return cell, read_programs(FOLDER / name, cell), CollisionWorld(Scene(cell))


@cache
def report_of(name: str, program: str) -> Report:
    cell, programs, world = demo(name)
    return check_program(cell, programs[program], programs=programs, world=world)


CASES = [(name, path.stem) for name in demo_names() for path in sorted((FOLDER / name / "programs").glob("*.json"))]


def test_every_demo_has_a_program():
    assert {name for name, _ in CASES} == set(demo_names())


@pytest.mark.parametrize(("name", "program"), [case for case in CASES if case != ("two_arms", "place_peg")])
def test_every_demo_program_is_clear(name: str, program: str):
    report = report_of(name, program)
    assert report.clear, report.summary
    assert all(step.verdict != "not reached" for step in report.steps)


@pytest.mark.parametrize(("name", "program"), [*PARTS, ("weld_a_box", "weld_box")])
def test_a_demo_runs_as_it_was_checked(name: str, program: str):
    cell, programs, world = demo(name)
    runner = Runner(cell, programs[program], make_kinematic_robots(world.scene), programs=programs, world=world)
    assert runner.run_to_end(600.0) == "done"
    report = report_of(name, program)
    assert report.duration_s <= runner.time_s <= report.duration_s + 0.2
    messages = [event.message for event in runner.events if event.kind == "part"]
    assert messages == [f"{part} comes to rest on {on}" for part, on in PARTS.get((name, program), {}).items()]


def test_the_command_line_answers_with_words_and_codes(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    assert main(["check", "pick_and_place", "pallet_row"]) == 0
    assert "clear: runs in" in capsys.readouterr().out
    assert main(["check", "pick_and_place", "pallet_row", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["clear"] is True
    assert main(["check", "pick_and_place", "palet_row"]) == 2
    assert "Did you mean pallet_row" in capsys.readouterr().err
    assert main(["check", "nowhere"]) == 2
    assert "neither a folder" in capsys.readouterr().err
    assert main(["run", "pick_and_place", "pallet_row", "--virtual-time"]) == 0
    assert "pallet_row is done" in capsys.readouterr().out
    assert main(["run", "pick_and_place", "pallet_row", "--virtual-time", "--limit", "1", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)[0]["kind"] == "start"
    assert main(["run", "pick_and_place", "--input", "cubes ready=maybe"]) == 2
    assert main(["export", "pick_and_place", "pallet_row", "--to", "rapid", "-o", str(tmp_path / "row.mod")]) == 0
    assert (tmp_path / "row.mod").read_text().startswith("MODULE pallet_row")
    capsys.readouterr()
    assert main(["export", "pick_and_place", "pallet_row", "--to", "krl"]) == 2
    assert "Known: csv, rapid, replay, urscript, vplus" in capsys.readouterr().err


def test_a_failing_program_has_its_own_exit_code(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    cell = copy_demo("pick_and_place", tmp_path).cell
    away = InlinePoint(pose=Pose(xyz=(2.0, 0.0, 1.0), wxyz=(1.0, 0.0, 0.0, 0.0)))
    write_program(tmp_path, Program(name="bad", robot="irb120", steps=(GoTo(id="s1", to=away),)), cell)
    assert main(["check", str(tmp_path), "bad"]) == 1
    assert "step 1 fails" in capsys.readouterr().out
    assert main(["run", str(tmp_path), "bad", "--virtual-time"]) == 1
    assert "was not run" in capsys.readouterr().out
    (tmp_path / "programs" / "bad.json").write_text("{")
    assert main(["check", str(tmp_path), "pallet_row"]) == 2
    assert "bad.json" in capsys.readouterr().err
