"""What generated code calls by name, beside its own data and the routines of its host."""

from collections.abc import Sequence
from typing import Any

from .error_numbers import ALL_ERRORS, ERROR_NAMES, FIRST_BOOKED
from .faults import RapidFailure
from .instructions import PURE
from .types import RapidType, initial_value
from .values import (
    Reference,
    added,
    changed,
    copied,
    crossed,
    divided,
    element,
    element_reference,
    joined,
    present,
    put_element,
    remainder,
    scaled,
    subtracted,
    turned,
)


def _initial(of: tuple[RapidType, tuple[int, ...]]) -> Any:
    return initial_value(*of)


def _deeper(reference: Reference, path: tuple[int, ...]) -> Reference:
    return Reference(reference.box, reference.place, (*reference.path, *path))


def _handles(numbers: Sequence[float], errno: float) -> bool:
    return errno in numbers or ALL_ERRORS in numbers


def _missing(name: str) -> None:
    raise RapidFailure("", f"this controller has no {name}")


def _no_return(name: str) -> None:
    raise RapidFailure("ERR_FNCNORET", f"the function {name} returns no value")


def _raise_number(number: float) -> None:
    known = ERROR_NAMES.get(int(number), "")
    if not known and not (1 <= number <= 90 or number > FIRST_BOOKED or number == -1):
        raise RapidFailure("ERR_ILLRAISE", f"{number:g} is not an error number: book it first")
    raise RapidFailure(known, known or f"error number {number:g}", number=int(number))


NAMES: dict[str, Any] = {
    "__builtins__": {},
    "Reference": Reference,
    "added": added,
    "changed": changed,
    "copied": copied,
    "crossed": crossed,
    "divided": divided,
    "element": element,
    "element_reference": element_reference,
    "joined": joined,
    "present": present,
    "put_element": put_element,
    "remainder": remainder,
    "scaled": scaled,
    "subtracted": subtracted,
    "turned": turned,
    "deeper": _deeper,
    "given": dict,
    "handles": _handles,
    "initial": _initial,
    "missing": _missing,
    "no_return": _no_return,
    "raise_number": _raise_number,
    **{f"p_{name}": call for name, call in PURE.items()},
}
