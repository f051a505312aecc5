"""set_digital_out, get_analog_in and their like."""

from collections.abc import Callable
from typing import Any

from openpendant.dialects.urscript import Builtin, ScriptFailure
from openpendant.virtual.ur.io import CONFIGURABLE, STANDARD, TOOL, ToolSerial
from openpendant.virtual.ur.parts import Parts

from .arguments import boolean, count, function, number

BAUD_RATES = (9600, 19200, 38400, 57600, 115200, 1000000, 2000000, 5000000)
KINDS = (("standard", STANDARD), ("configurable", CONFIGURABLE), ("tool", TOOL))


class _Wires:
    """The functions; one object per controller."""

    def __init__(self, parts: Parts) -> None:
        self._io = parts.io

    def setter(self, kind: int) -> Callable[[Any, Any], None]:
        """Return the function that sets an output of a kind."""
        return lambda n, b: self._io.set_output(kind, count(n, "output number"), boolean(b, "output value"))

    def output(self, kind: int) -> Callable[[Any], bool]:
        """Return the function that reads an output of a kind."""
        return lambda n: self._io.get_output(kind, count(n, "output number"))

    def input(self, kind: int) -> Callable[[Any], bool]:
        """Return the function that reads an input of a kind."""
        return lambda n: self._io.get_input(kind, count(n, "input number"))

    def set_old(self, n: Any, b: Any) -> None:
        """set_digital_out: 0 to 7 standard, 8 and 9 tool."""
        self._io.set_output(*_old(n), boolean(b, "output value"))

    def old_output(self, n: Any) -> bool:
        """get_digital_out."""
        return self._io.get_output(*_old(n))

    def old_input(self, n: Any) -> bool:
        """get_digital_in."""
        return self._io.get_input(*_old(n))

    def set_analog(self, n: Any, f: Any) -> None:
        """set_standard_analog_out: part of the range."""
        self._io.set_analog_out(count(n, "output number"), number(f, "output value"))

    def analog_out(self, n: Any) -> float:
        """get_standard_analog_out."""
        which = count(n, "output number")
        self._io.analog_out(which)
        return self._io.analog_out_part[which]

    def analog_in(self, n: Any) -> float:
        """get_standard_analog_in: part of the range."""
        return self._io.analog_in_part(count(n, "input number"))

    def tool_analog_in(self, n: Any) -> float:
        """get_tool_analog_in: part of the range."""
        which = count(n, "input number")
        if which not in (0, 1):
            raise ScriptFailure(f"Runtime error: there is no tool analog input {which}; allowed: 0 or 1")
        value = self._io.tool_analog_in[which]
        return value / 10.0 if self._io.tool_analog_in_voltage[which] else (value - 0.004) / 0.016

    def out_domain(self, n: Any, domain: Any) -> None:
        """set_analog_outputdomain: 0 current, 1 voltage."""
        self._io.set_analog_out_domain(count(n, "port"), voltage=count(domain, "domain") != 0)

    def in_domain(self, n: Any, domain: Any) -> None:
        """set_standard_analog_input_domain: 0 current, 1 voltage."""
        which = count(n, "port")
        if which in (2, 3):
            self._io.tool_analog_in_voltage[which - 2] = count(domain, "domain") != 0
        else:
            self._io.analog_in_part(which)
            self._io.analog_in_voltage[which] = count(domain, "domain") != 0

    def tool_in_domain(self, n: Any, domain: Any) -> None:
        """set_tool_analog_input_domain: 0 current, 1 voltage."""
        which = count(n, "port")
        if which not in (0, 1):
            raise ScriptFailure(f"Runtime error: there is no tool analog input {which}; allowed: 0 or 1")
        self._io.tool_analog_in_voltage[which] = count(domain, "domain") != 0

    def tool_voltage(self, voltage: Any) -> None:
        """set_tool_voltage: 0, 12 or 24 V."""
        value = count(voltage, "set_tool_voltage: voltage")
        if value not in (0, 12, 24):
            raise ScriptFailure(f"Runtime error: set_tool_voltage({value}); allowed: 0, 12 or 24")
        self._io.tool_voltage = value

    def tool_output_mode(self, mode: Any) -> None:
        """set_tool_output_mode: 0 digital, 1 power."""
        self._io.tool_output_mode = count(mode, "set_tool_output_mode: mode") & 1

    def tool_digital_mode(self, n: Any, mode: Any) -> None:
        """set_tool_digital_output_mode: 1 sinking, 2 sourcing, 3 push/pull."""
        which = count(n, "set_tool_digital_output_mode: n")
        if which not in (0, 1):
            raise ScriptFailure(f"Runtime error: there is no tool output {which}; allowed: 0 or 1")
        self._io.tool_digital_output_mode[which] = count(mode, "set_tool_digital_output_mode: mode") & 3

    def get_tool_digital_mode(self, n: Any) -> int:
        """get_tool_digital_output_mode."""
        which = count(n, "get_tool_digital_output_mode: n")
        if which not in (0, 1):
            raise ScriptFailure(f"Runtime error: there is no tool output {which}; allowed: 0 or 1")
        return self._io.tool_digital_output_mode[which]

    def tool_serial(self, enabled: Any, baud: Any, parity: Any, stop: Any, rx: Any, tx: Any) -> None:
        """set_tool_communication: what the primary interface then reports of the line."""
        rate, kind, bits = (
            count(one, f"set_tool_communication: {what}")
            for one, what in zip((baud, parity, stop), ("baud_rate", "parity", "stop_bits"), strict=True)
        )
        idle = [number(one, "set_tool_communication: idle characters") for one in (rx, tx)]
        if rate not in BAUD_RATES or kind not in (0, 1, 2) or bits not in (1, 2):
            raise ScriptFailure(
                f"Runtime error: set_tool_communication with {rate} baud, parity {kind}, {bits} stop bits; allowed: "
                f"{', '.join(map(str, BAUD_RATES))} baud, parity 0, 1 or 2, and 1 or 2 stop bits"
            )
        if not 1.0 <= idle[0] <= 40.0 or not 0.0 <= idle[1] <= 40.0:
            raise ScriptFailure(
                f"Runtime error: set_tool_communication with {idle[0]:g} and {idle[1]:g} idle characters; allowed: "
                "1 to 40 and 0 to 40"
            )
        on = boolean(enabled, "set_tool_communication: enabled")
        self._io.tool_serial = ToolSerial(on, rate, kind, bits, *idle)


