"""Small cells and programs that several tests use."""

from functools import cache

from openpendant.messages import Pose
from openpendant.programs import Action, GoTo, InlinePoint, MoveAxis, Program, Tool
from openpendant.scene import (
    BoxShape,
    Cell,
    CellFrame,
    CellObject,
    CellPoint,
    CellRobot,
    CellTool,
    CollisionWorld,
    Scene,
    Signal,
    SignalValue,
    ToolAction,
)

DOWN = (0.0, 0.0, 1.0, 0.0)
LEVEL = (1.0, 0.0, 0.0, 0.0)


def at(x: float, y: float, z: float, wxyz: tuple[float, float, float, float] = LEVEL) -> Pose:
    return Pose(xyz=(x, y, z), wxyz=wxyz)


def spot(x: float, y: float, z: float, wxyz: tuple[float, float, float, float] = DOWN) -> InlinePoint:
    """Return a point without a name, told from the robot's foot."""
    return InlinePoint(pose=at(x, y, z, wxyz), frame="abb")


def point(name: str, x: float, y: float, z: float, frame: str = "abb") -> CellPoint:
    return CellPoint(name=name, pose=at(x, y, z, DOWN), frame=frame)


BENCH = Cell(
    name="bench",
    robots=(CellRobot(name="abb", model="irb120", pose=at(0.0, 0.0, 0.4), tools={"arm": "gripper"}),),
    tools=(
        CellTool(
            name="gripper",
            tcp=at(0.0, 0.0, 0.125),
            catalogue="gripper",
            open=ToolAction(outputs=(SignalValue(signal="grip", value=False),), time_s=0.0),
            close=ToolAction(outputs=(SignalValue(signal="grip"),), time_s=0.0),
        ),
    ),
    frames=(CellFrame(name="tray", pose=at(0.35, -0.1, 0.0), parent="abb"),),
    objects=(
        CellObject(name="table", shape=BoxShape(size=(1.0, 1.2, 0.04)), pose=at(0.6, 0.0, -0.02), frame="abb"),
        CellObject(
            name="cube",
            shape=BoxShape(size=(0.03, 0.03, 0.03)),
            pose=at(0.35, 0.1, 0.015),
            frame="abb",
            graspable=True,
        ),
    ),
    points=(
        point("home", 0.35, 0.0, 0.25),
        point("above", 0.35, 0.1, 0.15),
        point("grasp", 0.35, 0.1, 0.015),
        point("beside", 0.0, 0.0, 0.15, "tray"),
        point("put", 0.0, 0.0, 0.018, "tray"),
        point("far", 0.9, 0.0, 0.3),
        point("under", 0.35, 0.0, -0.05),
    ),
    signals=(
        Signal(name="ready", kind="in", robot="abb", port="diReady"),
        Signal(name="part here", kind="in", robot="abb", port="diPartHere"),
        Signal(name="lamp", kind="out", robot="abb", port="doLamp"),
        Signal(name="grip", kind="out", robot="abb", port="doGrip"),
    ),
)
"""An IRB 120 with its gripper at a table with one cube."""


@cache
def bench_world() -> CollisionWorld:
    return CollisionWorld(Scene(BENCH))


def program(*steps: Action, **fields: object) -> Program:
    """Return a program for the bench; steps without an id get one."""
    import msgspec

    numbered = tuple(
        step if step.id else msgspec.structs.replace(step, id=f"t{index}") for index, step in enumerate(steps, 1)
    )
    return Program(**({"name": "test", "robot": "abb", "steps": numbered} | fields))  # type: ignore[arg-type]


HOME_Q = (0.0, 0.2, 0.3, 0.0, 1.0, 0.0)

PICK = program(
    GoTo(to="home"),
    GoTo(to="above", speed="v500", zone="z20"),
    GoTo(to="grasp", how="line", speed="v100"),
    Tool(state="close"),
    GoTo(to="above", how="line", zone="z20"),
    GoTo(to="beside", speed="v500", zone="z20"),
    GoTo(to="put", how="line", speed="v100"),
    Tool(state="open"),
    GoTo(to="beside", how="line", zone="z20"),
    MoveAxis(q=HOME_Q, speed="40%"),
    name="pick",
)
