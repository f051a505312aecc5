"""Points along straight moves and arcs, for languages that know only some ways; V+'s forms of points."""

import math

import numpy as np
from numpy.typing import NDArray

from openpendant.motion import MoveArc
from openpendant.motion.pieces import arc_piece, line_piece
from openpendant.programs.check import TracedMove
from openpendant.programs.document import GoTo, MoveAxis
from openpendant.spatial import inverse, vplus_from_transform

from .source import Source, number

Array = NDArray[np.float64]

ARC_DEVIATION_M = 0.0002
STEP_M = 0.02


def waypoints_of(source: Source, visit: TracedMove) -> list[Array]:
    """Return the joints at the end of a move, and for straight ones those on the way, every 20 mm."""
    step = visit.leg.leaf.step
    if isinstance(step, MoveAxis) or (isinstance(step, GoTo) and step.how == "joint"):
        return [visit.q]
    poses = arc_points(source, visit) if isinstance(visit.leg.move, MoveArc) else _line_points(source, visit)
    arm = source.setting.placed.kinematics
    T_tool_flange = inverse(source.setting.T_flange_tool(visit.leg.tool))
    q = visit.q_before
    joints: list[Array] = []
    for T in poses[:-1]:
        result = arm.ik(T @ T_tool_flange, seed=q, variants=True)
        if result.nearest is not None:
            q = np.array(result.nearest.q)
            joints.append(q)
    return [*joints, visit.q]


def _tool_poses(source: Source, visit: TracedMove) -> tuple[Array, Array]:
    setting = source.setting
    T_tool = setting.T_flange_tool(visit.leg.tool)
    fk = setting.placed.kinematics.fk
    return fk(visit.q_before, check_limits=False) @ T_tool, fk(visit.q, check_limits=False) @ T_tool


def _line_points(source: Source, visit: TracedMove) -> list[Array]:
    T_start, T_end = _tool_poses(source, visit)
    piece = line_piece(T_start, T_end)
    if piece is None:
        return [T_end]
    count = max(1, math.ceil(piece.way_m / STEP_M))
    return list(piece.at(np.linspace(0.0, piece.length, count + 1)[1:]))


def arc_points(source: Source, visit: TracedMove) -> list[Array]:
    """Return tool poses along an arc, so dense that chords stray at most 0.2 mm."""
    move = visit.leg.move
    T_start, T_end = _tool_poses(source, visit)
    piece = arc_piece(T_start, move.T_via, move.T_end, move.orientation) if isinstance(move, MoveArc) else None
    if piece is None:
        return [T_end]
    count = 2
    while True:
        T = piece.at(np.linspace(0.0, piece.length, 2 * count + 1))
        p = T[:, :3, 3]
        strays = np.linalg.norm(p[1::2] - 0.5 * (p[0:-1:2] + p[2::2]), axis=1).max()
        if strays <= ARC_DEVIATION_M or count >= 512:
            return list(T[2::2])
        count *= 2


def ppoint(q: Array) -> str:
    """Return joints (radians) as a precision point of V+, in degrees."""
    return f"#PPOINT({', '.join(number(math.degrees(float(value)), 5) for value in q)})"


def trans(T: Array) -> str:
    """Return a pose as a location of V+, in millimetres and degrees."""
    return f"TRANS({', '.join(number(value, 4) for value in vplus_from_transform(T))})"
