"""A UR3e whose address was given: what holds for it by default, by the state of its own controller."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from measuring import ArmSpeeds
from running_cells import one_robot, wait_for
from watching import Observer

from openpendant.messages import Intent, JointIntent, Pose, PoseIntent, TwistIntent
from openpendant.motion import MoveJoint, Trajectory, joint_limits, plan
from openpendant.programs import Call, GoTo, InlinePoint, MoveAxis, Program, SpeedOverride
from openpendant.robots import load
from openpendant.runtime import CellRuntime, RemoteRobot
from openpendant.scene import CellTool
from openpendant.spatial import quaternion_from_matrix, translation
from openpendant.virtual.launch import start_virtual
from unsafe import promise

ADDRESS = "127.0.13.31"
REDUCED_M_S = 0.25
FOLDED = (0.0, -1.6, 2.0, -1.97, -1.57, 0.0)
"""Far from all ends of its reach."""
PROBE = CellTool(name="probe", tcp=Pose(xyz=(0.3, 0.0, 0.05), wxyz=(1.0, 0.0, 0.0, 0.0)))
"""Its TCP is far beside the flange, where the arm's own is."""
NOISE_RAD_S = 0.0005
"""Standard deviation of what is read of each joint's velocity (`virtual.ur.Tracking`)."""
SIGMAS = 6.0
"""A reading in 500 million lies farther off."""


@pytest.fixture(scope="module")
def observer() -> Iterator[Observer]:
    with start_virtual("ur3e", ADDRESS, start_q=FOLDED):
        made = Observer(ADDRESS)
        yield made
        made.close()


@pytest.fixture(scope="module")
def runtime(observer: Observer) -> Iterator[CellRuntime]:
    with CellRuntime(one_robot(tools=(PROBE,)), addresses={"arm": observer.address}, name="test") as made:
        made.robot("arm").wait_ready()
        yield made


@pytest.fixture
def robot(runtime: CellRuntime) -> RemoteRobot:
    return runtime.robot("arm")


def noise_m_s(speeds: ArmSpeeds, q: np.ndarray) -> float:
    """How much the noise of all joints adds at most to a speed that is measured at q: six sigma, at most 2.7 mm/s."""
    levers = [speeds.at(q, one) for one in np.eye(6)]
    return SIGMAS * NOISE_RAD_S * float(np.linalg.norm(levers))


def fastest_while(
    runtime: CellRuntime, observer: Observer, move: Callable[[], None], T_flange_tool: np.ndarray | None = None
) -> float:
    """Largest speed of tool or elbow, m/s: what the controller wants and, but for noise, what it measures."""
    begun = time.monotonic()
    move()
    speeds = ArmSpeeds(runtime.scene.arm("arm"), T_flange_tool)
    seen = observer.since(begun)
    assert len(seen) > 50
    wanted = max(speeds.at(one.target_q, one.target_qd) for one in seen)
    measured = max(speeds.at(one.actual_q, one.actual_qd) - noise_m_s(speeds, one.actual_q) for one in seen)
    return max(wanted, measured)


def check_reduced(fastest_m_s: float) -> None:
    """Fail where it was too fast, on any machine, or where it did not get fast enough to show anything."""
    promise(fastest_m_s < REDUCED_M_S, f"tool or elbow went {fastest_m_s:.4f} m/s")
    assert fastest_m_s > 0.1


def swing(robot: RemoteRobot, speed: str = "100%") -> Program:
    q = robot.q()
    rows = [q + by * np.array([1.0, -0.3, 0.3, 0.0, 0.0, 0.0]) for by in (0.05, 0.6, 0.0)]
    zones = ("fine", "z10", "fine")
    steps = [
        MoveAxis(id=f"m{k}", q=tuple(row.tolist()), speed=speed, zone=zone)
        for k, (row, zone) in enumerate(zip(rows, zones, strict=True))
    ]
    return Program(name="swing", robot="arm", steps=tuple(steps))


