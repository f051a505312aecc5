"""What the operators, indices and members of URScript do to values.

`make_operators` gives the functions that generated code calls. Work that grows with the length of lists is charged to
the meter, so that no product of matrices can take a frame longer than its budget.
"""

import math
from collections.abc import Callable
from operator import add, ge, gt, le, lt, mul, sub
from typing import Any, cast

from openpendant.dialects.core import Meter

from .failures import ScriptFailure
from .values import LONGEST_STRING, Growing, MemberName, ScriptPose, Struct, Value, is_list, type_name, weight

Number = float | int
LARGEST_PRODUCT = 5_000
"""Multiplications in one product of matrices."""
ELEMENTS_PER_STEP = 16


def size_cost(*values: Any) -> int:
    """Return the steps that going through all elements takes."""
    count = 0
    for value in values:
        if is_list(value):
            count += len(value) * (len(value[0]) if value and is_list(value[0]) else 1)
        elif isinstance(value, Struct):
            count += weight(value)
    return count // ELEMENTS_PER_STEP


def metered(meter: Meter, function: Callable[..., Any], cost: Callable[..., int] = size_cost) -> Callable[..., Any]:
    """Return a function that charges what its arguments cost."""

    def call(*arguments: Any) -> Any:
        meter.left -= cost(*arguments)
        return function(*arguments)

    return call


def wrap(value: int) -> int:
    """Return an integer as 32 bits hold it."""
    return (value + 0x80000000 & 0xFFFFFFFF) - 0x80000000


def integer(value: object, what: str) -> int:
    """Return a whole number as an int; fails with a type error."""
    if type(value) is int:
        return value
    if type(value) is float and value.is_integer():
        return int(value)
    raise ScriptFailure(f"Type error: {what} must be an integer, not {type_name(value)}")


def _unsupported(operator: str, a: object, b: object) -> ScriptFailure:
    return ScriptFailure(f"Type error: unsupported operand types for {operator}: {type_name(a)} and {type_name(b)}")


def _divide(a: Number, b: Number) -> float:
    if b == 0:
        raise ScriptFailure("Runtime error: division by zero")
    return a / b


def _remainder(a: Number, b: Number) -> Number:
    if b == 0:
        raise ScriptFailure("Runtime error: division by zero")
    # As in C: the sign is that of the first operand.
    if type(a) is int and type(b) is int:
        rest = abs(a) % abs(b)
        return -rest if a < 0 else rest
    if math.isinf(a):
        return math.nan
    return math.fmod(a, b)


def power(a: Number, b: Number) -> Number:
    """Return a to the power of b; fails where that is not a real number or too large."""
    try:
        result: Any = float(a) ** float(b)
    except (OverflowError, ZeroDivisionError) as wrong:
        raise ScriptFailure(f"Runtime error: {a}^{b} has no value") from wrong
    if isinstance(result, complex):
        raise ScriptFailure(f"Runtime error: {a}^{b} has no value")
    return int(result) if type(a) is int and type(b) is int and b >= 0 and abs(result) < 2**31 else float(result)


ARITHMETIC: dict[str, Callable[[Any, Any], Number]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": _divide,
    "%": _remainder,
    "^": power,
}

_NUMBERS = (int, float)


def make_operators(meter: Meter) -> dict[str, Callable[..., Any]]:
    """Return the functions of generated code by name, charging to `meter`."""

    def arithmetic(operator: str) -> Callable[[Any, Any], Any]:
        plain = ARITHMETIC[operator]

        def apply(a: Any, b: Any) -> Any:
            ta = a.__class__
            tb = b.__class__
            if (ta is float or ta is int) and (tb is float or tb is int):
                result = plain(a, b)
                if type(result) is int and not -0x80000000 <= result <= 0x7FFFFFFF:
                    return wrap(result)
                return result
            return elsewhere(operator, a, b, apply)

        return apply

    def elsewhere(operator: str, a: Any, b: Any, apply: Callable[[Any, Any], Any]) -> Value:
        if operator == "+" and type(a) is str and type(b) is str:
            if len(a) + len(b) > LONGEST_STRING:
                raise ScriptFailure(f"Runtime error: a string of more than {LONGEST_STRING} characters")
            return a + b
        return listwise(operator, a, b, apply)

    def listwise(operator: str, a: Any, b: Any, apply: Callable[[Any, Any], Any]) -> Value:
        if is_list(a) and is_list(b):
            if operator == "*" and a and is_list(a[0]):
                return product(a, b)
            if len(a) != len(b):
                raise ScriptFailure(f"Runtime error: lists of {len(a)} and {len(b)} elements for {operator}")
            meter.left -= len(a) // ELEMENTS_PER_STEP
            return tuple([apply(one, other) for one, other in zip(a, b, strict=True)])
        if is_list(a) and type(b) in _NUMBERS:
            meter.left -= len(a) // ELEMENTS_PER_STEP
            return tuple([apply(one, b) for one in a])
        if is_list(b) and type(a) in _NUMBERS:
            meter.left -= len(b) // ELEMENTS_PER_STEP
            return tuple([apply(a, other) for other in b])
        raise _unsupported(operator, a, b)

    def product(a: tuple[Any, ...], b: tuple[Any, ...]) -> Value:
        if any(not is_list(row) or len(row) != len(a[0]) for row in a):
            raise ScriptFailure("Type error: the rows of a matrix must have one length")
        if len(a[0]) != len(b):
            raise ScriptFailure(f"Runtime error: a matrix of {len(a[0])} columns times {len(b)} rows")
        matrix = bool(b) and is_list(b[0])
        if matrix and any(not is_list(row) or len(row) != len(b[0]) for row in b):
            raise ScriptFailure("Type error: the rows of a matrix must have one length")
        columns = list(zip(*b, strict=True)) if matrix else [b]
        work = len(a) * len(b) * len(columns)
        if work > LARGEST_PRODUCT:
            raise ScriptFailure(f"Runtime error: a product of {work} multiplications; at most {LARGEST_PRODUCT}")
        meter.left -= work // ELEMENTS_PER_STEP
        rows = [tuple([_dot(row, column) for column in columns]) for row in a]
        return tuple(rows) if matrix else tuple([row[0] for row in rows])

    def negative(a: Any) -> Any:
        if type(a) in _NUMBERS:
            return -a if a != -0x80000000 or type(a) is float else a
        if is_list(a):
            meter.left -= len(a) // ELEMENTS_PER_STEP
            return tuple([negative(one) for one in a])
        raise ScriptFailure(f"Type error: unsupported operand type for -: {type_name(a)}")

    def equal(a: Any, b: Any) -> bool:
        if isinstance(a, tuple | Struct):
            meter.left -= size_cost(a)
        return a == b

    names = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "remainder", "^": "power"}
    functions: dict[str, Callable[..., Any]] = {names[sign]: arithmetic(sign) for sign in names}
    functions |= {
        "equal": equal,
        "negative": negative,
        "truth": truth,
        "at": at,
        "put": metered(meter, put),
        "member": member,
        "make_pose": make_pose,
    }
    functions |= {name: _comparison(sign) for sign, name in COMPARISONS.items()}
    return functions


