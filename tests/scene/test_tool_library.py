"""The library of tools: every kind at its smallest, usual and largest measures is a tool that a cell can have."""

import msgspec
import numpy as np
import pytest

from openpendant.errors import InputError, UnknownNameError
from openpendant.messages import Pose, ToolKind
from openpendant.programs import MoveAxis, PickPart, PlacePart, Program, check_program
from openpendant.programs.document import Offset
from openpendant.robots import load
from openpendant.scene import (
    TOOL_KINDS,
    BoxShape,
    Cell,
    CellObject,
    CellRobot,
    CellTool,
    CollisionWorld,
    Scene,
    Signal,
    find_fault,
    make_tool,
)

UP = (1.0, 0.0, 0.0, 0.0)
GRIPPING = ("parallel_small", "parallel_large", "cup", "four_cups")


def cell_with(tool: CellTool, *objects: CellObject) -> Cell:
    robot = CellRobot(name="ur", model="ur3e", pose=Pose(xyz=(0.0, 0.0, 0.3), wxyz=UP), tools={"arm": tool.name})
    out = Signal(name="work", kind="out", robot="ur", port="tool_out_0")
    return Cell(name="c", robots=(robot,), tools=(tool,), signals=(out,), objects=objects)


@pytest.mark.parametrize("kind", TOOL_KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("size", ["least", "default", "most"])
def test_every_kind_is_a_tool_without_fault(kind: ToolKind, size: str):
    measures = {one.name: getattr(one, size) for one in kind.measures}
    tool = make_tool(kind.name, "tool", measures, signal="work")
    cell = cell_with(tool)
    assert find_fault(cell) is None
    scene = Scene(cell)
    assert scene.arm().tool == tool
    assert (tool.close is not None) == kind.works
    assert tool.mass_kg > 0.0
    # Nothing of it reaches behind the flange.
    behind = [one.body.T for one in CollisionWorld(scene).layout.moving_bodies if one.owner == "ur/tool"]
    assert len(behind) == len(tool.parts)
    for part in tool.parts:
        high = part.shape.size[2] / 2 if isinstance(part.shape, BoxShape) else part.shape.length / 2  # type: ignore[union-attr]
        assert part.pose.xyz[2] - high > -1e-6 or part.pose.wxyz != UP


@pytest.mark.parametrize("kind", ["parallel_small", "parallel_large"])
def test_fingers_meet_at_the_tcp_and_open_by_the_stroke(kind: str):
    tool = make_tool(kind, "tool", {"stroke_m": 0.06})
    scene = Scene(cell_with(tool))
    arm = scene.arm()
    assert (len(arm.fingers), arm.travel_m) == (2, pytest.approx(0.03))

    def gap_m(opening_m: float) -> float:
        world = CollisionWorld(scene.with_opening(arm.key, opening_m))
        one, other = (b.body for b in world.layout.moving_bodies if b.owner == "ur/tool" and b.body.half[1] == 0.006)
        away = other.T[:3, 3] - one.T[:3, 3]
        return float(np.linalg.norm(away)) - 0.012

    assert gap_m(0.0) == pytest.approx(0.0, abs=1e-9)
    assert gap_m(0.03) == pytest.approx(0.06, abs=1e-9)
    assert gap_m(0.01) == pytest.approx(0.02, abs=1e-9)


@pytest.mark.parametrize("kind", GRIPPING)
def test_what_grips_picks_and_places_a_block_without_a_taught_point(kind: str):
    tool = make_tool(kind, "tool", signal="work")
    table = CellObject(name="table", shape=BoxShape(size=(1.0, 1.0, 0.3)), pose=Pose(xyz=(0.0, 0.0, 0.149), wxyz=UP))
    block = CellObject(
        name="block",
        shape=BoxShape(size=(0.08, 0.045, 0.03)),
        pose=Pose(xyz=(0.3, 0.0, 0.314), wxyz=UP),
        graspable=True,
    )
    cell = cell_with(tool, table, block)
    steps = (
        MoveAxis(id="home", q=tuple(float(value) for value in load("ur3e").posture())),
        PickPart(id="pick", part="block", opening_m=0.045 if "parallel" in kind else None),
        PlacePart(id="place", part="block", offset=Offset(by=(0.0, 0.1, 0.0))),
    )
    report = check_program(cell, Program(name="p", robot="ur", steps=steps))
    assert report.clear, report.summary


def test_what_is_not_known_or_allowed_is_named():
    with pytest.raises(UnknownNameError, match="parallel_small"):
        make_tool("parallel", "tool")
    with pytest.raises(UnknownNameError, match="stroke_m"):
        make_tool("parallel_small", "tool", {"stroke": 0.05})
    with pytest.raises(InputError, match=r"stroke_m: 5 m is out of range; allowed: 0.005 to 0.1 m"):
        make_tool("parallel_small", "tool", {"stroke_m": 5.0})


def test_a_finger_that_slides_too_far_is_refused():
    tool = make_tool("parallel_small", "tool")
    far = msgspec.structs.replace(tool.parts[1], opens_m=(0.0, 50.0, 0.0))
    fault = find_fault(cell_with(msgspec.structs.replace(tool, parts=(far,))))
    assert fault is not None
    assert fault.pointer == "/tools/0/parts/0/opens_m/1"
