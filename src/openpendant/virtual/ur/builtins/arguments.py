"""Arguments of programs, checked; the messages are what the pendant shows."""

import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from openpendant.dialects.urscript import Builtin, Parameter, ScriptFailure, ScriptPose

Array = NDArray[np.float64]


def function(name: str, call: Callable[..., Any], *parameters: str | tuple[str, Any], waits: bool = False) -> Builtin:
    """Return a builtin; a parameter is a name, or a name with its default."""
    listed = tuple(Parameter(one) if isinstance(one, str) else Parameter(*one) for one in parameters)
    return Builtin(name, listed, call, blocking=waits)


def number(value: Any, what: str) -> float:
    """Return a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ScriptFailure(f"Type error: {what} must be a number")
    if not math.isfinite(value):
        raise ScriptFailure(f"Runtime error: {what} is {value}; it must be finite")
    return float(value)


def count(value: Any, what: str) -> int:
    """Return a whole number."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ScriptFailure(f"Type error: {what} must be an integer")
    return value


def boolean(value: Any, what: str) -> bool:
    """Return a truth; numbers count as in URScript."""
    if isinstance(value, bool | int | float):
        return bool(value)
    raise ScriptFailure(f"Type error: {what} must be a boolean")


def text(value: Any, what: str) -> str:
    """Return a string."""
    if not isinstance(value, str):
        raise ScriptFailure(f"Type error: {what} must be a string")
    return value


def vector(value: Any, length: int, what: str) -> Array:
    """Return a list of n finite numbers (a pose counts as six)."""
    numbers = cast(tuple[Any, ...], value) if isinstance(value, tuple) else ()
    if len(numbers) != length:
        raise ScriptFailure(f"Type error: {what} must be a list of {length} numbers")
    return np.array([number(one, what) for one in numbers])


def joints(value: Any, what: str) -> Array:
    """Return six joints or joint velocities."""
    if isinstance(value, ScriptPose):
        raise ScriptFailure(f"Type error: {what} must be a list of 6 joint values, not a pose")
    return vector(value, 6, what)


def pose(value: Any, what: str) -> Array:
    """Return the six numbers of a pose; a plain list of six is taken too, as the controller does."""
    return vector(value, 6, what)


def same(values: Array | NDArray[np.float64]) -> tuple[float, ...]:
    """Return a numpy vector as a list of the language."""
    return tuple(values.tolist())
