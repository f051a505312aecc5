"""Cells with a crane, and waiting."""

import time
from collections.abc import Callable

from openpendant.messages import Pose
from openpendant.programs import Action, Program
from openpendant.scene import Cell, CellRobot, CellTool, Signal, SignalValue, ToolAction

PATIENCE_S = 60.0
MAGNET = CellTool(
    name="magnet",
    tcp=Pose(xyz=(0.0, 0.0, 0.0), wxyz=(1.0, 0.0, 0.0, 0.0)),
    close=ToolAction(outputs=(SignalValue(signal="pull"),), inputs=(SignalValue(signal="has it"),), timeout_s=5.0),
    open=ToolAction(outputs=(SignalValue(signal="pull", value=False),), time_s=0.1),
)


def crane_cell() -> Cell:
    return Cell(
        name="yard",
        robots=(CellRobot(name="crane", model="crane", tools={"arm": "magnet"}),),
        tools=(MAGNET,),
        signals=(
            Signal(name="pull", kind="out", robot="crane", port="magnet"),
            Signal(name="lamp", kind="out", robot="crane", port="lamp"),
            Signal(name="has it", kind="in", robot="crane", port="loaded"),
            Signal(name="free", kind="in", robot="crane", port="limit"),
        ),
    )


def program(*steps: Action, name: str = "lift") -> Program:
    return Program(name=name, robot="crane", steps=steps)


def wait_for(condition: Callable[[], object], what: str, within_s: float = PATIENCE_S) -> None:
    end = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < end, f"{what} did not happen within {within_s} s"
        time.sleep(0.005)
