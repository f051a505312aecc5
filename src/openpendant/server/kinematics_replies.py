"""Solving: the answers to questions about kinematics, at once or in a thread where they take long."""

import math
import time

import numpy as np
from numpy.typing import NDArray

from openpendant.kinematics import Arm
from openpendant.messages import (
    Branch,
    ForwardReply,
    ForwardRequest,
    InverseReply,
    InverseRequest,
    KinematicsReply,
    KinematicsRequest,
    Singularity,
    VendorPose,
)
from openpendant.robots import Robot

from .poses import pose_from_transform, transform_from_pose
from .robot_cache import RobotCache
from .threads import run_in_thread

SLOW_S = 0.005
"""What took longer the last time is done in a thread, so that other clients need not wait."""


class Solving:
    """Answers questions, and remembers how long each kind takes for each arm."""

    def __init__(self, shelf: RobotCache) -> None:
        self._shelf = shelf
        self._last_s: dict[tuple[type[KinematicsRequest], bool, str, str], float] = {}

    async def reply(self, request: KinematicsRequest) -> KinematicsReply:
        """Return the answer; raises InputError where a value is not allowed."""
        robot = await self._shelf.robot(request.robot)
        robot.arm(request.arm)
        follows = isinstance(request, InverseRequest) and request.follow
        kind = (type(request), follows, request.robot, request.arm)
        began = time.perf_counter()
        # Never asked before: it may have to be compiled.
        if self._last_s.get(kind, math.inf) > SLOW_S:
            reply = await run_in_thread(lambda: reply_to(robot, request))
        else:
            reply = reply_to(robot, request)
        self._last_s[kind] = time.perf_counter() - began
        return reply


def reply_to(robot: Robot, request: KinematicsRequest) -> KinematicsReply:
    """Return the answer of either kind."""
    match request:
        case ForwardRequest():
            return reply_forward(robot, request)
        case InverseRequest(follow=True):
            return reply_following(robot, request)
        case InverseRequest():
            return reply_inverse(robot, request)


def reply_forward(robot: Robot, request: ForwardRequest) -> ForwardReply:
    """Return where the frame is, and how well the arm stands there; raises InputError."""
    arm = robot.arm(request.arm)
    q = arm.check_q(request.q)
    T = arm.fk(q, frame=request.frame, base=request.base)
    T_frame_tcp = None if request.tcp is None else transform_from_pose(request.tcp)
    title, text = robot.print_pose(q, request.arm, request.frame, T_frame_tcp)
    return ForwardReply(
        id=request.id,
        pose=pose_from_transform(T),
        vendor=VendorPose(title=title, text=text),
        configuration=str(arm.describe(q)),
        manipulability=arm.manipulability(q),
        singularities=[
            Singularity(name=one.name, distance=one.distance, unit=one.unit, near=one.near)
            for one in arm.singularities(q)
        ],
    )


def reply_inverse(robot: Robot, request: InverseRequest) -> InverseReply:
    """Return every branch, or why there is none; raises InputError."""
    arm = robot.arm(request.arm)
    T = transform_from_pose(request.pose)
    began = time.perf_counter()
    result = arm.ik(
        T,
        seed=request.seed,
        frame=request.frame,
        base=request.base,
        variants=request.variants,
        redundancy=request.redundancy,
    )
    why = result.unreachable
    return InverseReply(
        id=request.id,
        branches=[
            Branch(q=one.q.tolist(), label=str(one.label), margin_rad=one.margin_rad) for one in result.solutions
        ],
        reason=None if why is None else why.reason,
        nearest=None if why is None else branch_of(arm, why.q_nearest),
        nearest_pose=None if why is None else pose_from_transform(why.T_nearest),
        solve_us=(time.perf_counter() - began) * 1e6,
    )


def reply_following(robot: Robot, request: InverseRequest) -> InverseReply:
    """Return where the present posture leads when the frame is dragged to the pose; raises InputError."""
    arm = robot.arm(request.arm)
    T = transform_from_pose(request.pose)
    began = time.perf_counter()
    followed = arm.follow(T, request.seed, frame=request.frame, base=request.base)
    here = branch_of(arm, followed.q)
    return InverseReply(
        id=request.id,
        branches=[here] if followed.reached else [],
        reason=followed.reason,
        nearest=None if followed.reached else here,
        nearest_pose=None if followed.reached else pose_from_transform(followed.T),
        solve_us=(time.perf_counter() - began) * 1e6,
    )


def branch_of(arm: Arm, q: NDArray[np.float64]) -> Branch:
    """Return joints with their label and margin."""
    room = np.minimum(q - arm.limits_lower, arm.limits_upper - q)
    margin = float(room.min()) if np.isfinite(room).any() else math.pi
    return Branch(q=q.tolist(), label=str(arm.describe(q)), margin_rad=margin)
