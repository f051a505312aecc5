"""Faults of paths as the event log names them, and as they stop the program of an arm."""

from openpendant.dialects.rapid import EventKind, RapidFailure
from openpendant.virtual.abb.unit import MechanicalUnit
from openpendant.virtual.arm import PathFault

FAULTS = {
    "limit": EventKind(50027, "Joint Out of Range"),
    "singular": EventKind(50026, "Close to singularity"),
    "unreachable": EventKind(50050, "Position outside reach"),
    "degenerate": EventKind(50055, "Circle uncertain"),
    "configuration": EventKind(50080, "Position not compatible"),
}
"""By kind of fault (ABB, Operating manual Trouble shooting IRC5)."""


def kind_of(fault: PathFault) -> EventKind:
    """Return class and number of a path that cannot be executed."""
    return FAULTS.get(fault.kind, FAULTS["unreachable"])


def raise_fault(unit: MechanicalUnit) -> None:
    """Stop the program of a unit whose path cannot be executed.

    Raises:
        RapidFailure: No error handler sees it.
    """
    fault = unit.arm.queue.fault
    if fault is not None:
        unit.settle()
        raise RapidFailure("", fault.reason, kind=kind_of(fault))


def untrapped(failure: RapidFailure) -> RapidFailure:
    """Return the failure of a motion instruction: it stops the program, whatever its error handlers say."""
    return RapidFailure("", str(failure), kind=FAULTS["limit" if failure.error == "ERR_ROBLIMIT" else "unreachable"])
