"""What is exported for the golden files; `python tests/programs/exported.py` rewrites them."""

import re
from pathlib import Path

import msgspec

from openpendant.controllers import VendorText
from openpendant.messages import Pose
from openpendant.programs import (
    Call,
    Comment,
    GoTo,
    Group,
    If,
    MoveAxis,
    Offset,
    PickPart,
    PlacePart,
    Program,
    Repeat,
    SetOutput,
    SetVariable,
    SpeedOverride,
    Tool,
    Wait,
    WaitInput,
    While,
    read_programs,
)
from openpendant.programs.export import export_rapid, export_replay, export_urscript, export_vplus
from openpendant.scene import Cell, CellPoint, CellRobot, CellTool, Signal, SignalValue, ToolAction, load_demo
from openpendant.scene.demo_cells import FOLDER as DEMOS

GOLDEN = Path(__file__).parent / "golden"
PORTS = {
    "irb120": {"ready": "diReady", "part here": "diPartHere", "lamp": "doLamp", "open": "doOpen", "shut": "doShut"},
    "ur3e": {"ready": "standard_in_0", "part here": "configurable_in_1", "lamp": "configurable_out_0"}
    | {"grip": "tool_out_0", "is shut": "tool_in_0"},
    "rx90l": {"ready": "1001", "part here": "1002", "lamp": "1"},
}
INPUTS = ("ready", "part here", "is shut")
SHUT, OPEN = SignalValue(signal="shut"), SignalValue(signal="open")
HANDS = {
    "irb120": CellTool(
        name="gripper",
        tcp=Pose(xyz=(0.0, 0.0, 0.125), wxyz=(1.0, 0.0, 0.0, 0.0)),
        catalogue="gripper",
        open=ToolAction(outputs=(SignalValue(signal="shut", value=False), OPEN), time_s=0.25),
        close=ToolAction(outputs=(SignalValue(signal="open", value=False), SHUT), time_s=0.25),
    ),
    "ur3e": CellTool(
        name="hand",
        tcp=Pose(xyz=(0.0, 0.0, 0.0), wxyz=(1.0, 0.0, 0.0, 0.0)),
        open=ToolAction(outputs=(SignalValue(signal="grip", value=False),), time_s=0.4),
        close=ToolAction(outputs=(SignalValue(signal="grip"),), inputs=(SignalValue(signal="is shut"),), timeout_s=1.5),
    ),
}
"""Tools that are worked by two outputs, or by one and an input that confirms it; V+ has its own hand."""


def everything(robot: str, q: tuple[float, ...]) -> tuple[Program, Program]:
    """Return a program with every action, and one that it calls."""
    beside = Offset(by=("row * 0.01", "-(row + 1) * 0.005", 0.0))
    steps = (
        Comment(id="c", text="Every action once."),
        WaitInput(id="wi", signal="ready", timeout_s=5.0),
        MoveAxis(id="ma", q=q, speed="40%"),
        GoTo(id="l1", to="a", how="line", speed="120 mm/s 90 °/s", zone="12 mm"),
        GoTo(id="l2", to="b", how="line", speed="v100", zone="z5"),
        GoTo(id="arc", to="c", via="b2", how="arc", speed="v50"),
        Tool(id="open", state="open"),
        Tool(id="close", state="close"),
        SpeedOverride(id="so", percent=60.0),
        GoTo(id="j1", to="a", speed="30%", zone="z10"),
        SetOutput(id="on", signal="lamp"),
        While(
            id="w",
            condition="row < 3",
            steps=(
                GoTo(id="off", to="a", how="line", offset=beside),
                GoTo(id="tool", to="a", how="line", offset=Offset(by=(0.0, 0.0, -0.01), axes="tool")),
                SetVariable(id="sv", name="row", value="row + 1"),
            ),
        ),
        If(
            id="if",
            condition="'part here' and not (ready or row = 2) and row / 2 != 1.5",
            steps=(Wait(id="wait", seconds=0.5),),
            otherwise=(Call(id="call", program="other"),),
        ),
        Repeat(id="r", times=2, steps=(SetOutput(id="off2", signal="lamp", value=False),)),
        Group(id="g", title="Home", steps=(MoveAxis(id="home", q=q, speed="v200"),)),
        PickPart(id="pick", part="", at="a", approach_m=0.02, retreat_m=0.03, speed="30%"),
        PlacePart(id="place", part="", at="b", offset=beside, along="+z", approach_m=0.03, retreat_m=0.02),
        Wait(id="never", seconds=9.0, enabled=False),
        Repeat(id="ever", times=None, steps=(Wait(id="idle", seconds=1.0), WaitInput(id="wi2", signal="part here"))),
    )
    whole = Program(name="everything", robot=robot, variables={"row": 0.0}, steps=steps)
    return whole, Program(name="other", robot=robot, steps=(GoTo(id="o", to="b", how="line"),))


