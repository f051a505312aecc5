"""Exported programs on the virtual controller, in virtual time: signals and tools reach their pins."""

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray
from ur_brain import make_brain, until

from openpendant.messages import Pose
from openpendant.programs import (
    Action,
    Comment,
    InlinePoint,
    MoveAxis,
    PickPart,
    PlacePart,
    Program,
    SetOutput,
    Tool,
    Wait,
    While,
)
from openpendant.programs.check import trace_program
from openpendant.programs.export import export_urscript
from openpendant.robots import load
from openpendant.scene import Cell, CellRobot, CellTool, Signal, SignalValue, ToolAction
from openpendant.spatial import quaternion_from_matrix
from openpendant.virtual.ur import RuntimeException, RuntimeState

Array = NDArray[np.float64]
HOME = (0.0, -1.4, 1.7, -1.9, -1.57, 0.0)
CELL = Cell(
    name="c",
    robots=(CellRobot(name="ur", model="ur3e", tools={"arm": "hand"}, joints={"arm": HOME}),),
    tools=(
        CellTool(
            name="hand",
            tcp=Pose(xyz=(0.0, 0.0, 0.1), wxyz=(1.0, 0.0, 0.0, 0.0)),
            close=ToolAction(
                outputs=(SignalValue(signal="grip"),), inputs=(SignalValue(signal="shut"),), timeout_s=0.5
            ),
            open=ToolAction(outputs=(SignalValue(signal="grip", value=False),), time_s=0.2),
        ),
    ),
    signals=(
        Signal(name="lamp", kind="out", robot="ur", port="configurable_out_0"),
        Signal(name="grip", kind="out", robot="ur", port="tool_out_1"),
        Signal(name="shut", kind="in", robot="ur", port="tool_in_0"),
    ),
)
STEPS = (
    MoveAxis(id="m", q=(0.05, *HOME[1:]), speed="40%"),
    Tool(id="close", state="close"),
    SetOutput(id="on", signal="lamp"),
    Tool(id="open", state="open"),
    SetOutput(id="off", signal="lamp", value=False),
)
GRIP, LAMP, TICK_S = 1 << 17, 1 << 8, 0.002


@pytest.mark.parametrize("signals", [CELL.signals, CELL.signals[::-1]], ids=["in order", "reversed"])
def test_a_gripper_is_worked_and_confirmed_whatever_the_order_of_the_signals(signals: tuple[Signal, ...]) -> None:
    cell = msgspec.structs.replace(CELL, signals=signals)
    (text,) = export_urscript(cell, Program(name="grip", robot="ur", steps=STEPS))
    brain = make_brain(start_q=HOME)

    def pins() -> int:
        return int(brain.read("actual_digital_output_bits"))

    brain.run_script(text.text)
    until(brain, lambda: pins() == GRIP)
    for _ in range(100):
        brain.tick()
    assert pins() == GRIP, "it waits for the input"
    brain.set_input("tool_digital_0", value=True)
    assert until(brain, lambda: pins() == GRIP | LAMP or pins() == LAMP) * TICK_S < 0.05
    until(brain, lambda: pins() == LAMP)
    assert until(brain, lambda: pins() == 0) * TICK_S == pytest.approx(0.2, abs=0.02)
    until(brain, lambda: brain.read("runtime_state") == RuntimeState.STOPPED)


def test_a_gripper_that_does_not_confirm_halts_the_program() -> None:
    (text,) = export_urscript(CELL, Program(name="grip", robot="ur", steps=STEPS))
    brain = make_brain(start_q=HOME)
    brain.run_script(text.text)
    until(brain, lambda: brain.read("actual_digital_output_bits") == GRIP)
    for _ in range(round(3.0 / TICK_S)):
        brain.tick()
    assert brain.read("actual_digital_output_bits") == GRIP, "the lamp is never lit"


def test_a_pick_and_a_place_are_made_as_they_were_checked() -> None:
    T = load("ur3e").arm().fk(HOME)
    x, y, z = (float(value) for value in T[:3, 3])
    w, i, j, k = (float(value) for value in quaternion_from_matrix(T[:3, :3]))
    there = InlinePoint(pose=Pose(xyz=(x, y, z - 0.15), wxyz=(w, i, j, k)), frame="ur")
    aside = InlinePoint(pose=Pose(xyz=(x, y + 0.1, z - 0.15), wxyz=(w, i, j, k)), frame="ur")
    steps = (
        PickPart(id="pick", part="", at=there, approach_m=0.05, retreat_m=0.04, zone="fine"),
        PlacePart(id="place", part="", at=aside, approach_m=0.05, retreat_m=0.03, zone="fine"),
    )
    program = Program(name="handle", robot="ur", steps=steps)
    (text,) = export_urscript(CELL, program)
    brain = make_brain(start_q=HOME)
    brain.set_input("tool_digital_0", value=True)
    brain.run_script(text.text)
    changes: list[tuple[int, Array]] = []
    path: list[Array] = []
    for _ in range(20_000):
        brain.tick()
        q, pins = np.array(brain.read("actual_q")), int(brain.read("actual_digital_output_bits"))
        path.append(q)
        if not changes or changes[-1][0] != pins:
            changes.append((pins, q))
        if len(path) > 100 and brain.read("runtime_state") == RuntimeState.STOPPED:
            break
    meant = {move.leg.leaf.step.id: move for move in trace_program(CELL, program).main}
    assert [pins for pins, _ in changes] == [0, GRIP, 0]
    assert np.abs(changes[1][1] - meant["pick.grasp"].q).max() < 1e-3, "it closes where it grips"
    assert np.abs(changes[2][1] - meant["place.put"].q).max() < 1e-3, "it opens where it places"
    for name in ("pick.approach", "pick.retreat", "place.approach", "place.retreat"):
        assert min(float(np.abs(q - meant[name].q).max()) for q in path) < 1e-3, name


@pytest.mark.parametrize("step", [Comment(id="c", text="wait"), Wait(id="w", seconds=1.0, enabled=False)])
def test_a_loop_without_a_statement_leaves_the_controller_its_time(step: Action) -> None:
    loop = While(id="l", condition="shut", steps=(step,))
    (text,) = export_urscript(CELL, Program(name="waits", robot="ur", steps=(loop, SetOutput(id="on", signal="lamp"))))
    brain = make_brain(start_q=HOME)
    brain.set_input("tool_digital_0", value=True)
    brain.tick()
    brain.messages()
    brain.run_script(text.text)
    for _ in range(1000):
        brain.tick()
    assert not [one for one in brain.messages() if isinstance(one, RuntimeException)]
    brain.set_input("tool_digital_0", value=False)
    until(brain, lambda: int(brain.read("actual_digital_output_bits")) == LAMP, 100)
