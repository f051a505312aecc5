"""Documented functions that a virtual controller accepts without effect, or refuses, each with why."""

from collections.abc import Callable
from typing import Any, NoReturn

from openpendant.dialects.urscript import Builtin, ScriptFailure, documented
from openpendant.virtual.ur.parts import Parts

ACTIONS = "inputs act on nothing but programs"
FIELDBUS = "there is no fieldbus"
CONVEYOR = "there is no conveyor and no encoder"
DYNAMICS = "forces and moments are not computed"
INTERPRETER = "interpreter mode is missing"
LAMP = "there is no lamp"
MODBUS = "there is no Modbus"
NOBODY = "nobody answers on the primary interface"
OFFSET = "moves cannot be offset"
OUTPUTS = "outputs stay as programs set them"
SENSOR = "forces of an external sensor are taken note of, and move nothing"
TOOLPATH = "remote-TCP toolpaths are missing"

ACCEPTED: dict[str, str] = {
    "enable_external_ft_sensor": SENSOR,
    "ft_rtde_input_enable": SENSOR,
    "high_holding_torque_disable": "joints hold in any case",
    "high_holding_torque_enable": "joints hold in any case",
    "pause_on_error_code": "programs pause at protective stops only",
    "position_deviation_warning": "joints that deviate too far are a protective stop, without a warning before",
    "reset_world_model": "there is no world model",
    "set_base_acceleration": "the base stands still",
    "set_baselight_iec": LAMP,
    "set_baselight_off": LAMP,
    "set_baselight_solid": LAMP,
    "set_configurable_digital_input_action": ACTIONS,
    "set_gp_boolean_input_action": ACTIONS,
    "set_input_actions_to_default": ACTIONS,
    "set_runstate_configurable_digital_output_to_value": OUTPUTS,
    "set_runstate_gp_boolean_output_to_value": OUTPUTS,
    "set_runstate_standard_analog_output_to_value": OUTPUTS,
    "set_runstate_standard_digital_output_to_value": OUTPUTS,
    "set_runstate_tool_digital_output_to_value": OUTPUTS,
    "set_safety_mode_transition_hardness": "limits are the same in every safety mode",
    "set_standard_digital_input_action": ACTIONS,
    "set_tool_digital_input_action": ACTIONS,
    "tool_wrench_limit_disable": DYNAMICS,
    "tool_wrench_limit_set": DYNAMICS,
}
"""Functions whose calls do nothing; the pendant's log says why, once for each program."""

REFUSED: dict[str, str] = {
    "clear_interpreter": INTERPRETER,
    "conveyor_pulse_decode": CONVEYOR,
    "direct_torque": DYNAMICS,
    "encoder_enable_pulse_decode": CONVEYOR,
    "encoder_enable_set_tick_count": CONVEYOR,
    "encoder_get_tick_count": CONVEYOR,
    "encoder_set_tick_count": CONVEYOR,
    "encoder_unwind_delta_tick_count": CONVEYOR,
    "end_interpreter": INTERPRETER,
    "end_screw_driving": DYNAMICS,
    "estimate_payload": DYNAMICS,
    "get_conveyor_tick_count": CONVEYOR,
    "get_coriolis_and_centrifugal_torques": DYNAMICS,
    "get_euromap_input": FIELDBUS,
    "get_euromap_output": FIELDBUS,
    "get_last_executed_id": INTERPRETER,
    "get_mass_matrix": DYNAMICS,
    "get_unexecuted_count": INTERPRETER,
    "interpreter_mode": INTERPRETER,
    "mc_add_circular": TOOLPATH,
    "mc_add_linear": TOOLPATH,
    "mc_add_path": TOOLPATH,
    "mc_get_target_rtcp_speed": TOOLPATH,
    "mc_initialize": TOOLPATH,
    "mc_load_path": TOOLPATH,
    "mc_run_motion": TOOLPATH,
    "mc_set_pcs": TOOLPATH,
    "mc_set_speed_factor": TOOLPATH,
    "modbus_add_rtu_signal": MODBUS,
    "modbus_add_signal": MODBUS,
    "modbus_delete_signal": MODBUS,
    "modbus_get_signal_status": MODBUS,
    "modbus_send_custom_command": MODBUS,
    "modbus_set_digital_input_action": MODBUS,
    "modbus_set_output_register": MODBUS,
    "modbus_set_output_signal": MODBUS,
    "modbus_set_runstate_dependent_choice": MODBUS,
    "modbus_set_signal_update_frequency": MODBUS,
    "path_offset_disable": OFFSET,
    "path_offset_enable": OFFSET,
    "path_offset_get": OFFSET,
    "path_offset_set": OFFSET,
    "path_offset_set_alpha_filter": OFFSET,
    "path_offset_set_max_offset": OFFSET,
    "read_port_bit": FIELDBUS,
    "read_port_register": FIELDBUS,
    "request_boolean_from_primary_client": NOBODY,
    "request_float_from_primary_client": NOBODY,
    "request_integer_from_primary_client": NOBODY,
    "request_string_from_primary_client": NOBODY,
    "reset_revolution_counter": "the turns of a joint are counted from where it started",
    "rpc_factory": "XML-RPC is missing",
    "screw_driving": DYNAMICS,
    "set_conveyor_tick_count": CONVEYOR,
    "set_euromap_output": FIELDBUS,
    "skipbuffer": INTERPRETER,
    "stop_conveyor_tracking": CONVEYOR,
    "track_conveyor_circular": CONVEYOR,
    "track_conveyor_linear": CONVEYOR,
    "write_port_bit": FIELDBUS,
    "write_port_register": FIELDBUS,
}
"""Functions that programs may hold, but not call: a call ends the program with why."""


def functions_without_effect(parts: Parts) -> tuple[Builtin, ...]:
    """Return the functions that do nothing and those that only fail."""
    accepted = (documented(name, _accept(parts, name, why)) for name, why in ACCEPTED.items())
    refused = (documented(name, _refuse(name, why)) for name, why in REFUSED.items())
    return (*accepted, *refused)


def _accept(parts: Parts, name: str, why: str) -> Callable[..., None]:
    def accept(*_: Any) -> None:
        parts.note_once(name, f"{name} changes nothing on a virtual controller: {why}")

    return accept


def _refuse(name: str, why: str) -> Callable[..., NoReturn]:
    def refuse(*_: Any) -> NoReturn:
        raise ScriptFailure(f"Runtime error: {name} is refused by a virtual controller: {why}")

    return refuse
