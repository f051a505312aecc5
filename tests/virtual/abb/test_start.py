"""How virtual ABB controllers come up: options of the command line, missing RobotWare options, modules and folders."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from openpendant.errors import InputError, OpenPendantError
from openpendant.makers import maker_of_virtual
from openpendant.makers.abb_cell import configuration_of
from openpendant.programs import open_project
from openpendant.robots import load
from openpendant.scene import load_demo
from openpendant.virtual.abb import AbbController, ControllerRefusal, tasks_of, units_of
from openpendant.virtual.abb.configuration import modules_by_task, parse_peer, parse_signals, parse_tasks, parse_tools
from openpendant.virtual.abb.start import AbbStart, brain_maker, make_host
from openpendant.virtual.wire import ClosedSockets

HERE = "127.0.0.{}"
MODULE = "MODULE pick\nPROC main()\n{}\nENDPROC\nENDMODULE"


@contextmanager
def brain_of(**options: Any) -> Iterator[AbbController]:
    with ExitStack() as folders:
        yield brain_maker(AbbStart(**options), folders)(ClosedSockets())


def fault_of(brain: AbbController, body: str) -> str:
    brain.program.load(next(iter(brain.program.tasks)), MODULE.format(body), "pick.mod", replace=True)
    return brain.program.fault


def test_signals_are_read():
    found = parse_signals(" doGrip:DO=1, diReady:di,aoGlue:AO=2.5 ,")
    assert [(one.name, one.kind, one.value) for one in found] == [
        ("doGrip", "DO", 1.0),
        ("diReady", "DI", 0.0),
        ("aoGlue", "AO", 2.5),
    ]
    assert parse_signals("") == ()
    for text, why in (
        ("doGrip", "NAME:KIND"),
        ("doGrip:DX", "DI, DO, AI, AO, GI, GO"),
        ("1a:DO", "a letter first"),
        (f"{'a' * 33}:DO", "32 letters"),
        ("doGrip:DO=2", "0 and 1 are allowed"),
        ("doGrip:DO=x", "not a number"),
        ("a:DO,A:DI", "given twice"),
    ):
        with pytest.raises(InputError, match=why):
            parse_signals(text)


def test_tools_tasks_and_peers_are_read():
    tool = "[TRUE,[[0,0,100],[1,0,0,0]],[1,[0,0,50],[1,0,0,0],0,0,0]]"
    assert parse_tools(f"grip={tool}", ("ROB_1",))["ROB_1"]["grip"][1][0] == (0.0, 0.0, 100.0)
    both = parse_tools(f"ROB_R/a={tool};ROB_L/a={tool}", ("ROB_L", "ROB_R"))
    assert {unit: list(own) for unit, own in both.items()} == {"ROB_R": ["a"], "ROB_L": ["a"]}
    for text, why in (
        (f"grip={tool}", "UNIT one of ROB_L, ROB_R"),
        ("ROB_L/grip", "UNIT/NAME=TOOLDATA"),
        ("ROB_L/grip=[TRUE]", "not tooldata"),
        ("ROB_L/grip=[TRUE,", "grip"),
        (f"ROB_L/grip={tool.replace('[1,0,0,0]', '[2,0,0,0]')}", "orientation of length 2"),
    ):
        with pytest.raises(InputError, match=why):
            parse_tools(text, ("ROB_L", "ROB_R"))
    assert [one.name for one in parse_tasks("T_A, T_B")] == ["T_A", "T_B"]
    usual = ("127.0.0.2", 6510)
    for text, peer in (
        ("", usual),
        ("7000", ("127.0.0.2", 7000)),
        ("127.0.0.1", ("127.0.0.1", 6510)),
        ("127.0.0.1:7000", ("127.0.0.1", 7000)),
    ):
        assert parse_peer(text, usual) == peer
    for text in ("a:b", "a:70000", "a b:1", "0"):
        with pytest.raises(InputError, match="ADDRESS:PORT"):
            parse_peer(text, usual)
    assert modules_by_task("a.mod,T_ROB_R:b.mod,c.mod", ("T_ROB_L", "T_ROB_R")) == {
        "T_ROB_L": ["a.mod", "c.mod"],
        "T_ROB_R": ["b.mod"],
    }
    with pytest.raises(InputError, match="no task 'T_X'; known: T_ROB_L, T_ROB_R"):
        modules_by_task("T_X:a.mod", ("T_ROB_L", "T_ROB_R"))


@pytest.mark.parametrize(
    ("number", "body"),
    [
        ("616-1", "VAR socketdev link;\nSocketCreate link;"),
        ("689-1", "VAR egmident guided;\nEGMGetId guided;"),
        ("604-1", "SyncMoveUndo;"),
    ],
)
def test_a_missing_option_takes_its_instructions(number: str, body: str):
    with brain_of(model="yumi") as brain:
        assert fault_of(brain, body) == ""
        assert number in {one.partition(" ")[0] for one in brain.setup.options}
    with brain_of(model="yumi", without=number) as brain:
        assert "unknown" in fault_of(brain, body)
        assert number not in {one.partition(" ")[0] for one in brain.setup.options}
        brain.panel.set_motors(on=True)
        with pytest.raises(ControllerRefusal, match="unknown"):
            brain.start("once")
        assert fault_of(brain, 'TPWrite "still runs";') == ""


def test_background_tasks_come_with_multitasking():
    with brain_of(tasks="T_LISTEN") as brain:
        assert {name: one.motion for name, one in brain.program.tasks.items()} == {"T_ROB1": True, "T_LISTEN": False}
    with pytest.raises(InputError, match="without 623-1 Multitasking has no background tasks"), ExitStack() as folders:
        brain_maker(AbbStart(tasks="T_LISTEN", without="623-1"), folders)
    with pytest.raises(InputError, match="'604-1'; this controller has 616-1, 623-1, 689-1"), ExitStack() as folders:
        brain_maker(AbbStart(without="604-1"), folders)


def test_a_tool_of_the_configuration_is_there_and_may_be_hidden():
    tool = "[TRUE,[[0,0,{}],[1,0,0,0]],[1,[0,0,50],[1,0,0,0],0,0,0]]"
    asked = "VAR num z;\nz:=grip.tframe.trans.z;\nTPWrite NumToStr(z,0);"
    with brain_of(tools=f"grip={tool.format(100)}", power="on") as brain:
        assert fault_of(brain, asked) == ""
        brain.panel.set_motors(on=True)
        brain.start("once")
        while brain.program.running:
            brain.tick()
        assert brain.terminal.lines == ("100",)
        assert brain.program.read(("T_ROB1", "Grip")) == tool.format(100)
        assert brain.program.type_of(("T_ROB1", "grip")) == "tooldata"
        own = f"MODULE own\nPERS tooldata grip:={tool.format(7)};\nENDMODULE"
        brain.program.load("T_ROB1", own, "own.mod", replace=True)
        assert brain.program.fault == ""
        assert brain.program.read(("T_ROB1", "grip")) == tool.format(7)
        assert "is the system's own" in fault_of(brain, "tool0.robhold:=FALSE;")


def test_signals_and_tools_of_a_cell_are_the_configuration():
    cell = load_demo("pick_and_place").cell
    given = configuration_of(cell, "irb120", None)
    assert {one.name for one in parse_signals(given["signals"])} == {"doGrip", "doTrayFull", "diCubesReady"}
    tool = parse_tools(given["tools"], ("ROB_1",))["ROB_1"]["gripper"]
    assert (tool[1][0], tool[2][0]) == ((0.0, 0.0, 125.0), 0.56)


def test_a_program_of_a_demo_runs_on_the_controller_of_its_cell():
    project = open_project("pick_and_place")
    uploads = maker_of_virtual("irb120").uploads
    assert uploads is not None
    (text,) = uploads.export(project.cell, project.program("sort_cubes").program, programs=None, folder=None)
    with brain_of(**configuration_of(project.cell, "irb120", None)) as brain:
        brain.program.load("T_ROB1", text.text, text.name, replace=True)
        assert brain.program.fault == ""


def test_joints_at_the_start_by_arm():
    yumi = load("yumi")
    left = yumi.posture(arm="left") + 0.05
    with brain_of(model="yumi", start_q={"left": left}) as brain:
        assert np.array_equal(brain.units["ROB_L"].arm.plant.q, left)
        assert np.array_equal(brain.units["ROB_R"].arm.plant.q, yumi.posture(arm="right"))
    with pytest.raises(InputError, match="needs the names of arms: left, right"), ExitStack() as folders:
        brain_maker(AbbStart(model="yumi", start_q={"": left}), folders)
    with pytest.raises(OpenPendantError, match="tooth"), brain_of(start_q={"tooth": (0.0,)}):
        pass
    assert (tuple(units_of(yumi)), len(tasks_of(yumi))) == (("left", "right"), 2)


def test_in_a_cell_it_stands_as_the_cell_says_and_collides():
    with brain_of(cell="pick_and_place", noise=0.0) as brain:
        (arm,) = (one.arm for one in brain.units.values())
        start = arm.plant.q.copy()
        down = np.degrees(start) + np.array([0.0, 60.0, 0.0, 0.0, 0.0, 0.0])
        joints = ",".join(f"{one:.3f}" for one in down)
        fault_of(brain, f"MoveAbsJ [[{joints}],[9E9,9E9,9E9,9E9,9E9,9E9]],v500,fine,tool0;")
        brain.panel.set_motors(on=True)
        brain.start("once")
        for _ in range(2000):
            brain.tick()
        assert 50204 in {one.code for one in brain.log.newest_first()}
        assert not brain.program.running


@pytest.mark.parametrize("mode", ["auto", "manual"])
def test_it_comes_up_as_asked_and_leaves_no_folder(tmp_path: Path, mode: str):
    (tmp_path / "pick.mod").write_text(MODULE.format('TPWrite "x";'))
    start = AbbStart(
        bind=HERE.format(74), mode=mode, power="on", program=str(tmp_path / "pick.mod"), rws=8091, egm="127.0.0.1:7000"
    )
    with ExitStack() as folders:
        host = make_host(start, folders)
        home = host.brain.setup.home
        state = json.loads(host.operator.reply_to(b'{"do":"state"}'))["state"]
        assert (state["robot_mode"], state["remote"]) == ("motoron", mode == "auto")
        assert host.brain.program.tasks["T_ROB1"].modules.keys() == {"pick"}
        assert host.services() == {"rws": f"http://{HERE.format(74)}:8091", "egm": "127.0.0.1:7000"}
        host.close()
        assert home.is_dir()
    assert not home.exists()


def test_what_cannot_be_loaded_is_told(tmp_path: Path):
    (tmp_path / "bad.mod").write_text(MODULE.format("Nothing;"))
    for text, why in (("bad.mod", "unknown"), ("none.mod", "No such file")):
        start = AbbStart(bind=HERE.format(75), program=str(tmp_path / text))
        with pytest.raises(InputError, match=why), ExitStack() as folders:
            make_host(start, folders)


def test_modules_of_home_are_loaded_as_programs(tmp_path: Path):
    (tmp_path / "pick.mod").write_text(MODULE.format('TPWrite "pick";'))
    (tmp_path / "place.prg").write_text(MODULE.format('TPWrite "place";').replace("pick\n", "place\n", 1))
    with ExitStack() as folders:
        host = make_host(AbbStart(model="yumi", bind=HERE.format(76), home=tmp_path, rws=8091), folders)
        try:
            host.step()
            names = ["T_ROB_L/pick.mod", "T_ROB_L/place.prg", "T_ROB_R/pick.mod", "T_ROB_R/place.prg"]
            assert json.loads(host.operator.reply_to(b'{"do":"state"}'))["state"]["programs"] == names
            tasks = host.brain.program.tasks
            system = "MODULE tools(SYSMODULE)\nPERS num n:=1;\nENDMODULE"
            host.brain.program.load("T_ROB_R", system, "tools.sys", replace=True)
            for name in names[2:]:
                assert json.loads(host.operator.reply_to(json.dumps({"do": "load", "program": name}).encode()))["ok"]
            assert tasks["T_ROB_R"].modules.keys() == {"tools", "place"}
            assert tasks["T_ROB_L"].modules.keys() == {"mainmodule"}
            for name in ("T_ROB_R/none.mod", "T_X/pick.mod", "../pick.mod"):
                assert not json.loads(host.operator.reply_to(json.dumps({"do": "load", "program": name}).encode()))[
                    "ok"
                ]
        finally:
            host.close()
