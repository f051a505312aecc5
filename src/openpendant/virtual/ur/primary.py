"""What the primary, secondary and real-time interfaces carry."""

from collections.abc import Callable
from dataclasses import astuple
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from openpendant.protocols.ur_primary import (
    AdditionalInfo,
    CalibrationInfo,
    CartesianInfo,
    ConfigurationInfo,
    ForceModeInfo,
    JointData,
    KinematicsInfo,
    MasterboardInfo,
    RobotModeInfo,
    SafetyInfo,
    StatePackage,
    ToolCommunicationInfo,
    ToolData,
    ToolModeInfo,
    Vector3,
    Vector6,
    Words6,
)

from .modes import RuntimeState, SafetyMode
from .parts import Parts
from .variables import Variables

ZERO6: Vector6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
JOINTS = (
    "actual_q",
    "target_q",
    "actual_qd",
    "actual_current",
    "actual_joint_voltage",
    "joint_temperatures",
    "joint_mode",
    "actual_TCP_pose",
    "tcp_offset",
    "elbow_position",
    "actual_robot_current",
    "actual_TCP_force",
    "actual_robot_voltage",
)
REAL_TIME_NAMES: tuple[str, ...] = (
    "timestamp",
    "target_q",
    "target_qd",
    "target_qdd",
    "target_current",
    "target_moment",
    "actual_q",
    "actual_qd",
    "actual_current",
    "joint_control_output",
    "actual_TCP_pose",
    "actual_TCP_speed",
    "actual_TCP_force",
    "target_TCP_pose",
    "target_TCP_speed",
    "actual_digital_input_bits",
    "joint_temperatures",
    "actual_execution_time",
    "payload",
    "robot_mode",
    "joint_mode",
    "safety_mode",
    "target_base_acceleration",
    "actual_tool_accelerometer",
    "target_base_wrench",
    "speed_scaling",
    "actual_momentum",
    "payload",
    "payload",
    "actual_main_voltage",
    "actual_robot_voltage",
    "actual_robot_current",
    "actual_joint_voltage",
    "actual_digital_output_bits",
    "runtime_state",
    "elbow_position",
    "elbow_velocity",
    "safety_status",
    "target_gravity",
    "payload",
    "payload_cog",
    "payload_inertia",
)
"""RTDE variables in the order of the real-time packet; reserved fields hold numbers of the same count."""


class PrimaryState:
    """Builds sub-packages of robot state messages from the state of the controller."""

    def __init__(self, parts: Parts, variables: Variables) -> None:
        self._parts = parts
        self._read: Callable[[], tuple[Any, ...]] = variables.compile_reader(JOINTS)
        self.real_time: Callable[[], tuple[Any, ...]] = variables.compile_reader(REAL_TIME_NAMES)

    def packages(self, *, complete: bool) -> tuple[StatePackage, ...]:
        """Return the sub-packages; `complete`: with those that rarely change."""
        flat: tuple[Any, ...] = self._read()
        q, q_target, qd, current, voltage, heat, modes, pose, offset = (
            cast(Any, flat[6 * n : 6 * n + 6]) for n in range(9)
        )
        elbow, box_current, force = cast(Vector3, flat[54:57]), flat[57], cast(Vector6, flat[58:64])
        parts = self._parts
        packages: list[StatePackage] = [
            self._mode(),
            JointData(q, q_target, qd, current, voltage, heat, ZERO6, modes),
            self._tool(),
            self._masterboard(box_current, flat[64]),
            CartesianInfo(pose, offset),
            ForceModeInfo(force, 0.0),
            AdditionalInfo(
                int(parts.pendant.freedrive_held),
                freedrive_enabled=parts.pendant.freedrive_held or parts.compliance.freedrive,
                io_freedrive_enabled=False,
            ),
            CalibrationInfo(ZERO6),
            SafetyInfo(self._checksum, int(parts.safety.mode), 0, elbow, 0.08),
            ToolCommunicationInfo(*astuple(parts.io.tool_serial)),
            ToolModeInfo(
                parts.io.tool_output_mode, (parts.io.tool_digital_output_mode[0], parts.io.tool_digital_output_mode[1])
            ),
        ]
        if complete:
            packages += [self._kinematics(), self._configuration()]
        return tuple(packages)

    @property
    def _checksum(self) -> int:
        return self._parts.model.calibration.checksum

    def _mode(self) -> RobotModeInfo:
        parts = self._parts
        return RobotModeInfo(
            parts.clock.ticks * 2000,
            real_robot_connected=True,
            real_robot_enabled=True,
            power_on=parts.power.on,
            emergency_stopped=parts.safety.emergency,
            protective_stopped=parts.safety.mode == SafetyMode.PROTECTIVE_STOP,
            program_running=parts.program_running,
            program_paused=parts.runtime_state == RuntimeState.PAUSED,
            robot_mode=max(0, int(parts.power.mode)),
            control_mode=2 if parts.compliance.force_mode else 1 if parts.compliance.freedrive else 0,
            target_speed_fraction=parts.mover.slider,
            speed_scaling=parts.speed_scaling,
            target_speed_fraction_limit=1.0,
        )

    def _tool(self) -> ToolData:
        parts = self._parts
        io = parts.io
        kinds = (int(io.tool_analog_in_voltage[0]), int(io.tool_analog_in_voltage[1]))
        return ToolData(
            kinds,
            (io.tool_analog_in[0], io.tool_analog_in[1]),
            48.0 if parts.power.on else 0.0,
            io.tool_voltage if parts.power.on else 0,
            0.0,
            29.5,
            int(parts.power.tool_mode),
        )

    def _masterboard(self, current: float, voltage: float) -> MasterboardInfo:
        parts = self._parts
        io = parts.io
        return MasterboardInfo(
            digital_input_bits=io.inputs,
            digital_output_bits=io.outputs,
            analog_input_range=(int(io.analog_in_voltage[0]), int(io.analog_in_voltage[1])),
            analog_input=(io.analog_in[0], io.analog_in[1]),
            analog_output_domain=(int(io.analog_out_voltage[0]), int(io.analog_out_voltage[1])),
            analog_output=(io.analog_out(0), io.analog_out(1)),
            temperature=33.0,
            robot_voltage_48v=voltage,
            robot_current=current,
            io_current=0.033,
            safety_mode=int(parts.safety.mode),
            reduced_mode=int(parts.safety.reduced),
        )

    def _kinematics(self) -> KinematicsInfo:
        """Calibrated parameters: what clients need to compute as this very arm does."""
        model = self._parts.model
        a, d, alpha, theta = _columns(model.dh())
        drawn = self._checksum == type(model.calibration)().checksum
        sums = cast(Words6, tuple((self._checksum + n) & 0xFFFFFFFF for n in range(6)))
        return KinematicsInfo(sums, theta, a, d, alpha, 0 if drawn else 1)

    def _configuration(self) -> ConfigurationInfo:
        model = self._parts.model
        a, d, alpha, theta = _columns(model.nominal_dh())
        return ConfigurationInfo(
            model.lower,
            model.upper,
            model.velocity,
            model.hardest,
            1.05,
            1.4,
            0.25,
            1.2,
            0.25,
            a,
            d,
            alpha,
            theta,
            31,
            5,
            model.robot_type,
            1,
        )


def _columns(dh: NDArray[np.float64]) -> tuple[Vector6, Vector6, Vector6, Vector6]:
    a, d, alpha, theta = (cast(Vector6, tuple(column)) for column in dh.T.tolist())
    return a, d, alpha, theta
