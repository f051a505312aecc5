"""get_actual_*, get_target_* and their like: what the controller measures and knows."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openpendant.dialects.urscript import Builtin, ScriptFailure, ScriptPose
from openpendant.virtual.ur.kernels.arm import pose_of
from openpendant.virtual.ur.parts import Parts
from openpendant.virtual.ur.variables import CONSTANT

from .arguments import count, function, vector
from .kinematic import tool_transform

CONTACT_N = 5.0
"""A push against the direction of motion larger than this is a contact."""
STILL_RAD_S = 0.005


class _Sensing:
    """The functions; one object per controller."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._contact_since: int | None = None

    def list_of(self, name: str) -> Callable[[], tuple[float, ...]]:
        """Return a function that reads a measured vector."""
        view: NDArray[np.float64] = self._parts.body.views[name]
        return lambda: tuple(view.tolist())

    def pose_of(self, name: str) -> Callable[[], ScriptPose]:
        """Return a function that reads a measured pose."""
        view: NDArray[np.float64] = self._parts.body.views[name]
        return lambda: ScriptPose(view.tolist())

    def setpoint(self) -> tuple[float, ...]:
        """get_joint_positions: where the program has commanded the joints, before they are smoothed.

        Control programs lay each spline from where the last one ended: measured joints, or smoothed ones, are behind.
        """
        return tuple(self._parts.mover.raw[0].tolist())

    def waypoint(self) -> ScriptPose:
        """get_target_waypoint: where the present move goes."""
        mover = self._parts.mover
        q = mover.path.target if mover.path.moves else mover.target
        out = np.empty(6)
        pose_of(np.ascontiguousarray(tool_transform(self._parts, q)[:3]), out)
        return ScriptPose(out.tolist())

    def history(self, steps: Any) -> tuple[float, ...]:
        """get_actual_joint_positions_history."""
        back = count(steps, "get_actual_joint_positions_history: steps")
        kept = self._parts.history
        if back < 0:
            raise ScriptFailure("Runtime error: get_actual_joint_positions_history with steps below 0")
        if back == 0 or not kept:
            return tuple(self._parts.body.views["actual_q"].tolist())
        return tuple(kept[-min(back, len(kept))].tolist())

    def steady(self) -> bool:
        """is_steady: whether the arm has come to rest."""
        return not self._parts.mover.moving and bool(np.abs(self._parts.body.views["actual_qd"]).max() < STILL_RAD_S)

    def force(self) -> float:
        """Return the size of the force at the tool."""
        return float(self._parts.body.views["tcp_force_scalar"][0])

    def contact(self, direction: Any) -> int:
        """tool_contact: ticks since the tool met something against a direction; 0 without a contact."""
        along = vector(direction, 6, "tool_contact: direction")[:3]
        size = float(np.linalg.norm(along))
        felt = self._parts.body.views["actual_TCP_force"][:3]
        # No direction: any push counts.
        against = float(np.linalg.norm(felt)) if size < 1e-9 else -float(felt @ along) / size
        if against < CONTACT_N:
            self._contact_since = None
            return 0
        if self._contact_since is None:
            self._contact_since = self._parts.clock.ticks - 1
        return self._parts.clock.ticks - self._contact_since

    def joint_temperature(self, joint: Any) -> float:
        """get_joint_temp."""
        number = count(joint, "get_joint_temp: j")
        if not 0 <= number < 6:
            raise ScriptFailure(f"Runtime error: get_joint_temp({number}); allowed: 0 to 5")
        return float(CONSTANT["joint_temperatures"][number])

    def along_path(self) -> float:
        """get_target_tcp_speed_along_path."""
        return float(np.linalg.norm(self._parts.body.views["target_TCP_speed"][:3]))


def state_functions(parts: Parts) -> tuple[Builtin, ...]:
    """Return the functions that read the state of the arm."""
    own = _Sensing(parts)
    place = parts.installation
    return (
        function("get_joint_positions", own.setpoint),
        function("get_actual_joint_positions", own.list_of("actual_q")),
        function("get_actual_joint_speeds", own.list_of("actual_qd")),
        function("get_actual_tcp_pose", own.pose_of("actual_TCP_pose")),
        function("get_actual_tcp_speed", own.list_of("actual_TCP_speed")),
        function("get_actual_tool_flange_pose", own.pose_of("flange_pose")),
        function("get_actual_joint_positions_history", own.history, ("steps", 0)),
        function("get_target_joint_positions", own.list_of("target_q")),
        function("get_target_joint_speeds", own.list_of("target_qd")),
        function("get_target_joint_accelerations", own.list_of("target_qdd")),
        function("get_target_tcp_pose", own.pose_of("target_TCP_pose")),
        function("get_target_tcp_speed", own.list_of("target_TCP_speed")),
        function("get_target_tcp_speed_along_path", own.along_path),
        function("get_target_tcp_pose_along_path", own.pose_of("target_TCP_pose")),
        function("get_target_waypoint", own.waypoint),
        function("get_joint_torques", own.list_of("target_moment")),
        function("get_joint_temp", own.joint_temperature, "j"),
        function("get_controller_temp", lambda: 33.0),
        function("get_tcp_force", own.list_of("actual_TCP_force")),
        function("get_tool_accelerometer_reading", own.list_of("actual_tool_accelerometer")),
        function("get_tool_current", lambda: 0.0),
        function("get_tool_temp", lambda: float(CONSTANT["tool_temperature"][0])),
        function("get_base_acceleration", lambda: CONSTANT["target_base_acceleration"]),
        function("get_tcp_offset", lambda: ScriptPose(place.tcp)),
        function("get_target_payload", lambda: place.payload),
        function("get_target_payload_cog", lambda: place.cog),
        function("get_target_payload_inertia", lambda: place.inertia),
        function("get_gravity", lambda: place.gravity),
        function("is_steady", own.steady),
        function("force", own.force),
        function("tool_contact", own.contact, ("direction", (0.0,) * 6)),
    )
