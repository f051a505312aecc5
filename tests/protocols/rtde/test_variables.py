"""The table of variables: every name a known client asks for, with the type it expects."""

import pytest

from openpendant.protocols.rtde import VARIABLES, WIRE_TYPES

# What ur_rtde 1.6 asks for by default, with the types it reads (seen on the wire).
RECEIVED = {
    "DOUBLE": """
        timestamp actual_execution_time speed_scaling target_speed_fraction actual_momentum actual_main_voltage
        actual_robot_voltage actual_robot_current standard_analog_input0 standard_analog_input1
        standard_analog_output0 standard_analog_output1 payload
    """,
    "VECTOR6D": """
        target_q target_qd target_qdd target_current target_moment actual_q actual_qd actual_current
        joint_control_output actual_TCP_pose actual_TCP_speed actual_TCP_force target_TCP_pose target_TCP_speed
        joint_temperatures actual_joint_voltage ft_raw_wrench payload_inertia
    """,
    "VECTOR3D": "actual_tool_accelerometer payload_cog",
    "VECTOR6INT32": "joint_mode",
    "UINT64": "actual_digital_input_bits actual_digital_output_bits",
    "INT32": "robot_mode safety_mode output_int_register_2 output_int_register_47",
    "UINT32": "runtime_state robot_status_bits safety_status_bits script_control_line output_bit_registers0_to_31",
    "BOOL": "output_bit_register_64 output_bit_register_127",
}
WRITTEN = {
    "UINT8": """
        standard_digital_output_mask standard_digital_output configurable_digital_output_mask
        configurable_digital_output tool_digital_output_mask tool_digital_output standard_analog_output_mask
        standard_analog_output_type
    """,
    "UINT32": "speed_slider_mask input_bit_registers0_to_31 input_bit_registers32_to_63",
    "DOUBLE": "speed_slider_fraction standard_analog_output_0 standard_analog_output_1 input_double_register_0",
    "INT32": "input_int_register_0 input_int_register_47",
    "BOOL": "input_bit_register_64 input_bit_register_127",
    "VECTOR6D": "external_force_torque",
}


@pytest.mark.parametrize(("type_name", "names"), RECEIVED.items())
def test_variables_clients_read(type_name: str, names: str):
    for name in names.split():
        assert VARIABLES[name].type is WIRE_TYPES[type_name], name
        assert VARIABLES[name].readable, name


@pytest.mark.parametrize(("type_name", "names"), WRITTEN.items())
def test_variables_clients_write(type_name: str, names: str):
    for name in names.split():
        assert VARIABLES[name].type is WIRE_TYPES[type_name], name
        assert VARIABLES[name].writable, name


def test_input_registers_are_read_back_and_other_inputs_are_not():
    assert {name for name, v in VARIABLES.items() if v.direction == "both"} == {
        name for name in VARIABLES if name.startswith("input_")
    }
    assert not VARIABLES["speed_slider_mask"].readable
    assert not VARIABLES["actual_q"].writable


def test_registers_have_their_ranges():
    for kind, numbers in (("bit", range(64, 128)), ("int", range(48)), ("double", range(48))):
        for side in ("input", "output"):
            prefix = f"{side}_{kind}_register_"
            have = {int(name.removeprefix(prefix)) for name in VARIABLES if name.startswith(prefix)}
            assert have == set(numbers), prefix


def test_every_variable_is_listed_once():
    assert len(VARIABLES) == 419
