"""How running robots are told to clients: their status in words, their joints as numbers."""

import struct

import numpy as np
from numpy.typing import NDArray

from openpendant.cell import CellRuntime, has_virtual
from openpendant.errors import OpenPendantError
from openpendant.messages import Pose, bus, decode_said
from openpendant.projects.operate import PartPlace, RobotStatus
from openpendant.said import say
from openpendant.scene import Scene
from openpendant.spatial import quaternion_from_matrix

from .control import ControlBook

__all__ = ["layout_of", "pack_joints", "parts_of", "report_of", "status_of"]


def report_of(runtime: CellRuntime, robot: str) -> bus.RobotReport | None:
    """Return the newest report of a robot; None: nothing was heard of it yet."""
    try:
        return runtime.robot(robot).state
    except OpenPendantError:
        return None


def status_of(runtime: CellRuntime, robot: str, addresses: dict[str, str], book: ControlBook) -> RobotStatus:
    """Return how a robot is, in words."""
    report = report_of(runtime, robot)
    placed = next(one for one in runtime.cell.robots if one.name == robot)
    panel, how, address = "", "virtual" if has_virtual(placed) else "kinematic", addresses.get(robot, "")
    if address:
        how = "real"
    else:
        try:
            handle = runtime.virtual(robot)
        except OpenPendantError:
            pass  # It has none, or it is being started anew.
        else:
            panel, address = handle.panel_url, handle.address
    arms = {} if report is None else report.arms
    return RobotStatus(
        name=robot,
        how=how,  # pyright: ignore[reportArgumentType]
        address=address,
        panel=panel,
        connected=report is not None and report.connected,
        ready=report is not None and report.ready,
        reason=say("robot.not_heard") if report is None else decode_said(report.reason, report.said),
        mode="unknown" if report is None else report.mode,
        safety="unknown" if report is None else report.safety,
        moving=any(arm.moving for arm in arms.values()),
        holder=book.holder(robot),
        asking=book.asking(robot),
        inputs={} if report is None else dict(report.inputs),
        outputs={} if report is None else dict(report.outputs),
        openings={name: arm.opening_m for name, arm in arms.items()},
        late_ms=0.0 if report is None else round(report.timing.late_p99_ms, 2),
        reduced=report is not None and report.reduced,
    )


def layout_of(runtime: CellRuntime) -> tuple[tuple[str, int], ...]:
    """Return the arms in the order of the binary messages, with their number of joints."""
    return tuple((key, arm.kinematics.dof) for key, arm in runtime.scene.arms.items())


def pack_joints(runtime: CellRuntime, layout: tuple[tuple[str, int], ...]) -> bytes:
    """Return the joints of all arms, measured and sent, after when the oldest of the robots' reports was written."""
    reports = {robot: report_of(runtime, robot) for robot in runtime.robots}
    values = [min((one.stamp_ns for one in reports.values() if one is not None), default=0) * 1e-9]
    for key, dof in layout:
        robot, arm = key.split("/", 1)
        report = reports[robot]
        found = None if report is None else report.arms.get(arm)
        measured = (float("nan"),) * dof if found is None else found.q
        sent = measured if found is None else found.q_target
        values += [*measured, *sent]
    return struct.pack(f"<{len(values)}d", *values)


def parts_of(scene: Scene | None) -> tuple[PartPlace, ...]:
    """Return where parts are that are not where the cell says."""
    if scene is None:
        return ()
    held = [PartPlace(name=part, arm=one.arm, pose=_pose(one.T_flange_part)) for part, one in scene.carried.items()]
    laid = [PartPlace(name=part, arm="", pose=_pose(T)) for part, T in scene.poses.items() if part not in scene.carried]
    return (*held, *laid)


def _pose(T: NDArray[np.float64]) -> Pose:
    x, y, z = (float(value) for value in T[:3, 3])
    w, i, j, k = (float(value) for value in quaternion_from_matrix(T[:3, :3]))
    return Pose(xyz=(x, y, z), wxyz=(w, i, j, k))
