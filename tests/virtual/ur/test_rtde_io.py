"""RTDEIOInterface of ur_rtde, unmodified, on a virtual UR3e: every call."""

from collections.abc import Iterator

import pytest
from rtde_io import RTDEIOInterface
from rtde_receive import RTDEReceiveInterface
from waiting import wait_until

from openpendant.virtual.launch import VirtualHandle, start_virtual

ON, OFF = True, False


@pytest.fixture(scope="module")
def robot() -> Iterator[VirtualHandle]:
    with start_virtual("ur3e", "127.0.11.20") as robot:
        yield robot


@pytest.fixture(scope="module")
def io(robot: VirtualHandle) -> Iterator[RTDEIOInterface]:
    io = RTDEIOInterface(robot.address)
    yield io
    io.disconnect()


@pytest.fixture(scope="module")
def receive(robot: VirtualHandle) -> Iterator[RTDEReceiveInterface]:
    receive = RTDEReceiveInterface(robot.address)
    yield receive
    receive.disconnect()


@pytest.mark.parametrize("index", range(8))
def test_standard_outputs(io: RTDEIOInterface, receive: RTDEReceiveInterface, index: int):
    assert io.setStandardDigitalOut(index, ON)
    wait_until(lambda: receive.getDigitalOutState(index), f"output {index} on")
    assert io.setStandardDigitalOut(index, OFF)
    wait_until(lambda: not receive.getDigitalOutState(index), f"output {index} off")


@pytest.mark.parametrize("index", range(8))
def test_configurable_outputs(io: RTDEIOInterface, receive: RTDEReceiveInterface, index: int):
    assert io.setConfigurableDigitalOut(index, ON)
    wait_until(lambda: receive.getDigitalOutState(8 + index), f"configurable output {index} on")
    assert io.setConfigurableDigitalOut(index, OFF)
    wait_until(lambda: not receive.getDigitalOutState(8 + index), f"configurable output {index} off")


@pytest.mark.parametrize("index", range(2))
def test_tool_outputs(io: RTDEIOInterface, receive: RTDEReceiveInterface, index: int):
    assert io.setToolDigitalOut(index, ON)
    wait_until(lambda: receive.getDigitalOutState(16 + index), f"tool output {index} on")
    assert io.setToolDigitalOut(index, OFF)
    wait_until(lambda: not receive.getDigitalOutState(16 + index), f"tool output {index} off")


def test_several_outputs_do_not_disturb_each_other(io: RTDEIOInterface, receive: RTDEReceiveInterface):
    for index in (1, 4, 6):
        io.setStandardDigitalOut(index, ON)
    wait_until(lambda: receive.getActualDigitalOutputBits() & 0xFF == 0b01010010, "three outputs")
    for index in (1, 4, 6):
        io.setStandardDigitalOut(index, OFF)


def test_analog_outputs(io: RTDEIOInterface, receive: RTDEReceiveInterface):
    assert io.setAnalogOutputVoltage(0, 0.5)
    wait_until(lambda: receive.getStandardAnalogOutput0() == pytest.approx(5.0, abs=1e-6), "5 V")
    assert io.setAnalogOutputCurrent(1, 0.25)
    wait_until(lambda: receive.getStandardAnalogOutput1() == pytest.approx(0.008, abs=1e-6), "8 mA")


def test_the_speed_slider(io: RTDEIOInterface, receive: RTDEReceiveInterface):
    assert io.setSpeedSlider(0.3)
    wait_until(lambda: receive.getTargetSpeedFraction() == pytest.approx(0.3), "30 %")
    assert io.setSpeedSlider(1.0)
    wait_until(lambda: receive.getTargetSpeedFraction() == pytest.approx(1.0), "100 %")


@pytest.mark.parametrize("register", range(18, 23))
def test_input_registers(robot: VirtualHandle, io: RTDEIOInterface, register: int):
    whole, real = f"input_int_register_{register}", f"input_double_register_{register}"
    assert io.setInputIntRegister(register, -register)
    assert io.setInputDoubleRegister(register, register / 4)
    wait_until(lambda: robot.read(whole, real) == {whole: -register, real: register / 4}, f"registers {register}")


def test_a_second_writer_is_refused(io: RTDEIOInterface, robot: VirtualHandle):
    assert io.isConnected()
    with pytest.raises(RuntimeError, match=r"(?i)in.use"):
        RTDEIOInterface(robot.address)


def test_upper_range_registers_and_inputs_that_become_free():
    name = "input_int_register_42"
    with start_virtual("ur3e", "127.0.11.21") as robot:
        upper = RTDEIOInterface(robot.address, OFF, ON)
        assert upper.setInputIntRegister(42, 5)
        wait_until(lambda: robot.read(name)[name] == 5, "register 42")
        with pytest.raises(RuntimeError, match=r"(?i)in.use"):
            RTDEIOInterface(robot.address)
        upper.disconnect()
        assert not upper.isConnected()
        assert upper.reconnect()
        assert upper.setInputIntRegister(42, 6)
        wait_until(lambda: robot.read(name)[name] == 6, "register 42 again")
        upper.disconnect()
