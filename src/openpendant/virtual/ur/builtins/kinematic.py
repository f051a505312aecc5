"""get_inverse_kin, get_forward_kin and limits: with the chain of this very arm."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from openpendant.dialects.urscript import Builtin, ScriptFailure, ScriptPose
from openpendant.virtual.arm import joints_near
from openpendant.virtual.ur.kernels.arm import frames, pose_of, tool_jacobian, transform_of
from openpendant.virtual.ur.parts import Parts

from .arguments import function, joints, number, pose

Array = NDArray[np.float64]
FAR_RAD = 0.3
"""Joints nearer than this to where the arm is are surely the branch that is meant."""
STEP_S = 1e-6
NO_SOLUTION = "get_inverse_kin: unable to find an inverse kinematics solution"


def tool_transform(parts: Parts, q: Array) -> Array:
    """Return the tool (4, 4) in the base."""
    return parts.arm.fk(q, check_limits=False) @ parts.installation.T_flange_tool


def nearest_joints(parts: Parts, target: Array, near: Array, tcp: Array | None = None) -> Array | None:
    """Return the joints nearest to `near` that bring the tool to a pose (6,), or None."""
    T, T_flange_tool = np.eye(4), parts.installation.T_flange_tool
    transform_of(target, T)
    if tcp is not None:
        T_flange_tool = np.eye(4)
        transform_of(tcp, T_flange_tool)
    T_flange = T @ np.linalg.inv(T_flange_tool)
    Q, mask = parts.arm.ik_array(T_flange, near)
    Q = Q[mask]
    if not len(Q) or np.abs(Q - near).max(axis=1).min() > FAR_RAD:
        # The branches of a calibrated arm come from its drawing; beside a singularity the drawing may lack one.
        q = joints_near(parts.arm, T_flange, near)
        if q is not None and _allowed(parts, q):
            Q = np.vstack([Q, q])
    if not len(Q):
        return None
    gaps = Q - near
    # The last joint turns without end: the nearest turn of it is meant.
    endless = np.array(parts.model.endless)
    turns = np.round(gaps / (2.0 * np.pi)) * endless
    Q = Q - turns * 2.0 * np.pi
    return Q[int(np.argmin(np.abs(Q - near).max(axis=1)))]


class _Kinematic:
    """The functions; one object per controller."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def inverse(self, x: Any, near: Any, position: Any, orientation: Any, tcp: Any) -> tuple[float, ...]:
        """get_inverse_kin."""
        found = self._solve(x, near, position, orientation, tcp)
        if found is None:
            raise ScriptFailure(NO_SOLUTION)
        return tuple(found.tolist())

    def has_solution(self, x: Any, near: Any, position: Any, orientation: Any, tcp: Any) -> bool:
        """get_inverse_kin_has_solution."""
        return self._solve(x, near, position, orientation, tcp) is not None

    def _solve(self, x: Any, near: Any, position: Any, orientation: Any, tcp: Any) -> Array | None:
        number(position, "get_inverse_kin: maxPositionError")
        number(orientation, "get_inverse_kin: maxOrientationError")
        target = pose(x, "get_inverse_kin: x")
        start = self._parts.mover.target if _absent(near) else joints(near, "get_inverse_kin: qnear")
        return nearest_joints(self._parts, target, start, None if _absent(tcp) else pose(tcp, "get_inverse_kin: tcp"))

    def forward(self, q: Any, tcp: Any) -> ScriptPose:
        """get_forward_kin."""
        now = self._parts.body.views["actual_q"]
        at = now if _absent(q) else joints(q, "get_forward_kin: q")
        T_flange_tool = self._parts.installation.T_flange_tool
        if not _absent(tcp):
            T_flange_tool = np.eye(4)
            transform_of(pose(tcp, "get_forward_kin: tcp"), T_flange_tool)
        T = self._parts.arm.fk(at, check_limits=False) @ T_flange_tool
        out = np.empty(6)
        pose_of(np.ascontiguousarray(T[:3]), out)
        return ScriptPose(out.tolist())

    def jacobian(self, q: Any, tcp: Any) -> tuple[tuple[float, ...], ...]:
        """get_jacobian: rows x, y, z, rx, ry, rz of the tool in the base."""
        return _rows(self._jacobian(self._at(q, "get_jacobian: q"), tcp))

    def jacobian_derivative(self, q: Any, qd: Any, tcp: Any) -> tuple[tuple[float, ...], ...]:
        """get_jacobian_time_derivative, by a central difference."""
        at = self._at(q, "get_jacobian_time_derivative: q")
        name = "get_jacobian_time_derivative: qd"
        speed = self._parts.body.views["actual_qd"] if _absent(qd) else joints(qd, name)
        ahead, behind = (self._jacobian(at + sign * STEP_S * speed, tcp) for sign in (1.0, -1.0))
        return _rows((ahead - behind) / (2.0 * STEP_S))

    def _at(self, q: Any, what: str) -> Array:
        return self._parts.body.views["actual_q"] if _absent(q) else joints(q, what)

    def _jacobian(self, q: Array, tcp: Any) -> Array:
        tool = self._parts.installation.tool
        if not _absent(tcp):
            tool = np.empty((3, 4))
            transform_of(pose(tcp, "get_jacobian: tcp"), tool)
        T, J, tip = np.empty((7, 3, 4)), np.empty((6, 6)), np.empty((3, 4))
        frames(self._parts.model.dh(), np.ascontiguousarray(q), T)
        tool_jacobian(T, tool, J, tip)
        return J

    def within_limits(self, target: Any, near: Any) -> bool:
        """is_within_safety_limits: joints within their range, a pose within reach; `qnear` is for poses."""
        if isinstance(target, ScriptPose):
            start = self._parts.mover.target if _absent(near) else joints(near, "is_within_safety_limits: qnear")
            return nearest_joints(self._parts, pose(target, "is_within_safety_limits"), start) is not None
        return _allowed(self._parts, joints(target, "is_within_safety_limits: q"))


def _rows(matrix: Array) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in matrix.tolist())


def _allowed(parts: Parts, q: Array) -> bool:
    return bool((q >= parts.limits.lower).all() and (q <= parts.limits.upper).all())


def _absent(value: Any) -> bool:
    return value is None or isinstance(value, str)


def kinematic_functions(parts: Parts) -> tuple[Builtin, ...]:
    """Return the functions of kinematics."""
    own = _Kinematic(parts)
    others = (("qnear", None), ("maxPositionError", 1e-10), ("maxOrientationError", 1e-10), ("tcp", None))
    return (
        function("get_inverse_kin", own.inverse, "x", *others),
        function("get_inverse_kin_has_solution", own.has_solution, "pose", *others),
        function("get_forward_kin", own.forward, ("q", None), ("tcp", None)),
        function("get_jacobian", own.jacobian, ("q", None), ("tcp", None)),
        function("get_jacobian_time_derivative", own.jacobian_derivative, ("q", None), ("qd", None), ("tcp", None)),
        function("is_within_safety_limits", own.within_limits, "pose", ("qnear", None)),
    )
