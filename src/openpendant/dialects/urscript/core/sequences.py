"""Lists, matrices and records: how they are made, asked and changed."""

import math
from collections.abc import Iterable
from typing import Any

from openpendant.dialects.urscript.builtin import Builtin, Parameter
from openpendant.dialects.urscript.failures import ScriptFailure
from openpendant.dialects.urscript.operators import ELEMENTS_PER_STEP, integer, size_cost
from openpendant.dialects.urscript.values import (
    LONGEST_LIST,
    Growing,
    ScriptPose,
    Struct,
    Value,
    format_value,
    is_list,
    type_name,
    weight,
)

from .numbers import numbers
from .poses import inverse_pose

LARGEST_INVERSE = 32


def make_list_of(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return `[a, b, …]`; lists in it make a matrix, which goes no deeper."""
    composed = False
    for item in items:
        kind = item.__class__
        if kind is tuple or kind is Growing:
            composed = True
            if any(is_list(one) for one in item):
                raise ScriptFailure("Type error: a matrix has two dimensions, not more")
        elif kind is Struct:
            composed = True
        elif item is None:
            raise ScriptFailure("Type error: a list cannot hold None")
    if composed:
        weight(items)
    return items


def make_struct(members: Iterable[tuple[str, Value]]) -> Struct:
    """Return `struct(a=…, b=…)`."""
    made = Struct(members)
    weight(made)
    return made


def _make_list(length: object, initial_value: Value, capacity: object) -> Growing:
    count = integer(length, "length")
    most = count if capacity is None else integer(capacity, "capacity")
    if is_list(initial_value) or initial_value is None:
        raise ScriptFailure(f"Type error: make_list cannot make a list of {type_name(initial_value)}")
    if not 0 <= count <= most or most * weight(initial_value) > LONGEST_LIST:
        raise ScriptFailure(f"Runtime error: make_list: length {count}, capacity {most}; at most {LONGEST_LIST}")
    return Growing((initial_value,) * count, most)


def change(of: Any, method: str, arguments: tuple[Any, ...]) -> tuple[Any, Value]:
    """Return a list after `append`, `pop`, … and the value of that call."""
    if not is_list(of):
        raise ScriptFailure(f"Type error: {type_name(of)} has no method {method}")
    counts = {"append": (1,), "clear": (0,), "extend": (1,), "insert": (2,), "pop": (0,), "remove": (1,)}
    if len(arguments) not in counts[method]:
        raise ScriptFailure(f"Type error: {method} takes exactly {counts[method][0]} arguments")
    items = list(of)
    value: Value = None
    match method:
        case "append":
            items.append(arguments[0])
        case "extend":
            if not is_list(arguments[0]):
                raise ScriptFailure(f"Type error: extend needs a list, not {type_name(arguments[0])}")
            items.extend(arguments[0])
        case "insert":
            items.insert(_place(arguments[0], len(items) + 1), arguments[1])
        case "pop":
            value = items.pop(_place(len(items) - 1, len(items)))
        case "remove":
            items.pop(_place(arguments[0], len(items)))
        case _:
            items.clear()
    capacity = of.capacity if isinstance(of, Growing) else len(of)
    if len(items) > capacity:
        raise ScriptFailure(f"Runtime error: {method}: list capacity of {capacity} exceeded")
    return Growing(make_list_of(tuple(items)), capacity), value


def _place(index: object, count: int) -> int:
    place = integer(index, "a list index")
    if not 0 <= place < count:
        raise ScriptFailure(f"Runtime error: list index {place} out of range 0..{count - 1}")
    return place


def ask(of: Any, method: str, arguments: tuple[Any, ...]) -> Value:
    """Return the value of a method that changes nothing."""
    if method == "to_string" and not arguments:
        return format_value(of)
    if is_list(of):
        capacity = of.capacity if isinstance(of, Growing) else len(of)
        if method == "length" and not arguments:
            return len(of)
        if method == "capacity" and not arguments:
            return capacity
        if method == "excess_capacity" and not arguments:
            return capacity - len(of)
        if method == "slice" and len(arguments) in (1, 2):
            first = _place(arguments[0], len(of) + 1)
            last = _place(arguments[1], len(of) + 1) if len(arguments) == 2 else len(of)
            return tuple(of[first:last])
    raise ScriptFailure(f"Type error: {type_name(of)} has no method {method} of {len(arguments)} arguments")


def _length(value: Any) -> int:
    if is_list(value) or type(value) in (str, ScriptPose):
        return len(value)
    raise ScriptFailure(f"Type error: length needs a list or a string, not {type_name(value)}")


def _matrix(value: Any, what: str) -> list[list[float]]:
    if not is_list(value) or not value or any(not is_list(row) or len(row) != len(value[0]) for row in value):
        raise ScriptFailure(f"Type error: {what} needs a matrix, not {type_name(value)}")
    return [numbers(row, what) for row in value]


def _size(value: Any) -> Value:
    if is_list(value) and value and is_list(value[0]):
        rows = _matrix(value, "size")
        return (len(rows), len(rows[0]))
    return _length(value)


def _transpose(m: Any) -> Value:
    _matrix(m, "transpose")
    return tuple(zip(*m, strict=True))


def _norm(a: Any) -> float | int:
    if type(a) is int or type(a) is float:
        return abs(a)
    return math.sqrt(sum(one * one for one in numbers(a, "norm")))


def _normalize(v: Any) -> Value:
    given = numbers(v, "normalize")
    size = math.sqrt(sum(one * one for one in given))
    if size == 0.0:
        raise ScriptFailure("Runtime error: normalize: the length of the vector is zero")
    return tuple([one / size for one in given])


def _inverse_cost(m: Any) -> int:
    return min(len(m), LARGEST_INVERSE) ** 3 // ELEMENTS_PER_STEP if is_list(m) else 0


def _making_cost(length: Any, *_: Any) -> int:
    return int(length) // ELEMENTS_PER_STEP if type(length) is int and 0 < length <= LONGEST_LIST else 0


def _inv(m: Any) -> Value:
    if type(m) is ScriptPose:
        return inverse_pose(m)
    rows = _matrix(m, "inv")
    count = len(rows)
    if any(len(row) != count for row in rows) or count > LARGEST_INVERSE:
        raise ScriptFailure(f"Runtime error: inv needs a square matrix of at most {LARGEST_INVERSE} rows")
    wide = [[*row, *(float(i == j) for j in range(count))] for i, row in enumerate(rows)]
    scale = max((abs(one) for row in rows for one in row), default=0.0)
    for i in range(count):
        pivot = max(range(i, count), key=lambda j: abs(wide[j][i]))
        if not abs(wide[pivot][i]) > 1e-13 * scale:
            raise ScriptFailure("Runtime error: inv: the matrix is singular")
        wide[i], wide[pivot] = wide[pivot], wide[i]
        factor = wide[i][i]
        wide[i] = [one / factor for one in wide[i]]
        for j in range(count):
            if j != i and wide[j][i] != 0.0:
                factor = wide[j][i]
                wide[j] = [one - factor * other for one, other in zip(wide[j], wide[i], strict=True)]
    return tuple([tuple(row[count:]) for row in wide])


SEQUENCE_FUNCTIONS: tuple[Builtin, ...] = (
    Builtin(
        "make_list",
        (Parameter("length"), Parameter("initial_value"), Parameter("capacity", None)),
        _make_list,
        cost=_making_cost,
    ),
    Builtin("length", (Parameter("v"),), _length),
    Builtin("get_list_length", (Parameter("v"),), _length),
    Builtin("size", (Parameter("v"),), _size, cost=size_cost),
    Builtin("norm", (Parameter("a"),), _norm, cost=size_cost),
    Builtin("normalize", (Parameter("v"),), _normalize, cost=size_cost),
    Builtin("transpose", (Parameter("m"),), _transpose, cost=size_cost),
    Builtin("inv", (Parameter("m"),), _inv, cost=_inverse_cost),
)
