"""Reduced speed in virtual time: whatever moves a robot, tool and elbow keep to 250 mm/s.

Speeds are those of the joints that the kinematic robot went through, by another library's kinematics.
"""

from collections.abc import Callable

import numpy as np
from loop_bench import ME, Bench
from measuring import EACH_ARM, Measured, away

from openpendant.messages import Intent, JointIntent, Pose, PoseIntent, TwistIntent, bus
from openpendant.spatial import quaternion_from_matrix

REDUCED_M_S = 0.25


def reduced(model: str, arm: str) -> tuple[Bench, Measured]:
    bench = Bench(model, arm=arm, reduced=True)
    bench.take()
    assert bench.loop.report(bench.now).reduced
    return bench, Measured(bench)


def jog(bench: Bench, wanted: Callable[[int], Intent], ticks: int = 500) -> None:
    """Clutch in and send an intent every 16 ms, as a page does."""
    assert bench.ask(bus.EngageArm(holder=ME, job="hand", arm=bench.arm, stops=bench.loop.stops)) == bus.Accepted()
    for k in range(ticks):
        if k % 4 == 0:
            bench.loop.intend(wanted(bench.now), bench.now)
        bench.ticks(1)
    assert bench.drive.outcome == "running", bench.drive.reason


@EACH_ARM
def test_jogging_the_tool(model: str, arm: str) -> None:
    bench, measured = reduced(model, arm)
    start = measured.places(bench.q)[0]
    far = 0.0
    for axis in np.vstack([np.eye(3), -np.eye(3)]):
        linear = tuple((1.0 * axis).tolist())
        jog(bench, lambda now, v=linear: TwistIntent(source=ME, stamp_ns=now, linear=v, arm=arm), ticks=120)
        far = max(far, float(np.linalg.norm(measured.places(bench.q)[0] - start)))
        bench.ask(bus.Halt(who="x"))
        bench.until("stopped", most=400)
    assert 0.1 < measured.fastest() <= REDUCED_M_S
    assert far > 0.03, "it crawls"


@EACH_ARM
def test_jogging_joints(model: str, arm: str) -> None:
    bench, measured = reduced(model, arm)
    n = len(bench.q)
    sign = np.sign(away(bench, 0.3) - bench.q)
    for joint in (*range(n), None):
        velocity = 2.0 * sign * (np.ones(n) if joint is None else np.eye(n)[joint])
        v = tuple(velocity.tolist())
        jog(bench, lambda now, v=v: JointIntent(source=ME, stamp_ns=now, velocity=v, arm=arm), ticks=100)
        bench.ask(bus.Halt(who="x"))
        bench.until("stopped", most=400)
    assert 0.15 < measured.fastest() <= REDUCED_M_S


@EACH_ARM
def test_going_to_joints_and_poses_by_hand(model: str, arm: str) -> None:
    bench, measured = reduced(model, arm)
    target = away(bench, 0.5)
    q = tuple(target.tolist())
    jog(bench, lambda now: JointIntent(source=ME, stamp_ns=now, target=q, arm=arm), ticks=700)
    kinematics = bench.drive.parts.kinematics
    bench.ask(bus.Halt(who="x"))
    bench.until("stopped", most=400)
    T = kinematics.fk(bench.q)
    T[:3, 3] += 0.08
    pose = Pose(xyz=tuple(T[:3, 3].tolist()), wxyz=tuple(np.array(quaternion_from_matrix(T[:3, :3])).tolist()))
    jog(bench, lambda now: PoseIntent(source=ME, stamp_ns=now, pose=pose, relative=False, arm=arm), ticks=400)
    assert 0.15 < measured.fastest() <= REDUCED_M_S


