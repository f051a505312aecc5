"""A point whose pose was edited, or whose frame was moved, is reached where it is now, not where it was taught.

The joints that it was taught with stay in the cell and say only with which posture to reach it. Another library's
kinematics judge where an arm gets.
"""

import re

import msgspec
import numpy as np
import pinocchio as pin
import pytest
from numpy.typing import NDArray

from openpendant.messages import Pose
from openpendant.programs import GoTo, MoveAxis, Program, Runner, check_program, make_kinematic_robots
from openpendant.programs.check.trace import trace_program
from openpendant.programs.export import export_rapid, export_urscript, export_vplus
from openpendant.robots import load
from openpendant.scene import Cell, CellFrame, CellPoint, CellRobot, CellTool, CollisionWorld, Scene
from openpendant.virtual.ur import RuntimeState, Tracking, UrController, UrOptions, ur_model

Array = NDArray[np.float64]

TAUGHT = {
    "irb120": (0.2, 0.2, 0.3, 0.1, 1.0, 0.4),
    "ur3e": (0.3, -1.4, 1.75, -1.9, -1.6, 0.2),
    "rx90l": (0.2, -1.4, 2.8, 0.1, 1.2, 0.3),
}
ROBOT = Pose(xyz=(0.3, -0.2, 0.4), wxyz=(0.9659258262890683, 0.0, 0.0, 0.25881904510252074))
TABLE = Pose(xyz=(0.2, 0.1, 0.05), wxyz=(0.9238795325112867, 0.0, 0.0, 0.3826834323650898))
TIP = Pose(xyz=(0.01, -0.02, 0.1), wxyz=(0.9914448613738104, 0.0, 0.13052619222005157, 0.0))
EDIT = pin.SE3(pin.rpy.rpyToMatrix(0.05, -0.04, 0.12), np.array([0.03, -0.02, 0.025]))
"""Far more than any tolerance, and near enough for every arm to reach it with the posture that was taught."""
NEAR_M, NEAR_RAD = 1e-4, 1e-4
"""The exported texts have 0.1 µm or 10 µrad in their last digit; a program's own end is far better."""
SHOULDER_M = {"irb120": 0.0, "ur3e": 0.0, "rx90l": 0.42}
"""Of the chain's base above the foot: the RX90L's, and its V+ world, are at the shoulder (Stäubli's drawing)."""
MOVES = pytest.mark.parametrize("how", ["joint", "line"])
EDITS = pytest.mark.parametrize("edited", ["pose", "frame"])
MODELS = pytest.mark.parametrize("model", TAUGHT)


def placed(pose: Pose) -> pin.SE3:
    w, x, y, z = pose.wxyz
    return pin.SE3(pin.Quaternion(w, x, y, z), np.array(pose.xyz))


def pose_of(T: pin.SE3) -> Pose:
    x, y, z, w = pin.Quaternion(T.rotation).coeffs()
    return Pose(xyz=tuple(T.translation.tolist()), wxyz=(float(w), float(x), float(y), float(z)))


def reached(model: str, q: Array) -> pin.SE3:
    """Return where joints bring the tool, seen from the robot's foot."""
    chain, made, parent = load(model).arm().chain, pin.Model(), 0
    for i in range(chain.dof):
        joint = pin.JointModelRevoluteUnaligned(chain.axis[i])
        parent = made.addJoint(parent, joint, pin.SE3(chain.T_parent_joint[i]), str(i))
    data = made.createData()
    pin.forwardKinematics(made, data, np.asarray(q, dtype=np.float64)[chain.order])
    foot = pin.SE3(np.eye(3), np.array([0.0, 0.0, SHOULDER_M[model]]))
    return foot * data.oMi[parent] * pin.SE3(chain.T_last_flange) * placed(TIP)


def edited_cell(model: str, edited: str) -> tuple[Cell, pin.SE3]:
    """Return a cell with a point that was edited after it was taught, and where that point is, seen from the foot."""
    taught, table = reached(model, np.array(TAUGHT[model])), placed(TABLE)
    inside = table.inverse() * taught
    if edited == "pose":
        inside = inside * EDIT
    else:
        table = table * EDIT
    cell = Cell(
        name="desk",
        robots=(CellRobot(name="it", model=model, pose=ROBOT, tools={"arm": "probe"}, joints={"arm": TAUGHT[model]}),),
        tools=(CellTool(name="probe", tcp=TIP, mass_kg=0.2),),
        frames=(CellFrame(name="table", pose=pose_of(table), parent="it"),),
        points=(CellPoint(name="there", frame="table", pose=pose_of(inside), robot="it", q=TAUGHT[model]),),
    )
    now = table * inside
    assert np.linalg.norm(now.translation - taught.translation) > 0.02
    return cell, now


def program(model: str, how: str) -> Program:
    steps = (MoveAxis(id="begin", q=TAUGHT[model], speed="50%"), GoTo(id="go", to="there", how=how, speed="v200"))
    return Program(name="edited", robot="it", steps=steps)


