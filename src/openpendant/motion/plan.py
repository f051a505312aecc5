"""plan: from moves to a timed trajectory, or the reason why not."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError
from openpendant.kinematics import Arm
from openpendant.said import say
from openpendant.spatial import check_transform

from .blocked import Blocked
from .corners import Bend, round_corner
from .course import lay_course
from .followed_piece import Follower, FollowFault
from .kernels.continuity import beyond
from .legs import JointLeg, Leg, ToolLeg
from .limits import TOUCH, JointLimits
from .moves import Move, MoveArc, MoveJoint, as_joints
from .pieces import ToolPiece, arc_piece, line_piece
from .rest_to_rest import RestToRest, join_runs
from .trajectory import Trajectory
from .zone import FINE

Array = NDArray[np.float64]


def plan(
    arm: Arm,
    limits: JointLimits,
    q_start: ArrayLike,
    moves: Sequence[Move],
    T_flange_tool: ArrayLike | None = None,
) -> Trajectory | Blocked:
    """Return the trajectory along all moves from rest to rest, or why it cannot be executed.

    Every joint keeps its limits of position, velocity, acceleration and jerk at all times. Between moves the
    arm rests only where the zone is `fine`, or where the path turns back on itself.

    Args:
        arm: The arm that moves.
        limits: Of its joints.
        q_start: (n,) where it rests now, radians.
        moves: What it shall do; at least one.
        T_flange_tool: The tool on the flange; default: none, poses are of the flange.

    Raises:
        InputError: No moves, wrong sizes, or joints beyond their limits.
    """
    if limits.dof != arm.dof:
        raise InputError(f"limits for {limits.dof} joints, but arm {arm.name} has {arm.dof}")
    if not moves:
        raise InputError("no moves; a plan needs at least one")
    q = arm.check_q(q_start)
    T_tool = np.eye(4) if T_flange_tool is None else check_transform(T_flange_tool, "T_flange_tool")
    follower = Follower(arm, limits.velocity, T_tool)
    legs = _legs(q, moves, follower)
    if isinstance(legs, Blocked):
        return legs
    runs = _runs(legs, follower)
    for run in runs:
        fault = _beyond_limits(run, limits, follower)
        if fault is not None:
            return fault
    return join_runs(q, limits, moves, runs, follower)


def _legs(q: Array, moves: Sequence[Move], follower: Follower) -> list[Leg] | Blocked:
    """Return the legs of all moves that go anywhere."""
    legs: list[Leg] = []
    for index, move in enumerate(moves):
        leg = _leg(index, q, move, follower)
        if isinstance(leg, Blocked):
            return leg
        if leg is not None:
            legs.append(leg)
            q = leg.q_end
        elif legs and move.zone.fine:
            legs[-1] = replace(legs[-1], zone=FINE)
    return legs


def _leg(index: int, q: Array, move: Move, follower: Follower) -> Leg | Blocked | None:
    arm = follower.arm
    if isinstance(move, MoveJoint):
        q_end = arm.check_q(as_joints(move.q_end, arm.dof, f"q_end of move {index}"))
        leg = JointLeg(index, move.speed, move.zone, q, q_end, follower.weight)
        return leg if leg.length > 1e-9 else None
    T_start = follower.tool_poses(q[None])[0]
    if isinstance(move, MoveArc):
        piece = arc_piece(T_start, move.T_via, move.T_end, move.orientation)
        if piece is None:
            points = [np.round(T[:3, 3] * 1e3, 2).tolist() for T in (T_start, move.T_via, move.T_end)]
            reason = say("check.no_circle", points_mm=str(points))
            return Blocked(index, "degenerate", reason, q=q)
    else:
        piece = line_piece(T_start, move.T_end)
    free = _redundancy(arm, q, move.redundancy)
    if piece is None:
        return None
    followed = follower.follow(piece, _first_places(piece), q, free)
    if isinstance(followed, FollowFault):
        return _blocked(index, piece, followed, arm)
    followed.Q[0] = q
    return ToolLeg(index, move.speed, move.zone, piece, followed, follower)


def _redundancy(arm: Arm, q: Array, asked: float | None) -> tuple[float, float] | None:
    if arm.redundancy is None or asked is None:
        return None
    return float(q[arm.redundancy]), asked


def _first_places(piece: ToolPiece) -> Array:
    count = max(8, math.ceil(piece.way_m / 0.02), math.ceil(max(piece.turn_rad, piece.arc_rad) / 0.1))
    return np.linspace(0.0, piece.length, count + 1)


def _blocked(index: int, piece: ToolPiece, fault: FollowFault, arm: Arm) -> Blocked:
    fraction = fault.w / piece.length
    T = piece.at(np.array([fault.w]))[0]
    joint = None if fault.joint is None else arm.joint_titles[fault.joint]
    x, y, z = (float(value) * 1e3 for value in T[:3, 3])
    place = {"share_percent": 100.0 * fraction, "x_mm": x, "y_mm": y, "z_mm": z}
    near = min(arm.solver.singular_distances(fault.q), key=lambda one: one.distance, default=None)
    if fault.kind == "limit" and fault.joint is not None:
        low, high = (math.degrees(value[fault.joint]) for value in (arm.limits_lower, arm.limits_upper))
        reason = say("check.passes_limit", joint=str(joint), low_deg=low, high_deg=high, **place)
    elif fault.kind == "jump":
        reason = say("check.jumps", joint=str(joint), **place)
    else:
        reason = say("check.out_of_reach", **place)
        near = None
    if near is not None and near.near:
        reason = say("check.passes_singular", what=reason, singularity=near.name)
    return Blocked(index, fault.kind, reason, fraction, joint, fault.q, T)


def _beyond_limits(run: RestToRest, limits: JointLimits, follower: Follower) -> Blocked | None:
    """Return where the finished joint path passes a limit, None where it does not.

    Followed points inside the limits are not enough: between two of them, and in a rounded corner, a joint can be
    beyond. This finds less than the points themselves do, so it comes last.
    """
    course, found = run.course, np.empty(3)
    cell = beyond(course.s, course.cells, limits.lower, limits.upper, TOUCH, found)
    if cell < 0:
        return None
    move, joint = int(course.owner[cell]), int(found[1])
    own = np.flatnonzero(course.owner == move)
    start, end = float(course.s[own[0]]), float(course.s[own[-1] + 1])
    fraction = (float(found[0]) - start) / (end - start)
    q = course.cells[cell, 0].copy()
    T = follower.tool_poses(q[None])[0]
    low, high = math.degrees(limits.lower[joint]), math.degrees(limits.upper[joint])
    title, x, y, z = follower.arm.joint_titles[joint], *(float(value) * 1e3 for value in T[:3, 3])
    reason = say(
        "check.passes_limit_by",
        joint=title,
        low_deg=low,
        high_deg=high,
        excess_deg=math.degrees(found[2]),
        share_percent=100.0 * fraction,
        x_mm=x,
        y_mm=y,
        z_mm=z,
    )
    return Blocked(move, "limit", reason, fraction, title, q, T)


def _runs(legs: list[Leg], follower: Follower) -> list[RestToRest]:
    """Return the legs between stops, with their corners rounded."""
    runs: list[RestToRest] = []
    current: list[Leg] = []
    bends: list[Bend] = []
    for i, leg in enumerate(legs):
        current.append(leg)
        last = i == len(legs) - 1
        bend = None if last or leg.zone.fine else round_corner(leg, legs[i + 1], follower)
        if bend is not None:
            bends.append(bend)
            continue
        course = lay_course(current, bends, follower)
        runs.append(RestToRest(current, bends, course, not last and not leg.zone.fine))
        current, bends = [], []
    return runs
