"""HostRoutine: an instruction or function that the host gives to programs."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from .catalogue import catalogue
from .parser import parse_header
from .symbols import RoutineSymbol, routine_of_header

HostWait = Generator[None, None, Any]
"""What a waiting routine returns: each yield waits for the next step; its return value is the function's."""


class TaskCaller(Protocol):
    """The task that calls an instruction, as its host sees it."""

    @property
    def name(self) -> str:
        """Name of the task, as "T_ROB1"."""
        ...

    @property
    def line(self) -> int:
        """Line of the module at which its program pointer is."""
        ...

    def interrupt(self, number: int) -> None:
        """Order an interrupt; one that is connected to no trap does nothing."""
        ...

    def interrupt_until(self, number: int, end: Callable[[], None]) -> None:
        """Say how to end what orders an interrupt: it is called when the program deletes it, or ends.

        Raises:
            RapidFailure: ERR_UNKINO: the interrupt is connected to no trap; `end` has been called.
        """
        ...


@dataclass(frozen=True, slots=True)
class HostRoutine:
    """An instruction or function of the host.

    Attributes:
        symbol: Name and parameters.
        call: Gets the task, and the arguments that were given, by the names of the parameters. Numbers are floats,
            records tuples, arrays lists, signals their names; switches are True; parameters that the routine may change
            are a `Reference` (`get()`, `set(value)`), sockets and files a `DeviceSlot` inside one. To fail as on the
            controller it raises `RapidFailure`.
        waits: Whether `call` returns a generator (`HostWait`). A motion instruction that lets the program pointer run
            ahead returns at once where the queue of motions has room, and waits otherwise or where it stops.
    """

    symbol: RoutineSymbol
    call: Callable[[TaskCaller, Mapping[str, Any]], Any]
    waits: bool = False


def host_routine(
    header: str, call: Callable[[TaskCaller, Mapping[str, Any]], Any], *, waits: bool = False
) -> HostRoutine:
    """Return a routine of the host.

    Args:
        header: A name of the catalogue (`MoveL`), or a header such as `PROC Glue(signaldo Gun, num Time)`.
        call: What it does.
        waits: Whether `call` returns a generator.
    """
    known = catalogue().get(header.lower())
    return HostRoutine(routine_of_header(known or parse_header(header)), call, waits)


def host_table(*routines: HostRoutine) -> dict[str, HostRoutine]:
    """Return routines by name in lower case."""
    return {one.symbol.name.lower(): one for one in routines}
