"""Every form of export: golden files, what each robot offers, and what cannot be exported."""

from pathlib import Path

import msgspec
import pytest
from exported import ABB, GOLDEN, UR, everything, texts
from small_cells import BENCH, PICK, program

from openpendant.errors import InputError, UnknownNameError
from openpendant.messages import Pose
from openpendant.programs import (
    Call,
    GoTo,
    MoveAxis,
    Program,
    Wait,
    read_programs,
)
from openpendant.programs.export import export_csv, export_rapid, export_vplus, fitting_forms
from openpendant.robots import import_urdf
from openpendant.scene import Cell, CellRobot, load_demo
from openpendant.scene.demo_cells import FOLDER as DEMOS

ABB_ASIDE = CellRobot(name="aside", model="irb120", pose=Pose(xyz=(3.0, 0.0, 0.0), wxyz=(1.0, 0.0, 0.0, 0.0)))


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return texts()


def golden_names() -> list[str]:
    return sorted(str(path.relative_to(GOLDEN)) for path in GOLDEN.rglob("*.*"))


def test_every_golden_file_is_made(made: dict[str, str]):
    assert sorted(made) == golden_names()


@pytest.mark.parametrize("name", golden_names())
def test_exports_are_as_they_were(made: dict[str, str], name: str):
    assert made[name] == (GOLDEN / name).read_text()
    assert made[name].isascii()


def test_what_cannot_be_exported_says_why():
    with pytest.raises(InputError, match="cannot be executed: step 1 fails"):
        export_rapid(BENCH, program(GoTo(to="far")))
    two = load_demo("two_arms").cell
    both = msgspec.structs.replace(two, robots=(*two.robots, ABB_ASIDE))
    beside = Program(name="beside", robot="aside", steps=(MoveAxis(id="a", q=(0.0,) * 6),))
    calls = Program(name="calls", robot="aside", steps=(Call(id="a", program="place_peg"),))
    programs = {**read_programs(DEMOS / "two_arms", two), "beside": beside}
    for one in (calls, Program(name="calls", robot="yumi", arm="left", steps=(Call(id="a", program="beside"),))):
        with pytest.raises(InputError, match="export each program by itself"):
            export_rapid(both, one, programs=programs)
    whole, other = everything("ur", (0.0, -1.4, 1.6, -1.7, -1.57, 0.0))
    with pytest.raises(InputError, match="RAPID needs a configuration"):
        export_rapid(UR, whole, programs={"other": other})
    with pytest.raises(InputError, match="positive number"):
        export_csv(BENCH, PICK, dt_s=0.0)


def test_a_called_program_is_written_once():
    known = {"other": program(Wait(seconds=1.0), name="other")}
    (text,) = export_vplus(ABB, program(Call(program="other"), Call(program="other")), programs=known)
    assert text.text.count(".PROGRAM other()") == 1
    assert text.text.count("CALL other()") == 2


@pytest.mark.parametrize(
    ("model", "forms"),
    [
        ("irb120", ("rapid", "csv")),
        ("yumi", ("rapid", "csv")),
        ("ur3e", ("urscript", "csv")),
        ("rx90l", ("vplus", "replay", "csv")),
        ("robomap", ("csv",)),
    ],
)
def test_forms_are_those_of_the_robot(model: str, forms: tuple[str, ...]):
    cell = Cell(name="one", robots=(CellRobot(name="it", model=model),))
    assert fitting_forms(cell, Program(name="p", robot="it")) == forms
    with pytest.raises(UnknownNameError, match="nobody"):
        fitting_forms(cell, Program(name="p", robot="nobody"))


def test_an_arm_of_an_unknown_maker_may_be_any_with_six_joints(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("OPENPENDANT_HOME", str(tmp_path))
    for joints, forms in ((6, ("csv", "urscript", "vplus", "replay")), (3, ("csv",))):
        name = f"arm{joints}"
        (tmp_path / f"{name}.urdf").write_text(chain_urdf(name, joints))
        import_urdf(tmp_path / f"{name}.urdf")
        cell = Cell(name="one", robots=(CellRobot(name="it", model=name),))
        assert fitting_forms(cell, Program(name="p", robot="it")) == forms


def chain_urdf(name: str, joints: int) -> str:
    """Return an arm whose joints turn about z and y in turn, a link of 100 mm between."""
    links = "".join(f'<link name="l{i}"/>' for i in range(joints + 1))
    edges = "".join(
        f'<joint name="j{i}" type="revolute"><parent link="l{i}"/><child link="l{i + 1}"/>'
        f'<origin xyz="0 0 0.1"/><axis xyz="{"0 0 1" if i % 2 == 0 else "0 1 0"}"/>'
        '<limit lower="-3" upper="3" velocity="1" effort="1"/></joint>'
        for i in range(joints)
    )
    return f'<robot name="{name}">{links}{edges}</robot>'
