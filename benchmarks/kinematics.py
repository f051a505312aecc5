"""Measure kinematics against the libraries people know, in the same run: `python -m benchmarks.kinematics [ROBOT …]`.

Times are microseconds per call from Python (median, 95th percentile), batches per pose. A peer gets the
same arm and the same poses. The last column says whether the goal is met.
"""

import sys
import time
from dataclasses import dataclass

import numpy as np
from benchmarks import kinematics_peers as peers
from benchmarks.kinematics_sets import near_singular, random_joints

from openpendant import robots
from openpendant.kinematics import Arm, forward
from openpendant.kinematics.forward import packed_chain
from openpendant.kinematics.kernels import forward as kernels

CALLS = 2000
BATCH = 10_000
FOUND = 1e-6
"""A pose is met within this, metres and radians."""


@dataclass
class Row:
    arm: str
    what: str
    ours: np.ndarray
    peer: str = ""
    theirs: np.ndarray | None = None
    success: float | None = None
    goal: str = ""
    ok: bool | None = None

    @property
    def ratio(self) -> float | None:
        return None if self.theirs is None else float(np.median(self.ours) / np.median(self.theirs))


def timed(call, arguments) -> np.ndarray:
    """Return the time of each call, microseconds."""
    times = np.empty(len(arguments))
    clock = time.perf_counter_ns
    for i, argument in enumerate(arguments):
        start = clock()
        call(*argument)
        times[i] = clock() - start
    return times / 1000.0


def timed_batch(call, per: int, repeats: int = 9) -> np.ndarray:
    """Return the time per pose of some repeats of one batch call, microseconds."""
    return timed(call, [()] * repeats) / per


def met(arm: Arm, T: np.ndarray, rows: np.ndarray) -> bool:
    return bool(len(rows)) and float(np.abs(forward(arm.chain, rows) - T).max(axis=(1, 2)).min()) < FOUND


def forward_rows(name: str, arm: Arm) -> list[Row]:
    joints = random_joints(arm.chain, CALLS, 1)
    packed = packed_chain(arm.chain)
    T, J = np.empty((4, 4)), np.empty((6, arm.dof))
    pinocchio = peers.Pinocchio(arm.chain)
    in_chain = [np.ascontiguousarray(q[arm.chain.order]) for q in joints]
    kernels.forward(packed, joints[0], T)
    kernels.jacobian(packed, joints[0], T, J)
    ours = timed(kernels.forward, [(packed, q, T) for q in joints])
    theirs = timed(pinocchio.forward, [(pinocchio.model, pinocchio.data, q) for q in in_chain])
    rows = [Row(name, "forward, kernel", ours, "pinocchio", theirs, goal="≤ 1.3×")]
    rows[-1].ok = rows[-1].ratio <= 1.3
    ours = timed(kernels.jacobian, [(packed, q, T, J) for q in joints])
    theirs = timed(pinocchio.jacobian, [(q,) for q in in_chain])
    rows.append(Row(name, "forward and Jacobian, kernel", ours, "pinocchio", theirs))
    checked = timed(arm.fk, [(q,) for q in joints])
    rows.append(Row(name, "forward, checked call", checked, goal="< 4 µs", ok=bool(np.median(checked) < 4.0)))
    many = random_joints(arm.chain, BATCH, 2)
    arm.fk(many)
    rows.append(Row(name, f"forward, batch of {BATCH:,}", timed_batch(lambda: arm.fk(many), BATCH)))
    return rows


def inverse_rows(name: str, arm: Arm) -> list[Row]:
    joints = random_joints(arm.chain, CALLS, 3)
    poses = arm.fk(joints)
    seeds = list(zip(poses, joints, strict=True))
    arm.ik_array(*seeds[0])
    arm.ik(poses[0])
    eaik = peers.Eaik(arm.chain)
    theirs_poses = eaik.poses(poses)
    fast = timed(arm.ik_array, seeds)
    theirs = timed(eaik.robot.IK, [(T,) for T in theirs_poses])
    answers = [arm.ik_array(T, q) for T, q in seeds]
    success = 100.0 * np.mean([met(arm, T, Q[mask]) for T, (Q, mask) in zip(poses, answers, strict=True)])
    rows = [Row(name, "all branches, fast form", fast, "EAIK", theirs, success, "< EAIK, 100 %")]
    rows[-1].ok = rows[-1].ratio < 1.0 and success == 100.0
    for peer, call in peers.all_branches(name, arm.chain):
        rows.append(Row(name, "all branches, fast form", fast, peer, timed(call, [(T,) for T in poses[:300]])))
    rich = timed(lambda T, q: arm.ik(T, seed=q), seeds)
    rows.append(Row(name, "all branches, rich form", rich, goal="< 100 µs", ok=bool(np.median(rich) < 100.0)))
    many = arm.fk(random_joints(arm.chain, BATCH, 4))
    listed = list(eaik.poses(many))
    Q, mask = arm.ik_array(many)
    success = 100.0 * np.mean([met(arm, T, q[ok]) for T, q, ok in zip(many, Q, mask, strict=True)])
    ours, theirs = np.empty(0), np.empty(0)
    for _ in range(5):
        # Turn and turn about, so that a busy machine slows both.
        ours = np.append(ours, timed_batch(lambda: arm.ik_array(many), BATCH, 3))
        theirs = np.append(theirs, timed_batch(lambda: eaik.robot.IK_batched(listed), BATCH, 1))
    rows.append(Row(name, f"all branches, batch of {BATCH:,}", ours, "EAIK batched", theirs, success, "≤ 1/4×, 100 %"))
    rows[-1].ok = rows[-1].ratio <= 0.25 and success == 100.0
    return rows


