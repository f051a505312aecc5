"""Cells that tests run, and a client in its own process."""

import subprocess
import sys
import time
from collections.abc import Callable

from openpendant.messages import Pose
from openpendant.scene import Cell, CellRobot, CellTool, Signal, SignalValue, ToolAction

PATIENCE_S = 60.0
GRIP_S = 2.0
"""So long the gripper of `two_robots` may take to close."""

CLIENT = """
import sys
from openpendant.runtime import Bus, CellLink, RemoteRobot
from openpendant.motion import Speed
from openpendant.scene import Scene, decode_cell
endpoint, cell, robot, *goals = sys.argv[1:]
scene = Scene(decode_cell(cell.encode()))
with Bus.join(endpoint) as session:
    link = CellLink(session, scene.cell.name, "client")
    arm = RemoteRobot(robot, scene, link)
    arm.wait_ready()
    arm.acquire()
    print("ready", flush=True)
    while True:
        for goal in goals:
            moved = arm.move_joints([float(value) for value in goal.split(",")], speed=Speed(joint_fraction=0.2))
            if not moved.reached:
                print(moved.outcome, moved.reason, flush=True)
                sys.exit(3)
"""


def two_robots() -> Cell:
    away = Pose(xyz=(2.0, 0.0, 0.0), wxyz=(1.0, 0.0, 0.0, 0.0))
    left = CellRobot(name="left arm", model="ur3e", tools={"arm": "hand"})
    hand = CellTool(
        name="hand",
        tcp=Pose(xyz=(0.0, 0.0, 0.0), wxyz=(1.0, 0.0, 0.0, 0.0)),
        close=ToolAction(outputs=(SignalValue(signal="grip"),), inputs=(SignalValue(signal="shut"),), timeout_s=GRIP_S),
        open=ToolAction(outputs=(SignalValue(signal="grip", value=False),), time_s=0.2),
    )
    return Cell(
        name="two robots",
        robots=(left, CellRobot(name="right", model="irb120", pose=away)),
        tools=(hand,),
        signals=(
            Signal(name="lamp", kind="out", robot="left arm", port="configurable_out_0"),
            Signal(name="grip", kind="out", robot="left arm", port="tool_out_0"),
            Signal(name="shut", kind="in", robot="left arm", port="tool_in_0"),
            Signal(name="idea", kind="out"),
        ),
    )


def one_robot(model: str = "ur3e", name: str = "arm", tools: tuple[CellTool, ...] = ()) -> Cell:
    return Cell(name="one", robots=(CellRobot(name=name, model=model),), tools=tools)


def wait_for(condition: Callable[[], bool], what: str, within_s: float = PATIENCE_S) -> None:
    end = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < end, f"{what} did not happen within {within_s} s"
        time.sleep(0.002)


def start_client(endpoint: str, cell: str, robot: str, *goals: list[float]) -> "subprocess.Popen[str]":
    """Start a client that moves a robot to and fro; ready when its first line can be read."""
    words = [",".join(str(value) for value in goal) for goal in goals]
    return subprocess.Popen(
        [sys.executable, "-c", CLIENT, endpoint, cell, robot, *words], stdout=subprocess.PIPE, text=True
    )