def _old(n: Any) -> tuple[int, int]:
    which = count(n, "wire number")
    return (TOOL, which - 8) if which in (8, 9) else (STANDARD, which)


def io_functions(parts: Parts) -> tuple[Builtin, ...]:
    """Return the functions of inputs and outputs."""
    own = _Wires(parts)
    digital: list[Builtin] = []
    for name, kind in KINDS:
        digital += [
            function(f"set_{name}_digital_out", own.setter(kind), "n", "b"),
            function(f"get_{name}_digital_out", own.output(kind), "n"),
            function(f"get_{name}_digital_in", own.input(kind), "n"),
        ]
    return (
        *digital,
        function("set_digital_out", own.set_old, "n", "b"),
        function("get_digital_out", own.old_output, "n"),
        function("get_digital_in", own.old_input, "n"),
        function("set_standard_analog_out", own.set_analog, "n", "f"),
        function("set_analog_out", own.set_analog, "n", "f"),
        function("get_standard_analog_out", own.analog_out, "n"),
        function("get_analog_out", own.analog_out, "n"),
        function("get_standard_analog_in", own.analog_in, "n"),
        function("get_analog_in", own.analog_in, "n"),
        function("get_tool_analog_in", own.tool_analog_in, "n"),
        function("set_analog_outputdomain", own.out_domain, "port", "domain"),
        function("set_analog_inputrange", own.in_domain, "port", "range"),
        function("set_standard_analog_input_domain", own.in_domain, "port", "domain"),
        function("set_tool_analog_input_domain", own.tool_in_domain, "port", "domain"),
        function("set_tool_voltage", own.tool_voltage, "voltage"),
        function("set_tool_output_mode", own.tool_output_mode, "mode"),
        function("set_tool_digital_output_mode", own.tool_digital_mode, "n", "mode"),
        function("get_tool_output_mode", lambda: parts.io.tool_output_mode),
        function("get_tool_digital_output_mode", own.get_tool_digital_mode, "n"),
        function(
            "set_tool_communication",
            own.tool_serial,
            "enabled",
            "baud_rate",
            "parity",
            "stop_bits",
            "rx_idle_chars",
            "tx_idle_chars",
        ),
    )