def singular_rows(name: str, arm: Arm) -> list[Row]:
    rows = []
    for kind in ("wrist", "elbow", "shoulder"):
        for off in (1e-4, 1e-6, 1e-9, 0.0):
            joints = near_singular(arm, kind, off, 100, 5)
            poses = arm.fk(joints)
            times = timed(arm.ik_array, list(zip(poses, joints, strict=True)))
            good = 0
            for T, q in zip(poses, joints, strict=True):
                Q, mask = arm.ik_array(T, q)
                exact = np.abs(forward(arm.chain, Q[mask]) - T).max() < 1e-11
                good += exact and np.abs(Q[mask] - q).max(axis=1).min() < 1e-4
            what = f"{kind}, {off:g} from singular"
            rows.append(Row(name, what, times, success=float(good), goal="100 %", ok=good == 100))
    return rows


def redundant_rows(name: str, arm: Arm) -> list[Row]:
    joints = random_joints(arm.chain, CALLS, 6)
    poses = arm.fk(joints)
    rng = np.random.default_rng(7)
    close = np.clip(joints + rng.normal(0.0, 0.05, joints.shape), arm.limits_lower, arm.limits_upper)
    far = np.broadcast_to(np.clip(0.1, arm.limits_lower, arm.limits_upper), joints.shape)
    toolbox = peers.Toolbox(arm.chain)
    ssik = peers.ssik_seeded(name, arm.chain)
    rows = []
    for what, seeds, least in (("one solution, cold", far, 99.95), ("one solution, warm", close, 99.95)):
        arm.ik_array(poses[0], seeds[0])
        ours = timed(arm.ik_array, list(zip(poses, seeds, strict=True)))
        theirs = timed(toolbox.solve, [(T, q[arm.chain.order]) for T, q in zip(poses, seeds, strict=True)])
        answers = [arm.ik_array(T, q) for T, q in zip(poses, seeds, strict=True)]
        success = 100.0 * np.mean([met(arm, T, Q[mask]) for T, (Q, mask) in zip(poses, answers, strict=True)])
        row = Row(name, what, ours, "roboticstoolbox ik_LM", theirs, success, f"≤ 1.5×, ≥ {least} %")
        row.ok = row.ratio <= 1.5 and success >= least
        rows.append(row)
    times = timed(ssik, [(T, q[arm.chain.order]) for T, q in zip(poses[:500], close, strict=False)])
    rows.append(Row(name, "one solution, warm", rows[-1].ours, "ssik, seeded", times))
    arm.ik(poses[0])
    rich = timed(lambda T, q: arm.ik(T, seed=q), list(zip(poses[:300], close, strict=False)))
    rows.append(Row(name, "over the redundancy, rich form", rich, goal="< 5 ms", ok=bool(np.median(rich) < 5000)))
    arm.follow(poses[0], close[0])
    drag = timed(arm.follow, list(zip(poses[:500], close, strict=False)))
    rows.append(Row(name, "follow a drag", drag, goal="< 5 ms", ok=bool(np.median(drag) < 5000)))
    return rows


def show(rows: list[Row]) -> None:
    head = ("arm", "what", "median", "p95", "peer", "median", "p95", "ratio", "success", "goal", "")
    table = [head]
    for row in rows:
        theirs = ("", "", "") if row.theirs is None else (*spread(row.theirs), f"{row.ratio:.2f}×")
        success = "" if row.success is None else f"{row.success:.2f} %"
        verdict = "" if row.ok is None else ("ok" if row.ok else "MISS")
        table.append((row.arm, row.what, *spread(row.ours), row.peer, *theirs, success, row.goal, verdict))
    widths = [max(len(line[i]) for line in table) for i in range(len(head))]
    right = {2, 3, 5, 6, 7, 8}
    for line in table:
        cells = [
            cell.rjust(w) if i in right else cell.ljust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())


def spread(times: np.ndarray) -> tuple[str, str]:
    return f"{np.median(times):.2f}", f"{np.percentile(times, 95):.2f}"


def main() -> int:
    rows: list[Row] = []
    for robot in sys.argv[1:] or ("irb120", "rx90l", "ur3e", "yumi"):
        arm = robots.load(robot).arm()
        rows += forward_rows(robot, arm)
        rows += inverse_rows(robot, arm) + singular_rows(robot, arm) if arm.dof == 6 else redundant_rows(robot, arm)
    print("microseconds per call or per pose; ratio: ours to the peer's, smaller is better")
    show(rows)
    missed = [row for row in rows if row.ok is False]
    print(f"{len(missed)} of {sum(row.ok is not None for row in rows)} goals missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
