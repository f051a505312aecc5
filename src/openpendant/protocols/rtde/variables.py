"""Every variable an e-Series controller offers over RTDE, with its type and direction.

Names, types and register ranges: RTDE guide, "Robot controller inputs" and "Robot controller outputs".
"In" is written by a client, "out" is read; input registers can be read back, so they are "both".
"""

from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from .wire_types import WIRE_TYPES, WireType

Direction = Literal["in", "out", "both"]


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable of the controller."""

    name: str
    type: WireType
    direction: Direction

    @property
    def readable(self) -> bool:
        """Whether a client may ask for it as an output."""
        return self.direction != "in"

    @property
    def writable(self) -> bool:
        """Whether a client may write it as an input."""
        return self.direction != "out"


_INPUTS = {
    "UINT32": "speed_slider_mask",
    "UINT8": """
        standard_digital_output_mask standard_digital_output
        configurable_digital_output_mask configurable_digital_output
        tool_digital_output_mask tool_digital_output
        standard_analog_output_mask standard_analog_output_type
    """,
    "DOUBLE": "speed_slider_fraction standard_analog_output_0 standard_analog_output_1",
    "VECTOR6D": "external_force_torque",
}

_OUTPUTS = {
    "DOUBLE": """
        timestamp actual_execution_time target_execution_time
        speed_scaling target_speed_fraction actual_momentum
        actual_main_voltage actual_robot_voltage actual_robot_current io_current
        standard_analog_input0 standard_analog_input1 standard_analog_output0 standard_analog_output1
        tool_analog_input0 tool_analog_input1 tool_output_current tool_temperature tcp_force_scalar
        joint_position_deviation_ratio collision_detection_ratio payload
        actual_robot_energy_consumed actual_robot_braking_energy_dissipated
        euromap67_24V_voltage euromap67_24V_current
    """,
    "VECTOR6D": """
        target_q target_qd target_qdd target_current target_moment
        actual_q actual_qd actual_current actual_current_window actual_current_as_torque
        joint_control_output joint_temperatures actual_joint_voltage
        actual_TCP_pose actual_TCP_speed actual_TCP_force actual_TCP_acceleration
        target_TCP_pose target_TCP_speed target_TCP_acceleration tcp_offset
        ft_raw_wrench wrench_calc_from_currents payload_inertia
        target_base_acceleration target_base_wrench
    """,
    "VECTOR3D": "actual_tool_accelerometer elbow_position elbow_velocity payload_cog target_gravity",
    "VECTOR6INT32": "joint_mode",
    "INT32": """
        robot_mode safety_mode safety_status tool_output_voltage
        encoder0_raw encoder1_raw time_scale_source
    """,
    "UINT64": """
        actual_digital_input_bits actual_configurable_digital_input_bits
        actual_digital_output_bits actual_configurable_digital_output_bits control_step
    """,
    "UINT32": """
        runtime_state robot_status_bits safety_status_bits analog_io_types script_control_line
        tool_mode tool_analog_input_types euromap67_input_bits euromap67_output_bits
        output_bit_registers0_to_31 output_bit_registers32_to_63
    """,
    "UINT8": "tool_output_mode tool_digital_output0_mode tool_digital_output1_mode",
}

_READ_BACK = {"UINT32": "input_bit_registers0_to_31 input_bit_registers32_to_63"}

# The lower half of each range belongs to fieldbus and PLC, the upper half to other clients; both are served.
_REGISTERS = (("bit", "BOOL", range(64, 128)), ("int", "INT32", range(48)), ("double", "DOUBLE", range(48)))


def _variables() -> Iterator[Variable]:
    listed: tuple[tuple[dict[str, str], Direction], ...] = (
        (_INPUTS, "in"),
        (_OUTPUTS, "out"),
        (_READ_BACK, "both"),
    )
    for names_by_type, direction in listed:
        for type_name, names in names_by_type.items():
            for name in names.split():
                yield Variable(name, WIRE_TYPES[type_name], direction)
    for kind, type_name, numbers in _REGISTERS:
        for number in numbers:
            yield Variable(f"input_{kind}_register_{number}", WIRE_TYPES[type_name], "both")
            yield Variable(f"output_{kind}_register_{number}", WIRE_TYPES[type_name], "out")


VARIABLES = MappingProxyType({variable.name: variable for variable in _variables()})
"""Every variable by name."""
