"""The masterboard's sub-package of the robot state: its layout depends on whether a Euromap 67 interface is there."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from .framer import encode_message
from .layout import Layout
from .state import StatePackage


@dataclass(frozen=True, slots=True)
class Euromap67:
    """State of the interface to injection moulding machines."""

    input_bits: int
    output_bits: int
    voltage_24v: float
    current: float


_EUROMAP = Layout("I", "I", "f", "f")
_TAIL = Layout("I", "B", "B", "B")


@dataclass(frozen=True, slots=True)
class MasterboardInfo(StatePackage):
    """Inputs, outputs, supply and safety of the control box. Bits: 0-7 standard, 8-15 configurable, 16-17 tool."""

    digital_input_bits: int
    digital_output_bits: int
    analog_input_range: tuple[int, int]
    analog_input: tuple[float, float]
    analog_output_domain: tuple[int, int]
    analog_output: tuple[float, float]
    temperature: float
    robot_voltage_48v: float
    robot_current: float
    io_current: float
    safety_mode: int
    reduced_mode: int
    euromap67: Euromap67 | None = None
    reserved: int = 0
    operational_mode_selector: int = 0
    three_position_device: int = 0
    reserved_2: int = 0
    TYPE: ClassVar[int] = 3
    LAYOUT: ClassVar[Layout] = Layout("I", "I", "2B", "2d", "2B", "2d", "f", "f", "f", "f", "B", "B", "B")

    def encode(self) -> bytes:
        """Return the whole sub-package."""
        what = "MasterboardInfo"
        head = (
            self.digital_input_bits,
            self.digital_output_bits,
            self.analog_input_range,
            self.analog_input,
            self.analog_output_domain,
            self.analog_output,
            self.temperature,
            self.robot_voltage_48v,
            self.robot_current,
            self.io_current,
            self.safety_mode,
            self.reduced_mode,
            int(self.euromap67 is not None),
        )
        tail = (self.reserved, self.operational_mode_selector, self.three_position_device, self.reserved_2)
        body = self.LAYOUT.pack(what, head)
        if (e := self.euromap67) is not None:
            body += _EUROMAP.pack(what, (e.input_bits, e.output_bits, e.voltage_24v, e.current))
        return encode_message(self.TYPE, body + _TAIL.pack(what, tail))

    @classmethod
    def decode(cls, payload: bytes) -> Self:
        """Read the bytes after the 5-byte header. Raises ProtocolError when there are too few."""
        what = "MasterboardInfo"
        head = cls.LAYOUT.unpack(what, payload)
        rest = payload[cls.LAYOUT.size :]
        euromap = None
        if head[-1]:
            euromap = Euromap67(*_EUROMAP.unpack(what, rest))
            rest = rest[_EUROMAP.size :]
        values: tuple[Any, ...] = (*head[:-1], euromap, *_TAIL.unpack(what, rest))
        return cls(*values)