def cell_for(robot: CellRobot, a: Pose, away: tuple[float, float, float]) -> Cell:
    """Return a cell with points a, b, b2, c along a bent way."""
    (x, y, z), (dx, dy, dz) = a.xyz, away
    shifts = {"a": (0.0, 0.0), "b": (1.0, 0.0), "b2": (0.6, 0.35), "c": (0.0, 0.5)}
    points = tuple(
        CellPoint(
            name=name,
            frame=robot.name,
            pose=Pose(xyz=(x + u * dx - v * dy, y + u * dy + v * dx, z + u * dz), wxyz=a.wxyz),
        )
        for name, (u, v) in shifts.items()
    )
    signals = tuple(
        Signal(name=name, kind="in" if name in INPUTS else "out", robot=robot.name, port=port)
        for name, port in PORTS[robot.model].items()
    )
    hand = HANDS.get(robot.model)
    if hand is None:
        return Cell(name="all", robots=(robot,), points=points, signals=signals)
    holds = msgspec.structs.replace(robot, tools={"arm": hand.name})
    return Cell(name="all", robots=(holds,), tools=(hand,), points=points, signals=signals)


DOWN = (0.0, 0.0, 1.0, 0.0)
ABB = cell_for(CellRobot(name="abb", model="irb120"), Pose(xyz=(0.35, 0.0, 0.3), wxyz=DOWN), (0.0, 0.08, 0.0))
UR = cell_for(CellRobot(name="ur", model="ur3e"), Pose(xyz=(0.25, 0.1, 0.25), wxyz=DOWN), (0.08, 0.0, 0.0))
VPLUS = cell_for(CellRobot(name="rx", model="rx90l"), Pose(xyz=(0.6, 0.0, 0.7), wxyz=DOWN), (0.0, 0.1, 0.0))


def texts() -> dict[str, str]:
    """Return every golden file's text by name."""
    files: dict[str, str] = {}

    def keep(folder: str, made: tuple[VendorText, ...]) -> None:
        for one in made:
            files[f"{folder}/{one.name}"] = unversioned(one.text)

    for demo, form in (("pick_and_place", export_rapid), ("two_arms", export_rapid), ("bench", export_urscript)):
        cell = load_demo(demo).cell
        programs = read_programs(DEMOS / demo, cell)
        for one in programs.values():
            keep(demo, form(cell, one, programs=programs))
    weld = load_demo("weld_a_box").cell
    programs = read_programs(DEMOS / "weld_a_box", weld)
    keep("weld_a_box", export_vplus(weld, programs["weld_box"]))
    keep("weld_a_box", export_replay(weld, programs["weld_box"]))
    q = {"abb": (0.0, 0.2, 0.3, 0.0, 1.0, 0.0), "ur": (0.0, -1.4, 1.6, -1.7, -1.57, 0.0)}
    for folder, cell, form in (("abb", ABB, export_rapid), ("ur", UR, export_urscript)):
        whole, other = everything(folder, q[folder])
        keep("everything", form(cell, whole, programs={"other": other}))
    whole, other = everything("rx", (0.0, -1.4, 2.8, 0.0, 1.2, 0.0))
    keep("everything", export_vplus(VPLUS, whole, programs={"other": other}))
    return files


def unversioned(text: str) -> str:
    return re.sub(r"OpenPendant [\d.]+\w*", "OpenPendant", text)


if __name__ == "__main__":
    for name, text in texts().items():
        path = GOLDEN / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        print(path)  # noqa: T201