def _dot(row: tuple[Any, ...], column: tuple[Any, ...]) -> Number:
    total: Number = 0
    for a, b in zip(row, column, strict=True):
        if type(a) not in _NUMBERS or type(b) not in _NUMBERS:
            raise _unsupported("*", a, b)
        total += a * b
    return wrap(total) if type(total) is int else total


COMPARISONS = {"<": "less", ">": "greater", "<=": "at_most", ">=": "at_least"}


_ORDER: dict[str, Callable[[Any, Any], bool]] = {"<": lt, ">": gt, "<=": le, ">=": ge}


def _comparison(operator: str) -> Callable[[Any, Any], bool]:
    plain = _ORDER[operator]

    def compare(a: Any, b: Any) -> bool:
        if type(a) in _NUMBERS and type(b) in _NUMBERS:
            return plain(a, b)
        raise _unsupported(operator, a, b)

    return compare


def truth(value: object) -> bool:
    """Return a condition's value: of a number, whether it is another than zero; fails on all else."""
    if value is True:
        return True
    if value is False:
        return False
    if type(value) in _NUMBERS:
        return value != 0
    raise ScriptFailure(f"Type error: a condition must be a Bool or a number, not {type_name(value)}")


def at(of: Any, index: Any) -> Any:
    """Return an element of a list or a pose."""
    if type(index) is not int:
        index = integer(index, "a list index")
    kind = of.__class__
    if kind is tuple or kind is ScriptPose or kind is Growing:
        if 0 <= index < len(of):
            return of[index]
        raise ScriptFailure(f"Runtime error: list index {index} out of range 0..{len(of) - 1}")
    raise ScriptFailure(f"Type error: {type_name(of)} has no elements")


def member(of: Any, name: str) -> Any:
    """Return a member of a record."""
    if isinstance(of, Struct) and name in of:
        return cast(Value, of[name])
    raise ScriptFailure(f"Type error: {type_name(of)} has no member {name}")


def put(of: Any, value: Any, key: Any, *deeper: Any) -> Any:
    """Return `of` with another value at an index (or of a member), `deeper` inside it."""
    if type(key) is MemberName:
        if not isinstance(of, Struct) or key not in of:
            raise ScriptFailure(f"Type error: {type_name(of)} has no member {key}")
        changed = of.with_member(key, put(of[key], value, *deeper) if deeper else value)
        weight(changed)
        return changed
    inside = at(of, key)
    if deeper:
        value = put(inside, value, *deeper)
    key = int(key)
    kind = of.__class__
    if kind is ScriptPose:
        if type(value) not in _NUMBERS:
            raise ScriptFailure(f"Type error: a pose has numbers, not {type_name(value)}")
        return ScriptPose((*of[:key], value, *of[key + 1 :]))
    if is_list(inside) != is_list(value) or (is_list(value) and len(value) != len(inside)):
        raise ScriptFailure(f"Type error: an element of type {type_name(inside)} cannot become {type_name(value)}")
    if value is None:
        raise ScriptFailure("Type error: a list cannot hold None")
    if is_list(value) and any(is_list(one) for one in value):
        raise ScriptFailure("Type error: a matrix has two dimensions, not more")
    changed = (*of[:key], value, *of[key + 1 :])
    if type(value) is Struct:
        weight(changed)
    return changed if kind is tuple else Growing(changed, of.capacity)


def make_pose(*numbers: Any) -> ScriptPose:
    """Return a pose of six numbers."""
    for number in numbers:
        if type(number) not in _NUMBERS:
            raise ScriptFailure(f"Type error: a pose has numbers, not {type_name(number)}")
    return ScriptPose(numbers)
