"""Cells for the tests of the room, and hypothesis strategies that make them."""

import math
from typing import Any

import numpy as np
from hypothesis import strategies as st

from openpendant.messages import Pose
from openpendant.scene import (
    BoxShape,
    Cell,
    CellFrame,
    CellObject,
    CellPoint,
    CellRobot,
    CellSpace,
    CellTool,
    CylinderShape,
    MeshShape,
    Shape,
    Signal,
    SignalValue,
    SphereShape,
    ToolAction,
    ToolPart,
)
from openpendant.spatial import quaternion_from_matrix, rotation_x, rotation_y, rotation_z


def pose(x: float = 0.0, y: float = 0.0, z: float = 0.0, turn: float = 0.0) -> Pose:
    return Pose(xyz=(x, y, z), wxyz=(math.cos(turn / 2), 0.0, 0.0, math.sin(turn / 2)))


def box(name: str, size: tuple[float, float, float], at: Pose, **more: Any) -> CellObject:
    return CellObject(name=name, shape=BoxShape(size=size), pose=at, **more)


def random_pose(rng: np.random.Generator, low: tuple[float, ...], high: tuple[float, ...]) -> Pose:
    a, b, c = rng.uniform(-3, 3, 3)
    q = quaternion_from_matrix(rotation_z(a) @ rotation_y(b) @ rotation_x(c))
    x, y, z = (float(v) for v in rng.uniform(low, high))
    w, i, j, k = (float(v) for v in q / np.linalg.norm(q))
    return Pose(xyz=(x, y, z), wxyz=(w, i, j, k))


def random_objects(rng: np.random.Generator, count: int, *, boxes_only: bool = False) -> tuple[CellObject, ...]:
    """Small things round a robot, not nearer than 0.25 m to its axis."""
    out: list[CellObject] = []
    while len(out) < count:
        at = random_pose(rng, (-1.0, -1.0, -0.1), (1.0, 1.0, 1.2))
        if math.hypot(at.xyz[0], at.xyz[1]) < 0.25:
            continue
        x, y, z = (float(v) for v in rng.uniform(0.02, 0.12, 3))
        shapes: list[Shape] = [
            BoxShape(size=(x, y, z)),
            CylinderShape(radius=x / 2, length=y),
            SphereShape(radius=x / 2),
        ]
        shape = shapes[0] if boxes_only else shapes[len(out) % 3]
        out.append(CellObject(name=f"thing {len(out)}", shape=shape, pose=at))
    return tuple(out)


lengths = st.floats(-40.0, 40.0, allow_nan=False)
sizes = st.floats(0.001, 20.0)
angles = st.floats(-math.pi, math.pi)
words = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=12)


@st.composite
def poses(draw: st.DrawFn) -> Pose:
    R = rotation_z(draw(angles)) @ rotation_y(draw(angles)) @ rotation_x(draw(angles))
    q = quaternion_from_matrix(R)
    w, i, j, k = (float(v) for v in q / np.linalg.norm(q))
    return Pose(xyz=(draw(lengths), draw(lengths), draw(lengths)), wxyz=(w, i, j, k))


shapes = st.one_of(
    st.builds(BoxShape, size=st.tuples(sizes, sizes, sizes)),
    st.builds(CylinderShape, radius=sizes, length=sizes),
    st.builds(SphereShape, radius=sizes),
    st.builds(MeshShape, file=words.map(lambda w: f"meshes/{w}.stl"), scale=st.sampled_from([1.0, 0.001])),
)
VALVE_OFF = ToolAction(outputs=(SignalValue(signal="a valve", value=False),))
VALVE_ON = ToolAction(
    outputs=(SignalValue(signal="a valve"),), inputs=(SignalValue(signal="a switch"),), time_s=0.5, timeout_s=1.0
)
colors = st.integers(0, 0xFFFFFF).map(lambda n: f"#{n:06x}")


@st.composite
def cells(draw: st.DrawFn) -> Cell:
    """Cells without fault, with every kind of thing and reference."""
    names = draw(st.lists(words, min_size=8, max_size=16, unique=True).filter(lambda n: "world" not in n))
    tool, robot, frame, inner, *rest = names
    things = rest[: len(rest) // 2]
    return Cell(
        name=draw(words),
        title=draw(st.text(max_size=20)),
        notes=draw(st.text(max_size=40)),
        robots=(
            CellRobot(
                name=robot,
                model="ur3e",
                pose=draw(poses()),
                tools={"arm": draw(st.sampled_from([tool, None]))},
                joints=draw(st.sampled_from([{}, {"arm": (0.1, -1.0, 1.0, 0.5, -0.25, 3.0)}])),
            ),
        ),
        tools=(
            CellTool(
                name=tool,
                tcp=pose(0.0, 0.0, 0.125),
                mass_kg=draw(st.floats(0.0, 20.0)),
                open=draw(st.sampled_from([None, VALVE_OFF])),
                close=draw(st.sampled_from([None, VALVE_ON])),
                parts=draw(
                    st.sampled_from([(), (ToolPart(shape=SphereShape(radius=0.05), pose=pose(0.0, 0.0, 0.05)),)])
                ),
            ),
        ),
        frames=(CellFrame(name=frame, pose=draw(poses())), CellFrame(name=inner, pose=draw(poses()), parent=frame)),
        objects=tuple(
            CellObject(
                name=name,
                shape=draw(shapes),
                pose=draw(poses()),
                frame=draw(st.sampled_from(["world", frame, inner, robot])),
                margin_m=draw(st.floats(0.0, 1.0)),
                color=draw(colors),
                graspable=draw(st.booleans()),
            )
            for name in things
        ),
        points=tuple(
            CellPoint(
                name=name,
                pose=draw(poses()),
                frame=draw(st.sampled_from(["world", frame, inner])),
                robot=draw(st.sampled_from([robot, ""])),
            )
            for name in rest[len(things) :]
        ),
        signals=(
            Signal(name="a lamp", kind="out", initial=draw(st.booleans())),
            Signal(name="a valve", kind="out", robot=robot, port=draw(st.sampled_from(["", "tool_out_0"]))),
            Signal(name="a switch", kind="in", robot=robot, port="configurable_in_7"),
        ),
        spaces=draw(
            st.sampled_from(
                [
                    (),
                    (CellSpace(name="a fence", kind="allowed", size=(3.0, 3.0, 2.0), frame=frame, robots=(robot,)),),
                    (CellSpace(name="a door", kind="forbidden", size=(1.0, 0.1, 2.0), pose=pose(0.0, 2.0, 1.0)),),
                ]
            )
        ),
    )
