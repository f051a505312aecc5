"""Two mechanical units on one controller: each with its own task, stopped together from the background."""

from pathlib import Path

import numpy as np
import pytest
from abb_stand import READY, TICK_S

from openpendant.protocols.rws import RwsCall, RwsOperation
from openpendant.robots import load
from openpendant.virtual.abb import AbbController, AbbSetup, TaskSetup
from openpendant.virtual.abb.services.rws_reads import RwsReads
from openpendant.virtual.arm import VirtualArm, arm_model
from openpendant.virtual.wire import ClosedSockets

TASKS = (TaskSetup("T_ROB1", "ROB_1"), TaskSetup("T_ROB2", "ROB_2"), TaskSetup("T_BACK"))
FLAGS = "PERS bool halt:=FALSE; PERS bool again:=FALSE;"


@pytest.fixture
def brain(tmp_path: Path) -> AbbController:
    arms = {name: VirtualArm(arm_model(load("irb120")), READY, tick_s=TICK_S) for name in ("ROB_1", "ROB_2")}
    setup = AbbSetup("irb120", "127.0.0.1", tmp_path, tmp_path, tasks=TASKS)
    return AbbController(setup, arms, ClosedSockets())


def begin(brain: AbbController, bodies: dict[str, str], data: str = "") -> None:
    for task, body in bodies.items():
        text = f"MODULE MainModule\n{data}\nPROC main()\n{body}\nENDPROC\nENDMODULE"
        brain.program.load(task, text, "m.mod", replace=True)
    brain.panel.set_motors(on=True)
    brain.start("once")


def ticks(brain: AbbController, seconds: float) -> None:
    for _ in range(round(seconds / TICK_S)):
        brain.tick()


def axis_1(brain: AbbController) -> list[float]:
    return [float(np.degrees(one.arm.plant.q[0])) for one in brain.units.values()]


def errors(brain: AbbController) -> list[str]:
    return [one.text for one in brain.log.newest_first() if one.level == 3]


def far(degrees: float) -> str:
    return f"MoveAbsJ [[{degrees},10,20,0,60,0],[9E9,9E9,9E9,9E9,9E9,9E9]],v300,fine,tool0;"


def run_out(brain: AbbController) -> None:
    for _ in range(20_000):
        if not brain.program.running:
            return
        brain.tick()
    raise AssertionError(errors(brain))


def test_each_task_moves_its_own_unit(brain: AbbController):
    begin(brain, {"T_ROB1": far(20), "T_ROB2": far(-30)})
    run_out(brain)
    assert errors(brain) == []
    assert axis_1(brain) == pytest.approx([20.0, -30.0], abs=0.01)
    units = RwsReads(brain).read(RwsCall(RwsOperation.LIST_UNITS)) or ()
    assert [one.title for one in units] == ["ROB_1", "ROB_2"]
    joints = RwsReads(brain).read(RwsCall(RwsOperation.READ_JOINTS, ("ROB_2",))) or ()
    assert float(joints[0].fields["rax_1"]) == pytest.approx(-30.0, abs=0.01)


@pytest.mark.parametrize(("switch", "stopped"), [("\\AllMotionTasks", 2), ("", 1)])
def test_the_background_stops_one_or_all(brain: AbbController, switch: str, stopped: int):
    stop = f"WaitUntil halt; StopMove{switch}; WaitUntil again; StartMove{switch};"
    begin(brain, {"T_ROB1": far(60), "T_ROB2": far(60), "T_BACK": stop}, FLAGS)
    ticks(brain, 0.8)
    brain.program.write(("T_BACK", "halt"), "TRUE")
    ticks(brain, 3.0)
    resting = [one < 50.0 for one in axis_1(brain)]
    assert resting == [True, stopped == 2]
    brain.program.write(("T_BACK", "again"), "TRUE")
    run_out(brain)
    assert axis_1(brain) == pytest.approx([60.0, 60.0], abs=0.01)


def test_each_unit_is_guided_for_itself(brain: AbbController):
    guide = 'EGMGetId id; EGMSetupUC {0},id,"default","UCdevice"\\Joint; EGMStreamStart id; WaitTime 0.1;'
    begin(brain, {"T_ROB1": guide.format("ROB_1"), "T_ROB2": guide.format("ROB_2")}, "VAR egmident id;")
    run_out(brain)
    assert errors(brain) == []
    assert [one.state for one in brain.guidances.values()] == ["connected", "connected"]
    assert all(one.take_outbox() for one in brain.guidances.values())
