"""Builtin: a function that the host gives to programs."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from .values import Value


class _Required(Enum):
    """The one value that marks a parameter without a default."""

    REQUIRED = "required"


REQUIRED: Final = _Required.REQUIRED

Wait = Generator[None, None, Value]
"""What a blocking builtin returns: each yield gives back the rest of this 2 ms frame; its return value is the value."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a builtin: its name as programs write it in `name=value`, and its default."""

    name: str
    default: Value | _Required = REQUIRED


@dataclass(frozen=True, slots=True)
class Builtin:
    """A function of the host.

    Attributes:
        name: As programs call it.
        parameters: In order. Programs may give the last ones by name; the core puts them in order, so `call` gets
            one positional argument for each parameter.
        call: Returns the value; where `blocking`, a generator (`Wait`) that yields once for each frame it waits and
            returns the value. To stop the program with a runtime error, raise `ScriptFailure(message)`. Lists come
            and go as tuples, poses as `Pose`.
        blocking: Whether `call` returns a generator.
        rest: Whether programs may give more arguments than there are parameters; they come as further positional
            arguments.
        cost: What a call takes of the budget, in steps of about half a microsecond, for those that compute much; or a
            function of the arguments that returns it.
    """

    name: str
    parameters: tuple[Parameter, ...]
    call: Callable[..., Any]
    blocking: bool = False
    rest: bool = False
    cost: int | Callable[..., int] = 0


def builtin_table(*builtins: Builtin) -> dict[str, Builtin]:
    """Return builtins by name."""
    return {one.name: one for one in builtins}
