"""Calls of procedures by names that the program has made: which argument goes to which parameter."""

from collections.abc import Sequence
from typing import Any

from .faults import RapidFailure
from .symbols import RoutineSymbol
from .values import Reference, copied


def late_arguments(symbol: RoutineSymbol, arguments: Sequence[Any]) -> list[Any]:
    """Return the arguments of a call whose routine was not known before."""
    values: list[Any] = [None] * len(symbol.parameters)
    required = [place for place, one in enumerate(symbol.parameters) if not one.optional]
    taken = 0
    for name, value in arguments:
        if name:
            places = [place for place, one in enumerate(symbol.parameters) if one.name.lower() == name]
            if not places:
                raise RapidFailure("ERR_CALLPROC", f"{symbol.name} has no argument {name}")
            place = places[0]
        elif taken < len(required):
            place = required[taken]
            taken += 1
        else:
            raise RapidFailure("ERR_CALLPROC", f"{symbol.name} takes {len(required)} arguments")
        if symbol.parameters[place].by_reference:
            if not isinstance(value, Reference):
                raise RapidFailure("ERR_CALLPROC", f"{symbol.parameters[place].name} needs data, not a value")
            values[place] = value
        else:
            values[place] = copied(value.get()) if isinstance(value, Reference) else value
    if taken < len(required):
        raise RapidFailure("ERR_CALLPROC", f"{symbol.name} takes {len(required)} arguments")
    return values