def same(found: pin.SE3, wanted: pin.SE3) -> None:
    off = wanted.actInv(found)
    assert np.linalg.norm(off.translation) < NEAR_M, off.translation
    assert np.linalg.norm(pin.log3(off.rotation)) < NEAR_RAD


def numbers(text: str) -> list[float]:
    return [float(value) for value in re.findall(r"-?\d+(?:\.\d+)?(?:E[+-]?\d+)?", text)]


@MODELS
@EDITS
@MOVES
def test_the_check_and_the_run_go_to_where_the_point_is_now(model: str, edited: str, how: str) -> None:
    cell, wanted = edited_cell(model, edited)
    what = program(model, how)
    report = check_program(cell, what)
    assert report.clear, report.summary
    same(reached(model, trace_program(cell, what).main[-1].q), wanted)
    world = CollisionWorld(Scene(cell))
    plants = make_kinematic_robots(world.scene)
    runner = Runner(cell, what, plants, world=world)
    runner.start()
    for _ in range(20_000):
        if runner.status != "running":
            break
        runner.tick()
    assert runner.status == "done"
    q = plants["it"].state.q["arm"]
    same(reached(model, q), wanted)
    # The posture is the one that was taught: no joint has turned over.
    assert np.abs(q - TAUGHT[model]).max() < 1.0


@MODELS
def test_joints_that_still_fit_are_taken_as_they_were_taught(model: str) -> None:
    cell, _ = edited_cell(model, "pose")
    back = pose_of(placed(cell.frames[0].pose).inverse() * reached(model, np.array(TAUGHT[model])))
    (point,) = cell.points
    cell = msgspec.structs.replace(cell, points=(msgspec.structs.replace(point, pose=back),))
    assert trace_program(cell, program(model, "joint")).main[-1].q == pytest.approx(TAUGHT[model], abs=1e-5)


@EDITS
@MOVES
def test_a_ur_that_runs_the_script_goes_there(edited: str, how: str) -> None:
    cell, wanted = edited_cell("ur3e", edited)
    (text,) = export_urscript(cell, program("ur3e", how))
    brain = UrController(
        ur_model("ur3e", None), start_q=TAUGHT["ur3e"], options=UrOptions(power=True, tracking=Tracking(noise=0.0))
    )
    brain.run_script(text.text)
    ticks = 0
    while ticks < 100 or brain.read("runtime_state") != RuntimeState.STOPPED:
        brain.tick()
        ticks += 1
        assert ticks < 20_000, "the script does not end"
    same(reached("ur3e", np.array(brain.read("target_q"))), wanted)


@EDITS
@MOVES
def test_the_target_in_rapid_is_there(edited: str, how: str) -> None:
    cell, wanted = edited_cell("irb120", edited)
    (text,) = export_rapid(cell, program("irb120", how))
    move = {"joint": "MoveJ", "line": "MoveL"}[how]
    found = re.search(rf"{move} (\w+),.*\\WObj:=(\w+);", text.text)
    assert found is not None, text.text
    x, y, z, *wxyz = numbers(re.search(rf"CONST robtarget {found[1]} := (.*);", text.text)[1])[:7]
    target = placed(Pose(xyz=(x / 1000.0, y / 1000.0, z / 1000.0), wxyz=tuple(wxyz)))
    x, y, z, *wxyz = numbers(re.search(rf"PERS wobjdata {found[2]} := (.*);", text.text)[1])[:7]
    table = placed(Pose(xyz=(x / 1000.0, y / 1000.0, z / 1000.0), wxyz=tuple(wxyz)))
    same(table * target, wanted)


@EDITS
def test_the_joints_in_vplus_lead_there(edited: str) -> None:
    cell, wanted = edited_cell("rx90l", edited)
    (text,) = export_vplus(cell, program("rx90l", "joint"))
    name = re.findall(r"MOVE (#[\w.]+)", text.text)[-1]
    joints = re.search(rf"SET {re.escape(name)} = #PPOINT\((.*)\)", text.text)
    assert joints is not None, text.text
    same(reached("rx90l", np.radians(numbers(joints[1]))), wanted)


@EDITS
def test_the_location_in_vplus_is_there(edited: str) -> None:
    cell, wanted = edited_cell("rx90l", edited)
    (text,) = export_vplus(cell, program("rx90l", "line"))
    name = re.findall(r"MOVES ([\w.]+)", text.text)[-1]
    location = re.search(rf"SET {re.escape(name)} = TRANS\((.*)\)", text.text)
    assert location is not None, text.text
    x, y, z, *turns = numbers(location[1])
    # V+ turns about Z, the new Y and the new Z.
    about = [pin.utils.rotate(axis, float(np.radians(turn))) for axis, turn in zip("zyz", turns, strict=True)]
    R = about[0] @ about[1] @ about[2]
    place = np.array([x, y, z]) / 1000.0 + [0.0, 0.0, SHOULDER_M["rx90l"]]
    same(pin.SE3(R, place), wanted)
