"""PlacedArm: an arm where it stands in the cell, with the tool it carries."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.kinematics import Arm
from openpendant.messages import Pose
from openpendant.robots import FingerFacts, Robot
from openpendant.scene.document import CellRobot, CellTool
from openpendant.spatial import make_transform, matrix_from_quaternion, matrix_from_rpy, quaternion_from_matrix

Array = NDArray[np.float64]

FINGER_M_S = 0.1
"""How fast fingers of a tool slide of which only the bodies are known."""


def transform_of(pose: Pose) -> Array:
    """Return a pose as (4, 4)."""
    return make_transform(matrix_from_quaternion(pose.wxyz), pose.xyz)


def pose_of(T: ArrayLike) -> Pose:
    """Return (4, 4) as a pose."""
    T = np.asarray(T, dtype=np.float64)
    x, y, z = (float(value) for value in T[:3, 3])
    q = quaternion_from_matrix(T[:3, :3])
    w, i, j, k = (float(value) for value in q / np.linalg.norm(q))
    return Pose(xyz=(x, y, z), wxyz=(w, i, j, k))


@dataclass(frozen=True, eq=False)
class PlacedArm:
    """An arm of a robot of the cell."""

    robot: str
    """The robot's name in the cell."""
    arm: str
    model: Robot
    kinematics: Arm
    T_world_base: NDArray[np.float64]
    """(4, 4): the arm's base, in which its kinematics gives poses."""
    T_flange_tcp: NDArray[np.float64]
    """(4, 4): the TCP of what it carries; the flange itself where it carries nothing."""
    q_start: NDArray[np.float64]
    """(n,): radians."""
    tool: CellTool | None
    """The tool of the cell that it carries; None: nothing, or what the catalogue gives it."""
    tool_links: tuple[str, ...]
    """Links of the catalogue's tool that it carries, fingers included."""
    fingers: tuple[FingerFacts, ...]
    """Fingers of that tool; the first leads."""

    @property
    def key(self) -> str:
        """What it is called in the cell: robot/arm."""
        return f"{self.robot}/{self.arm}"

    @property
    def travel_m(self) -> float:
        """How far each finger opens; 0 without fingers."""
        return min((finger.travel_m for finger in self.fingers), default=0.0)

    def T_world_flange(self, q: ArrayLike) -> Array:
        """Return the flange in the world, (4, 4) or (N, 4, 4); raises InputError on bad joints."""
        return self.T_world_base @ self.kinematics.fk(q)

    def T_world_tcp(self, q: ArrayLike) -> Array:
        """Return the TCP in the world, (4, 4) or (N, 4, 4); raises InputError on bad joints."""
        return self.T_world_flange(q) @ self.T_flange_tcp


def fingers_of(tool: CellTool) -> tuple[FingerFacts, ...]:
    """Return the fingers of a tool with parts of its own: those parts that slide when it opens."""
    found: list[FingerFacts] = []
    for index, part in enumerate(tool.parts):
        travel_m = float(np.linalg.norm(part.opens_m))
        if travel_m > 0.0:
            x, y, z = (value / travel_m for value in part.opens_m)
            name = f"{tool.name} finger {index}"
            found.append(
                FingerFacts(link=name, xyz_m=part.pose.xyz, axis=(x, y, z), travel_m=travel_m, velocity_m_s=FINGER_M_S)
            )
    return tuple(found)


def place_arms(item: CellRobot, model: Robot, tools: dict[str, CellTool]) -> tuple[PlacedArm, ...]:
    """Return the arms of a robot of a cell."""
    T_root = model.link_poses()
    placed: list[PlacedArm] = []
    for name, arm in model.arms.items():
        own = model.tool(name)
        chosen = tools[item.tools[name] or ""] if item.tools.get(name) else None
        carries_own = own is not None and (chosen.catalogue != "" if chosen else name not in item.tools)
        T_flange_tcp = np.eye(4)
        if chosen is not None:
            T_flange_tcp = transform_of(chosen.tcp)
        elif carries_own and own is not None:
            T_flange_tcp = make_transform(matrix_from_rpy(*np.radians(own.tcp_rpy_deg)), own.tcp_xyz_m)
        fingers = own.fingers if carries_own and own is not None else ()
        if chosen is not None and not chosen.catalogue:
            fingers = fingers_of(chosen)
        links = (own.link, *(finger.link for finger in fingers)) if carries_own and own is not None else ()
        start = item.joints.get(name)
        placed.append(
            PlacedArm(
                robot=item.name,
                arm=name,
                model=model,
                kinematics=arm,
                T_world_base=transform_of(item.pose) @ T_root[arm.base],
                T_flange_tcp=T_flange_tcp,
                q_start=np.array(model.posture(None, name) if start is None else start, dtype=np.float64),
                tool=chosen,
                tool_links=links,
                fingers=fingers,
            )
        )
    return tuple(placed)
