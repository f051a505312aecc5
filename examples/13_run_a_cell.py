"""Run a cell: a UR3e on its virtual controller, states, a jog, a program that is checked and then streamed."""

import sys
import time

from openpendant.messages import TwistIntent
from openpendant.programs import MoveAxis, Program, Wait
from openpendant.runtime import CellRuntime
from openpendant.scene import Cell, CellRobot

VIRTUAL = {"arm": sys.argv[1]} if len(sys.argv) > 1 else True

cell = Cell(name="desk", robots=(CellRobot(name="arm", model="ur3e"),))
with CellRuntime(cell, virtual=VIRTUAL, name="example") as runtime:
    arm = runtime.robot("arm")
    arm.wait_ready()
    print("ready:", arm.state.mode, arm.state.safety, "- ticks are late by", round(arm.state.timing.late_ms, 2), "ms")

    q = arm.q()
    moved = arm.move_joints(q + 0.2)
    print("moved" if moved.reached else f"not moved: {moved.reason}")

    # A hand that pushes the tool upwards for half a second; when it falls silent, the arm comes to rest.
    arm.engage()
    end = time.monotonic() + 0.5
    while time.monotonic() < end:
        push = TwistIntent(source=arm.client_id, stamp_ns=time.monotonic_ns(), linear=(0.0, 0.0, 0.05))
        arm.intend(push)
        time.sleep(0.03)
    arm.stop()
    arm.wait_rest()

    there, back = (tuple((q + by).tolist()) for by in (0.1, 0.0))
    steps = (MoveAxis(id="a", q=there, speed="30%"), Wait(id="w", seconds=0.2), MoveAxis(id="b", q=back, speed="30%"))
    program = Program(name="nod", robot="arm", steps=steps)
    report = runtime.check(program)
    print(report.summary)
    run = runtime.run(program, report=report)
    print("run:", run.status, run.message)
    for event in runtime.events[-4:]:
        print(" ", event.kind, event.message)
