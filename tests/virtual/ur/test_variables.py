"""RTDE variables of the virtual controller: every one can be read and packed, and inputs act through their masks."""

import math

import pytest
from ur_brain import READY, make_brain, run, tick

from openpendant.errors import UnknownNameError
from openpendant.protocols.rtde import HEADER_SIZE, VARIABLES, Recipe
from openpendant.virtual.ur import UrController

READABLE = [name for name, variable in VARIABLES.items() if variable.readable]
WRITABLE = [name for name, variable in VARIABLES.items() if variable.writable]


@pytest.fixture
def brain() -> UrController:
    brain = make_brain()
    tick(brain, 10)
    return brain


def test_every_variable_is_read_with_the_size_of_its_type(brain: UrController):
    for name in READABLE:
        value = brain.read(name)
        count = VARIABLES[name].type.count
        assert (len(value) if isinstance(value, tuple) else 1) == count, name


def test_a_compiled_reader_gives_what_read_gives_and_packs(brain: UrController):
    flat = brain.compile_reader(READABLE)()
    expected: list[object] = []
    for name in READABLE:
        value = brain.read(name)
        expected += value if isinstance(value, tuple) else [value]
    assert list(flat) == expected
    recipe = Recipe(1, READABLE, [VARIABLES[name].type for name in READABLE])
    assert recipe.unpack(recipe.pack(flat)[HEADER_SIZE:]) == pytest.approx(flat)


def test_readers_see_the_newest_tick(brain: UrController):
    read = brain.compile_reader(["timestamp", "control_step"])
    first = read()
    brain.tick()
    assert read() == (pytest.approx(first[0] + 0.002, abs=1e-12), first[1] + 1)
    assert brain.compile_reader(["timestamp"])() == (read()[0],)
    assert brain.compile_reader([])() == ()


def test_unknown_names_are_refused(brain: UrController):
    with pytest.raises(UnknownNameError, match="actual_q"):
        brain.read("actual_qq")
    with pytest.raises(UnknownNameError):
        brain.compile_reader(["timestamp", "nothing"])
    with pytest.raises(UnknownNameError):
        brain.compile_writer(["actual_q"])
    with pytest.raises(UnknownNameError):
        brain.write_input("output_int_register_0", 1)


def test_every_input_can_be_written(brain: UrController):
    for name in WRITABLE:
        count = VARIABLES[name].type.count
        brain.write_input(name, 1 if count == 1 else (0.0,) * count)


def test_registers_are_read_back_and_seen_by_programs(brain: UrController):
    write = brain.compile_writer(
        ["input_int_register_3", "input_double_register_47", "input_bit_register_70", "input_bit_registers0_to_31"]
    )
    write((-7, 2.5, True, 0b1010))
    assert brain.read("input_int_register_3") == -7
    assert brain.read("input_double_register_47") == 2.5
    assert brain.read("input_bit_register_70") is True
    assert brain.read("input_bit_registers0_to_31") == 0b1010
    run(
        brain,
        """
        write_output_integer_register(5, read_input_integer_register(3))
        write_output_float_register(6, read_input_float_register(47))
        write_output_boolean_register(2, read_input_boolean_register(1))
        write_output_boolean_register(127, read_input_boolean_register(70))
        write_output_integer_register(7, read_output_integer_register(5) + 1)
        """,
    )
    assert brain.read("output_int_register_5") == -7
    assert brain.read("output_int_register_7") == -6
    assert brain.read("output_double_register_6") == 2.5
    assert brain.read("output_bit_registers0_to_31") == 0b100
    assert brain.read("output_bit_register_127") is True


def test_digital_outputs_follow_mask_and_value(brain: UrController):
    standard = brain.compile_writer(["standard_digital_output_mask", "standard_digital_output"])
    standard((0b0000_0110, 0b1111_1111))
    assert brain.read("actual_digital_output_bits") == 0b110
    standard((0b0000_0010, 0))
    assert brain.read("actual_digital_output_bits") == 0b100
    brain.compile_writer(["configurable_digital_output_mask", "configurable_digital_output"])((1, 1))
    brain.compile_writer(["tool_digital_output_mask", "tool_digital_output"])((0b11, 0b10))
    assert brain.read("actual_digital_output_bits") == 1 << 17 | 1 << 8 | 0b100
    assert brain.read("actual_configurable_digital_output_bits") == 1


def test_analogue_outputs_in_volts_and_amperes(brain: UrController):
    names = ["standard_analog_output_mask", "standard_analog_output_type"]
    write = brain.compile_writer([*names, "standard_analog_output_0", "standard_analog_output_1"])
    write((0b11, 0b01, 0.25, 0.5))
    assert brain.read("standard_analog_output0") == pytest.approx(2.5)
    assert brain.read("standard_analog_output1") == pytest.approx(0.012)
    assert brain.read("analog_io_types") == 0b0111
    write((0b10, 0b10, 0.9, 1.0))
    assert brain.read("standard_analog_output0") == pytest.approx(2.5)
    assert brain.read("standard_analog_output1") == pytest.approx(10.0)
    write((0b01, 0b01, math.nan, 0.0))
    assert brain.read("standard_analog_output0") == pytest.approx(2.5)


def test_speed_slider_over_rtde(brain: UrController):
    write = brain.compile_writer(["speed_slider_mask", "speed_slider_fraction"])
    write((0, 0.3))
    assert brain.read("target_speed_fraction") == 1.0
    write((1, 0.3))
    assert brain.read("target_speed_fraction") == 0.3
    tick(brain, 150)
    assert brain.read("speed_scaling") == pytest.approx(0.3)
    write((1, 7.0))
    assert brain.read("target_speed_fraction") == 1.0


def test_state_of_an_arm_at_rest(brain: UrController):
    assert brain.read("actual_q") == pytest.approx(READY)
    assert brain.read("target_q") == pytest.approx(READY)
    assert brain.read("target_moment")[1] != 0.0
    assert brain.read("actual_tool_accelerometer") != (0.0, 0.0, 0.0)
    assert sum(value**2 for value in brain.read("actual_tool_accelerometer")) ** 0.5 == pytest.approx(9.82)
    assert brain.read("actual_main_voltage") == 48.0
    assert brain.read("actual_joint_voltage") == (48.0,) * 6
    assert brain.read("payload") == 0.0
    assert brain.read("actual_robot_current") > 0.35


def test_the_packets_of_the_other_interfaces_can_be_encoded(brain: UrController):
    from openpendant.protocols.ur_primary import decode_real_time, encode_real_time, encode_robot_state

    fields = decode_real_time(encode_real_time(brain.realtime_state()))
    assert fields["time"] == brain.timestamp
    assert fields["q_actual"] == pytest.approx(READY)
    assert fields["program_state"] == brain.read("runtime_state")
    assert fields["safety_status"] == 1
    complete, usual = brain.primary_state(), brain.primary_state(complete=False)
    assert len(encode_robot_state(complete)) > len(encode_robot_state(usual))
