"""How running robots are told to clients: their status in words, their joints as numbers."""

import struct

from openpendant.cell import CellRuntime
from openpendant.errors import OpenPendantError
from openpendant.messages import bus
from openpendant.projects.operate import RobotStatus

from .control import ControlBook

__all__ = ["layout_of", "pack_joints", "status_of"]


def report_of(runtime: CellRuntime, robot: str) -> bus.RobotReport | None:
    """Return the newest report of a robot; None: nothing was heard of it yet."""
    try:
        return runtime.robot(robot).state
    except OpenPendantError:
        return None


def status_of(runtime: CellRuntime, robot: str, addresses: dict[str, str], book: ControlBook) -> RobotStatus:
    """Return how a robot is, in words."""
    report = report_of(runtime, robot)
    panel, how, address = "", "kinematic", addresses.get(robot, "")
    if address:
        how = "real"
    else:
        try:
            handle = runtime.virtual(robot)
        except OpenPendantError:
            pass
        else:
            how, panel, address = "virtual", handle.panel_url, handle.address
    arms = {} if report is None else report.arms
    return RobotStatus(
        name=robot,
        how=how,  # pyright: ignore[reportArgumentType]
        address=address,
        panel=panel,
        connected=report is not None and report.connected,
        ready=report is not None and report.ready,
        reason="nothing is heard of it yet" if report is None else report.reason,
        mode="" if report is None else report.mode,
        safety="" if report is None else report.safety,
        moving=any(arm.moving for arm in arms.values()),
        holder=book.holder(robot),
        asking=book.asking(robot),
        inputs={} if report is None else dict(report.inputs),
        outputs={} if report is None else dict(report.outputs),
        openings={name: arm.opening_m for name, arm in arms.items()},
        late_ms=0.0 if report is None else round(report.timing.late_p99_ms, 2),
    )


def layout_of(runtime: CellRuntime) -> tuple[tuple[str, int], ...]:
    """Return the arms in the order of the binary messages, with their number of joints."""
    return tuple((key, arm.kinematics.dof) for key, arm in runtime.scene.arms.items())


def pack_joints(runtime: CellRuntime, layout: tuple[tuple[str, int], ...], now_s: float) -> bytes:
    """Return the measured joints of all arms, and those that they were sent."""
    values = [now_s]
    for key, dof in layout:
        robot, arm = key.split("/", 1)
        report = report_of(runtime, robot)
        found = None if report is None else report.arms.get(arm)
        measured = (float("nan"),) * dof if found is None else found.q
        sent = measured if found is None else found.q_rest
        values += [*measured, *sent]
    return struct.pack(f"<{len(values)}d", *values)
