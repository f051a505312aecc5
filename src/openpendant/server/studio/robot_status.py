"""The state of running robots for clients: their status as text, their joints and setpoints as numbers."""

import math
import struct
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import OpenPendantError
from openpendant.makers import PendantButton, PendantWindow, find_maker
from openpendant.messages import ControllerCapabilities, Pose, RobotButton, RobotWindow, bus, decode_said
from openpendant.messages.operation import PartPlace, RobotStatus
from openpendant.robots import load
from openpendant.runtime import KINEMATIC, CellRuntime
from openpendant.said import say
from openpendant.scene import Scene
from openpendant.spatial import quaternion_from_matrix

from .control import RobotControl


def report_of(runtime: CellRuntime, robot: str) -> bus.RobotReport | None:
    """Return the newest report of a robot; None: nothing was received from it yet."""
    try:
        return runtime.robot(robot).state
    except OpenPendantError:
        return None


def status_of(runtime: CellRuntime, robot: str, addresses: dict[str, str], control: RobotControl) -> RobotStatus:
    """Return how a robot is, as text."""
    report = report_of(runtime, robot)
    model = load(next(one.model for one in runtime.cell.robots if one.name == robot))
    maker = find_maker(model)
    has_virtual = maker is not None and maker.virtual_model(model) != ""
    panel, how, address = "", "virtual" if has_virtual else "kinematic", addresses.get(robot, "")
    if address == KINEMATIC:
        how, address = "kinematic", ""
    elif address:
        how = "real"
    else:
        try:
            handle = runtime.virtual(robot)
        except OpenPendantError:
            pass  # It has none, or it is being restarted.
        else:
            panel, address = handle.panel_url, handle.address
    arms = {} if report is None else report.arms
    moving = any(arm.moving for arm in arms.values())
    shown = None if maker is None or how != "virtual" else runtime.pendant(robot)
    buttons = () if maker is None or shown is None else maker.buttons(shown, moving)
    window = None if maker is None or shown is None else _window(report, maker.window(shown))
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
        moving=moving,
        holder=control.holder(robot),
        asking=control.asking(robot),
        inputs={} if report is None else dict(report.inputs),
        outputs={} if report is None else dict(report.outputs),
        openings={name: arm.opening_m for name, arm in arms.items()},
        late_ms=0.0 if report is None else round(report.timing.late_p99_ms, 2),
        reduced=report is not None and report.reduced,
        operating="unknown" if report is None else report.operating,
        capabilities=ControllerCapabilities() if report is None else report.capabilities,
        buttons=tuple(_button(one) for one in buttons),
        window=window if shown is not None else None if report is None else report.window,
    )


def title_of(shown: RobotStatus, button: str) -> str:
    """Return what people call a button that a robot shows; its name, where it shows none of that name."""
    window = () if shown.window is None else shown.window.buttons
    found = (decode_said(one.title, one.said) for one in (*shown.buttons, *window) if one.name == button)
    return next(found, button)


def _button(button: PendantButton) -> RobotButton:
    return RobotButton(name=button.name, title=button.title, why=button.why)


def _window(report: bus.RobotReport | None, shown: PendantWindow | None) -> RobotWindow | None:
    """Return the window that a pendant has open; its driver has counted it."""
    if shown is None:
        return None
    number = 0 if report is None or report.window is None else report.window.number
    buttons = tuple(_button(one) for one in shown.buttons)
    return RobotWindow(number=number, title=shown.title, text=shown.text, buttons=buttons)


def layout_of(runtime: CellRuntime) -> tuple[tuple[str, int], ...]:
    """Return the arms in the order of the binary messages, with their number of joints."""
    return tuple((key, arm.kinematics.dof) for key, arm in runtime.scene.arms.items())


Reports = Mapping[str, bus.RobotReport | None]
"""The newest report of each robot; None: nothing was received from it yet."""
JointNews = dict[str, tuple[tuple[float, ...], tuple[float, ...] | None]]


def news_in(reports: Reports) -> JointNews:
    """Return the measured joints and setpoints of all arms, by robot/arm: what is worth a message when it changes."""
    return {
        f"{robot}/{name}": (arm.q, arm.q_sent)
        for robot, report in reports.items()
        if report is not None
        for name, arm in report.arms.items()
    }


def pack_joints(reports: Reports, layout: tuple[tuple[str, int], ...]) -> bytes:
    """Return the live joints of all arms, as described in `messages.operation`."""
    values = [min((one.stamp_ns for one in reports.values() if one is not None), default=0) * 1e-9]
    for key, dof in layout:
        robot, arm = key.split("/", 1)
        report = reports[robot]
        found = None if report is None else report.arms.get(arm)
        unknown = (math.nan,) * dof
        if report is None or found is None:
            values += [*(math.nan,) * 4, *unknown, *unknown]
        else:
            stamps = (report.state_ns, found.sent_ns, found.intent_ns, found.obeyed_ns)
            values += [stamp_ns * 1e-9 if stamp_ns > 0 else math.nan for stamp_ns in stamps]
            values += [*found.q, *(unknown if found.q_sent is None else found.q_sent)]
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