@EACH_ARM
def test_paths_and_their_pace(model: str, arm: str) -> None:
    bench, measured = reduced(model, arm)
    path = bench.path(away(bench, 0.8))
    assert bench.follow(path, pace=0.05) == bus.Accepted()
    bench.ticks(200)
    assert bench.ask(bus.SetPace(holder=ME, pace=1.0)) == bus.Accepted()
    assert bench.until("done", "held", "failed") == "done", bench.drive.reason
    assert np.abs(bench.q - path.q_end).max() < 1e-9
    begin = len(bench.Q)
    back = bench.path(path.q_start)
    assert bench.follow(back) == bus.Accepted()
    bench.ticks(60)
    assert bench.ask(bus.PauseMotion(holder=ME)) == bus.Accepted()
    assert bench.until("paused", "held", "failed") == "paused", bench.drive.reason
    assert bench.ask(bus.ResumeMotion(holder=ME)) == bus.Accepted()
    assert bench.until("done", "held", "failed") == "done", bench.drive.reason
    share = (np.array(bench.Q[begin:]) - back.q_start) / (back.q_end - back.q_start)
    assert np.ptp(share, axis=1).max() < 1e-6, "it left its path to be slow"
    assert 0.2 < measured.fastest() <= REDUCED_M_S
    assert bench.worst()[1] <= 1.01


@EACH_ARM
def test_the_velocity_law(model: str, arm: str) -> None:
    bench, measured = reduced(model, arm)
    target = away(bench, 0.6)
    law = bus.Approach(
        holder=ME, job="law", arm=arm, q=tuple(target.tolist()), gain=4.0, exponent=0.6, tolerance_rad=0.002
    )
    assert bench.ask(law) == bus.Accepted()
    assert bench.until("done", "held", "failed") == "done", bench.drive.reason
    assert 0.15 < measured.fastest() <= REDUCED_M_S


def test_the_elbow_alone_can_be_the_fastest() -> None:
    bench, measured = reduced("ur3e", "arm")
    # The forearm folded back: the tool is nearer to the axis of the base than the elbow.
    rng = np.random.default_rng(1)
    found: list[tuple[float, np.ndarray]] = []
    for _ in range(400):
        q = np.array([bench.q[0], rng.uniform(-1.2, 0.0), rng.uniform(1.2, 2.6), rng.uniform(-3.5, 0.5), -1.57, 0.0])
        tool, elbow = np.linalg.norm(measured.places(q)[:, :2], axis=1)
        found.append((tool / elbow, q))
    found.sort(key=lambda one: one[0])
    around = bench.nearby.around
    folded = next(q for _, q in found if not around.touches("arm", bench.path(q).sample(0.02).q))
    bench.follow(bench.path(folded))
    assert bench.until("done", "held", "failed") == "done", bench.drive.reason
    begin = len(bench.Q)
    swing = folded + np.array([1.5, 0.0, 0.0, 0.0, 0.0, 0.0])
    bench.follow(bench.path(swing))
    assert bench.until("done", "held", "failed") == "done", bench.drive.reason
    P = np.array([measured.places(q) for q in bench.Q[begin:]])
    tool, elbow = np.linalg.norm(np.diff(P, axis=0), axis=2).max(axis=0) / (bench.tick_ns * 1e-9)
    assert tool < 0.8 * elbow
    assert 0.2 < elbow <= REDUCED_M_S


def test_it_can_be_lifted_and_comes_back_on_the_way() -> None:
    bench, measured = reduced("ur3e", "arm")
    other = bench.ask(bus.ReduceSpeed(holder="stranger", reduced=False))
    assert isinstance(other, bus.Denied)
    assert other.kind == "lease"
    assert bench.ask(bus.ReduceSpeed(holder=ME, reduced=False)) == bus.Accepted()
    path = bench.path(bench.q + np.array([5.0, 0.3, 0.3, 0.0, 0.0, 0.0]))
    bench.follow(path)
    bench.ticks(150)
    assert measured.fastest(len(bench.Q) - 10) > 0.5
    assert bench.ask(bus.ReduceSpeed(holder=ME, reduced=True)) == bus.Accepted()
    bench.ticks(500)
    begin = len(bench.Q)
    assert bench.until("done", "held", "failed") == "done", bench.drive.reason
    assert measured.fastest(begin) <= REDUCED_M_S
    share = (np.array(bench.Q) - path.q_start)[:, :3] / (path.q_end - path.q_start)[:3]
    assert np.ptp(share, axis=1).max() < 1e-6
    assert bench.worst()[1] <= 1.01