def by_hand(robot: RemoteRobot, intent: Callable[[dict[str, object]], Intent], done: Callable[[float], bool]) -> None:
    """Send an intent as a page does, dead-man switch held, until it is done (given the seconds that have passed)."""
    robot.engage()
    began = time.monotonic()
    while not done(passed := time.monotonic() - began):
        assert passed < 20.0, f"it does not get there: {robot.state.arms['arm']}"
        robot.intend(intent({"source": robot.client_id, "stamp_ns": time.monotonic_ns(), "dead_man": True}))
        time.sleep(0.016)
    robot.stop()
    robot.wait_rest()


def jog_tool(robot: RemoteRobot) -> None:
    for z in (-1.0, 1.0):
        by_hand(robot, lambda head, z=z: TwistIntent(linear=(0.0, 0.0, z), **head), lambda passed: passed > 0.6)


def target_joints(robot: RemoteRobot) -> None:
    there = robot.q() + 0.4 * np.array([1.0, -0.3, 0.3, 0.0, 0.0, 0.0])
    q = tuple(there.tolist())
    by_hand(
        robot,
        lambda head: JointIntent(target=q, scale=1.0, **head),
        lambda _: bool(np.abs(robot.q() - there).max() < 0.01),
    )


def target_pose(robot: RemoteRobot) -> None:
    kinematics = robot.placed().kinematics
    T = kinematics.fk(robot.q())
    T[:3, 3] += (-0.05, 0.05, -0.1)
    pose = pose_of(T)
    by_hand(
        robot,
        lambda head: PoseIntent(pose=pose, relative=False, scale=1.0, **head),
        lambda _: bool(np.linalg.norm(kinematics.fk(robot.q())[:3, 3] - T[:3, 3]) < 0.005),
    )


def approach(robot: RemoteRobot) -> None:
    there = robot.q() + 0.4 * np.array([-1.0, 0.3, -0.3, 0.0, 0.0, 0.0])
    moved = robot.approach(there, gain=6.0)
    assert moved.reached, moved


def quicken(robot: RemoteRobot) -> None:
    q = np.array(robot.state.arms["arm"].q_rest)
    there = q + np.array([0.8, 0.0, 0.0, 0.0, 0.0, 0.0])
    path = plan(robot.placed().kinematics, joint_limits(load("ur3e"), "arm"), q, [MoveJoint(there)])
    assert isinstance(path, Trajectory)
    robot.acquire()
    job = robot.follow(path, pace=0.02)
    wait_for(lambda: bool(np.abs(robot.q() - q).max() > 0.01), "a slow motion")
    robot.set_pace(1.0)
    assert robot.wait_job(job, within_s=30.0)[0] == "done"


def pose_of(T: np.ndarray) -> Pose:
    return Pose(xyz=tuple(T[:3, 3].tolist()), wxyz=tuple(np.array(quaternion_from_matrix(T[:3, :3])).tolist()))


@pytest.mark.parametrize("move", [jog_tool, target_joints, target_pose, approach, quicken])
def test_whatever_moves_it_keeps_to_reduced_speed(
    runtime: CellRuntime, robot: RemoteRobot, observer: Observer, move: Callable[[RemoteRobot], None]
) -> None:
    assert robot.reduced
    fastest = fastest_while(runtime, observer, lambda: move(robot))
    check_reduced(fastest)


