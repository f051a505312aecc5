"""Inputs and outputs as programs and the world see them."""

import pytest
from ur_brain import failure, make_brain, run, words

from openpendant.errors import InputError, UnknownNameError


def test_every_kind_of_digital_output():
    brain = make_brain()
    told = run(
        brain,
        """
        set_standard_digital_out(1, True)
        set_configurable_digital_out(2, True)
        set_tool_digital_out(0, True)
        set_digital_out(9, True)
        textmsg(get_standard_digital_out(1), get_standard_digital_out(2))
        textmsg(get_configurable_digital_out(2), get_tool_digital_out(0))
        textmsg(get_digital_out(9), get_digital_out(0))
        set_standard_digital_out(1, False)
        """,
    )
    assert words(told) == ["TrueFalse", "TrueTrue", "TrueFalse"]
    assert brain.read("actual_digital_output_bits") == 1 << 10 | 1 << 16 | 1 << 17


def test_every_kind_of_digital_input():
    brain = make_brain()
    brain.set_input("standard_digital_3", value=True)
    brain.set_input("configurable_digital_7", value=True)
    brain.set_input("tool_digital_1", value=True)
    assert brain.read("actual_digital_input_bits") == 1 << 3 | 1 << 15 | 1 << 17
    told = run(
        brain,
        """
        textmsg(get_standard_digital_in(3), get_standard_digital_in(4))
        textmsg(get_configurable_digital_in(7), get_tool_digital_in(1))
        textmsg(get_digital_in(9), get_digital_in(8))
        """,
    )
    assert words(told) == ["TrueFalse", "TrueTrue", "TrueFalse"]
    brain.set_input("standard_digital_3", value=False)
    assert brain.read("actual_digital_input_bits") == 1 << 15 | 1 << 17


def test_analogue_wires():
    brain = make_brain()
    brain.set_input("analog_0", 5.0)
    brain.set_input("tool_analog_1", 2.5)
    told = run(
        brain,
        """
        textmsg(get_standard_analog_in(0))
        textmsg(get_tool_analog_in(1))
        set_analog_outputdomain(0, 1)
        set_standard_analog_out(0, 0.75)
        set_standard_analog_out(1, 0.5)
        textmsg(get_standard_analog_out(0))
        set_standard_analog_input_domain(1, 0)
        set_tool_analog_input_domain(0, 0)
        set_tool_voltage(24)
        """,
    )
    assert words(told) == ["0.5", "0.25", "0.75"]
    assert brain.read("standard_analog_input0") == 5.0
    assert brain.read("tool_analog_input1") == 2.5
    assert brain.read("standard_analog_output0") == pytest.approx(7.5)
    assert brain.read("standard_analog_output1") == pytest.approx(0.012)
    assert brain.read("analog_io_types") == 0b0101
    assert brain.read("tool_analog_input_types") == 0b10
    assert brain.read("tool_output_voltage") == 24


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("set_standard_digital_out(8, True)", "0 to 7"),
        ("set_tool_digital_out(2, True)", "0 to 1"),
        ("set_standard_analog_out(2, 0.5)", "0 or 1"),
        ("set_tool_voltage(5)", "0, 12 or 24"),
        ('set_standard_digital_out("a", True)', "integer"),
        ("get_tool_analog_in(4)", "0 or 1"),
        ("write_output_integer_register(48, 1)", "0 to 47"),
        ("write_output_integer_register(0, 3000000000)", "integer register"),
        ("read_input_float_register(-1)", "0 to 47"),
        ("write_output_boolean_register(128, True)", "0 to 127"),
        ("set_flag(64, True)", "0 to 63"),
    ],
)
def test_wires_that_do_not_exist_are_runtime_errors(call: str, said: str):
    assert said in failure(make_brain(), call)


def test_flags_keep_their_values():
    assert words(run(make_brain(), "set_flag(3, True)\ntextmsg(get_flag(3), get_flag(4))")) == ["TrueFalse"]


def test_inputs_of_the_world_are_checked():
    brain = make_brain()
    with pytest.raises(InputError):
        brain.set_input("standard_digital_9", value=True)
    with pytest.raises(InputError):
        brain.set_input("analog_0", float("nan"))
    with pytest.raises(UnknownNameError):
        brain.set_input("doorbell_1", value=True)
