"""Io: every wire in and out of the box and the tool."""

import math
from dataclasses import dataclass

from openpendant.errors import InputError

STANDARD = 0
CONFIGURABLE = 8
TOOL = 16
"""Where each kind of digital wire begins in the 64-bit words."""
COUNTS = {STANDARD: 8, CONFIGURABLE: 8, TOOL: 2}


@dataclass(frozen=True)
class ToolSerial:
    """How the serial line of the tool flange is set; no device is at its end."""

    enabled: bool = False
    baud_rate: int = 115200
    parity: int = 0
    stop_bits: int = 1
    rx_idle_chars: float = 1.5
    tx_idle_chars: float = 3.5


class Io:
    """Digital words and analogue values. Analogue: volts, or amperes where the wire is set to current."""

    def __init__(self) -> None:
        self.inputs = 0
        self.outputs = 0
        self.analog_in = [0.0, 0.0]
        self.analog_in_voltage = [True, True]
        self.analog_out_part = [0.0, 0.0]
        """Part of the range, 0 to 1."""
        self.analog_out_voltage = [False, False]
        self.tool_analog_in = [0.0, 0.0]
        self.tool_analog_in_voltage = [True, True]
        self.tool_voltage = 0
        """Volts at the tool connector: 0, 12 or 24."""
        self.tool_serial = ToolSerial()
        self.tool_output_mode = 0
        self.tool_digital_output_mode = [0, 0]
        self.changed = True
        """Set with every change, cleared by whoever copies the values."""

    def get_input(self, kind: int, number: int) -> bool:
        """Return a digital input, counted within its kind."""
        return bool(self.inputs >> self._bit(kind, number) & 1)

    def get_output(self, kind: int, number: int) -> bool:
        """Return a digital output, counted within its kind."""
        return bool(self.outputs >> self._bit(kind, number) & 1)

    def set_input(self, kind: int, number: int, value: bool) -> None:
        """Set a digital input, as the world outside would."""
        bit = self._bit(kind, number)
        self.inputs = self.inputs & ~(1 << bit) | int(value) << bit
        self.changed = True

    def set_output(self, kind: int, number: int, value: bool) -> None:
        """Set a digital output."""
        bit = self._bit(kind, number)
        self.outputs = self.outputs & ~(1 << bit) | int(value) << bit
        self.changed = True

    def set_outputs(self, kind: int, mask: int, values: int) -> None:
        """Set the outputs of a kind whose bits are in the mask."""
        mask &= (1 << COUNTS[kind]) - 1
        self.outputs = self.outputs & ~(mask << kind) | (values & mask) << kind
        self.changed = True

    def set_analog_out(self, number: int, part: float) -> None:
        """Set an analogue output to a part of its range, 0 to 1."""
        if not math.isfinite(part):
            raise InputError(f"analogue output {number} cannot be {part}; allowed: 0 to 1")
        self.analog_out_part[self._analog(number)] = min(max(part, 0.0), 1.0)
        self.changed = True

    def set_analog_out_domain(self, number: int, voltage: bool) -> None:
        """Choose between current (4 … 20 mA) and voltage (0 … 10 V)."""
        self.analog_out_voltage[self._analog(number)] = voltage
        self.changed = True

    def analog_out(self, number: int) -> float:
        """Return an analogue output in volts or amperes."""
        part = self.analog_out_part[self._analog(number)]
        return 10.0 * part if self.analog_out_voltage[number] else 0.004 + 0.016 * part

    def set_analog_in(self, number: int, value: float) -> None:
        """Set an analogue input in volts or amperes, as the world outside would."""
        if not math.isfinite(value):
            raise InputError(f"analogue input {number} cannot be {value}; allowed: finite volts or amperes")
        self.analog_in[self._analog(number)] = value
        self.changed = True

    def set_tool_analog_in(self, number: int, value: float) -> None:
        """Set an analogue input of the tool in volts or amperes."""
        if not math.isfinite(value):
            raise InputError(f"analogue input {number} of the tool cannot be {value}; allowed: finite numbers")
        self.tool_analog_in[self._analog(number)] = value
        self.changed = True

    def analog_in_part(self, number: int) -> float:
        """Return an analogue input as part of its range, as URScript reads it."""
        value = self.analog_in[self._analog(number)]
        return value / 10.0 if self.analog_in_voltage[number] else (value - 0.004) / 0.016

    @property
    def analog_types(self) -> int:
        """Bits: inputs 0 and 1, outputs 0 and 1; set where it is a voltage."""
        kinds = (*self.analog_in_voltage, *self.analog_out_voltage)
        return sum(int(voltage) << bit for bit, voltage in enumerate(kinds))

    @property
    def tool_analog_types(self) -> int:
        """Bits: tool inputs 0 and 1; set where it is a voltage."""
        return sum(int(voltage) << bit for bit, voltage in enumerate(self.tool_analog_in_voltage))

    @staticmethod
    def _bit(kind: int, number: int) -> int:
        if not 0 <= number < COUNTS[kind]:
            raise InputError(f"there is no digital wire {number} of that kind; allowed: 0 to {COUNTS[kind] - 1}")
        return kind + number

    @staticmethod
    def _analog(number: int) -> int:
        if number not in (0, 1):
            raise InputError(f"there is no analogue wire {number}; allowed: 0 or 1")
        return number
