"""Mathematics of single numbers (the manual, "Module urmath")."""

import math
from collections.abc import Callable
from typing import Any, cast

from openpendant.dialects.urscript.builtin import Builtin, Parameter
from openpendant.dialects.urscript.failures import ScriptFailure
from openpendant.dialects.urscript.operators import integer, power, wrap
from openpendant.dialects.urscript.values import is_list, type_name


def number(value: object, what: str) -> float:
    """Return a number as a float; fails with a type error."""
    if type(value) is float or type(value) is int:
        return float(value)
    raise ScriptFailure(f"Type error: {what} needs a number, not {type_name(value)}")


def numbers(value: Any, what: str, count: int = 0) -> list[float]:
    """Return a list or pose as floats, `count` of them where it is given; fails with a type error."""
    given = cast(tuple[Any, ...], value) if isinstance(value, tuple) else None
    if given is None or (count and len(given) != count):
        wanted = f"{count} numbers" if count else "numbers"
        raise ScriptFailure(f"Type error: {what} needs a list of {wanted}, not {type_name(cast(object, value))}")
    return [number(one, what) for one in given]


def _of_one(name: str, function: Callable[[float], float], parameter: str = "f") -> Builtin:
    def call(value: object) -> float:
        try:
            return function(number(value, name))
        except (ValueError, OverflowError) as wrong:
            raise ScriptFailure(f"Runtime error: {name}({value}) has no value") from wrong

    return Builtin(name, (Parameter(parameter),), call)


def _log(b: object, f: object) -> float:
    base, of = number(b, "log"), number(f, "log")
    if base <= 0 or of <= 0 or base == 1:
        raise ScriptFailure(f"Runtime error: log({base:g}, {of:g}) has no value")
    return math.log(of) / math.log(base)


def _whole_number(name: str, function: Callable[[float], int]) -> Builtin:
    def call(value: object) -> int | float:
        given = number(value, name)
        if not math.isfinite(given):
            raise ScriptFailure(f"Runtime error: {name}({given}) has no value")
        whole = function(given)
        return whole if -0x80000000 <= whole <= 0x7FFFFFFF else float(whole)

    return Builtin(name, (Parameter("f"),), call)


def _pow(base: Any, exponent: Any) -> float:
    number(base, "pow")
    number(exponent, "pow")
    return power(base, exponent)


def _atan2(x: object, y: object) -> float:
    return math.atan2(number(x, "atan2"), number(y, "atan2"))


def _integer_to_binary_list(x: object) -> tuple[bool, ...]:
    value = integer(x, "integer_to_binary_list")
    return tuple([bool(value >> bit & 1) for bit in range(32)])


def _binary_list_to_integer(bits: Any) -> int:
    if not is_list(bits):
        raise ScriptFailure(f"Type error: binary_list_to_integer needs a list, not {type_name(bits)}")
    value = 0
    for place, bit in enumerate(bits[:32]):
        if bit is not True and bit is not False:
            raise ScriptFailure(f"Type error: binary_list_to_integer needs bools, not {type_name(bit)}")
        value |= bit << place
    return wrap(value)


NUMBER_FUNCTIONS: tuple[Builtin, ...] = (
    _of_one("sin", math.sin),
    _of_one("cos", math.cos),
    _of_one("tan", math.tan),
    _of_one("asin", math.asin),
    _of_one("acos", math.acos),
    _of_one("atan", math.atan),
    _of_one("sqrt", math.sqrt),
    _of_one("d2r", math.radians, "d"),
    _of_one("r2d", math.degrees, "r"),
    _whole_number("floor", math.floor),
    _whole_number("ceil", math.ceil),
    Builtin(
        "atan2",
        (Parameter("x"), Parameter("y")),
        _atan2,
    ),
    Builtin("log", (Parameter("b"), Parameter("f")), _log),
    Builtin("pow", (Parameter("base"), Parameter("exponent")), _pow),
    Builtin("integer_to_binary_list", (Parameter("x"),), _integer_to_binary_list, cost=3),
    Builtin("binary_list_to_integer", (Parameter("l"),), _binary_list_to_integer),
)