def test_an_uploaded_program_of_many_steps_keeps_to_reduced_speed(
    runtime: CellRuntime, robot: RemoteRobot, observer: Observer
) -> None:
    assert robot.move_joints(FOLDED).reached
    T = robot.placed().kinematics.fk(robot.q())

    def point(x: float, y: float, z: float) -> InlinePoint:
        there = T.copy()
        there[:3, 3] += (x, y, z)
        return InlinePoint(pose=pose_of(there), frame="arm", q=tuple(robot.q().tolist()))

    called = Program(
        name="called", robot="arm", steps=(GoTo(id="c1", to=point(0.0, 0.0, 0.12), how="line", speed="v1000"),)
    )
    arc = GoTo(id="s4", to=point(0.0, 0.08, 0.0), how="arc", via=point(0.04, 0.04, 0.0), speed="v1000")
    steps = (
        SpeedOverride(id="s1", percent=50.0),
        GoTo(id="s2", to=point(0.0, 0.0, 0.0), how="line", speed="v2000"),
        SpeedOverride(id="s3", percent=100.0),
        arc,
        Call(id="s5", program="called"),
        GoTo(id="s6", to=point(0.0, 0.0, 0.0), how="line", speed="v2000"),
    )
    program = Program(name="many", robot="arm", steps=steps)
    runtime.programs = {"called": called, "many": program}

    def run() -> None:
        made = runtime.start_run(program, mode="uploaded", reduced=False)
        assert made.wait(60.0) == "done", (made.message, robot.events[-8:])

    fastest = fastest_while(runtime, observer, run)
    check_reduced(fastest)


@pytest.mark.parametrize("mode", ["streamed", "uploaded"])
def test_a_program_keeps_to_reduced_speed(
    runtime: CellRuntime, robot: RemoteRobot, observer: Observer, mode: str
) -> None:
    assert robot.reduced
    program = swing(robot)
    report = runtime.check(program)

    def run() -> None:
        made = runtime.start_run(program, mode=mode, report=report, reduced=False)
        assert made.wait(120.0) == "done", made.message

    fastest = fastest_while(runtime, observer, run)
    check_reduced(fastest)


@pytest.mark.parametrize("mode", ["streamed", "uploaded"])
def test_a_tcp_that_a_program_names_keeps_to_reduced_speed(
    runtime: CellRuntime, robot: RemoteRobot, observer: Observer, mode: str
) -> None:
    assert robot.move_joints(FOLDED).reached
    T_flange_probe = translation(*PROBE.tcp.xyz)
    q = robot.q()
    turned = q + np.array([0.5, 0.0, 0.0, 0.0, 0.0, 0.0])
    to = InlinePoint(
        pose=pose_of(robot.placed().kinematics.fk(turned) @ T_flange_probe), frame="arm", q=tuple(turned.tolist())
    )
    steps = (
        GoTo(id="s1", to=to, tool="probe", speed="100%"),
        MoveAxis(id="s2", q=tuple(q.tolist()), speed="100%"),
    )
    program = Program(name="probe", robot="arm", steps=steps)

    def run() -> None:
        made = runtime.start_run(program, mode=mode, reduced=False)
        assert made.wait(60.0) == "done", (made.message, robot.events[-8:])

    fastest = fastest_while(runtime, observer, run, T_flange_probe)
    assert 0.1 < fastest < REDUCED_M_S


def test_an_uploaded_program_that_is_faster_is_stopped(
    runtime: CellRuntime, robot: RemoteRobot, tmp_path: Path
) -> None:
    robot.set_reduced(False)
    wait_for(lambda: not robot.reduced, "full speed")
    program = swing(robot, "30%")
    run = runtime.start_run(program, mode="uploaded")
    robot.set_reduced(True)
    assert run.wait(60.0) in ("held", "stopped", "failed"), run.status
    assert "250" in run.message
    robot.wait_rest()


def test_a_hand_needs_the_dead_man_switch(robot: RemoteRobot) -> None:
    start = robot.q()

    def jog(held: bool, seconds: float) -> str:
        job = robot.engage()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            intent = JointIntent(
                source=robot.client_id,
                stamp_ns=time.monotonic_ns(),
                velocity=(0.2, 0.0, 0.0, 0.0, 0.0, 0.0),
                dead_man=held,
            )
            robot.intend(intent)
            time.sleep(0.02)
        return job

    job = jog(held=False, seconds=0.5)
    assert robot.wait_job(job, within_s=10.0)[0] == "held"
    assert np.abs(robot.q() - start).max() < 0.003
    job = jog(held=True, seconds=0.8)
    wait_for(lambda: bool(robot.q()[0] > start[0] + 0.03), "a motion", 10.0)
    robot.stop()
    robot.wait_rest()
