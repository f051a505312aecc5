"""Registers as programs see them, and rtde_set_watchdog."""

from typing import Any

from openpendant.dialects.urscript import Builtin, ScriptFailure
from openpendant.protocols.rtde import VARIABLES
from openpendant.virtual.ur.parts import Parts
from openpendant.virtual.ur.registers import BITS, NUMBERS, check

from .arguments import boolean, count, function, number, text


class _RegisterFunctions:
    """The functions; one object per controller."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._outputs = parts.registers.outputs

    def write_bit(self, address: Any, value: Any) -> None:
        """write_output_boolean_register."""
        self._outputs.set_bit(count(address, "register address"), boolean(value, "register value"))

    def write_integer(self, address: Any, value: Any) -> None:
        """write_output_integer_register; a float loses its part behind the point."""
        self._outputs.set_integer(count(address, "register address"), int(number(value, "register value")))

    def write_float(self, address: Any, value: Any) -> None:
        """write_output_float_register."""
        self._outputs.set_float(count(address, "register address"), number(value, "register value"))

    def watch(self, name: Any, frequency: Any, action: Any) -> None:
        """rtde_set_watchdog."""
        variable = text(name, "rtde_set_watchdog: variable_name")
        known = VARIABLES.get(variable)
        if known is None or not known.writable:
            raise ScriptFailure(f"Runtime error: rtde_set_watchdog: {variable!r} is not an RTDE input variable")
        self._parts.watchdogs.set(
            variable,
            number(frequency, "rtde_set_watchdog: min_frequency"),
            text(action, "rtde_set_watchdog: action"),
        )


def register_functions(parts: Parts) -> tuple[Builtin, ...]:
    """Return the functions of registers."""
    own = _RegisterFunctions(parts)
    readers: list[Builtin] = []
    for side, bank in (("input", parts.registers.inputs), ("output", parts.registers.outputs)):
        readers += [
            function(f"read_{side}_boolean_register", _reader(bank.bits, BITS, "boolean"), "address"),
            function(f"read_{side}_integer_register", _reader(bank.integers, NUMBERS, "integer"), "address"),
            function(f"read_{side}_float_register", _reader(bank.floats, NUMBERS, "float"), "address"),
        ]
    return (
        *readers,
        function("write_output_boolean_register", own.write_bit, "address", "value"),
        function("write_output_integer_register", own.write_integer, "address", "value"),
        function("write_output_float_register", own.write_float, "address", "value"),
        function("rtde_set_watchdog", own.watch, "variable_name", "min_frequency", ("action", "pause")),
    )


def _reader(cells: list[Any], size: int, kind: str) -> Any:
    def read(address: Any) -> Any:
        # Programs read registers thousands of times a second: the usual case first.
        if type(address) is int and 0 <= address < size:
            return cells[address]
        return cells[check(count(address, "register address"), size, kind)]

    return read
