"""look_at: what is at the address of a real robot, before anything is connected to it."""

from openpendant.cell import has_virtual
from openpendant.controllers.ur import probe_ur
from openpendant.errors import InputError, UnknownNameError
from openpendant.messages import decode_said
from openpendant.projects.operate import ProbeFinding
from openpendant.said import say
from openpendant.scene import Cell

__all__ = ["hopeless", "look_at"]

LONGEST_ADDRESS = 253
HOPELESS = ("unknown name", "no answer", "no way", "refused", "stranger", "other model", "another owner", "no states")
"""What is found at an address that connecting would not change; the rest can be put right while it is connected."""


def look_at(cell: Cell, robot: str, address: str) -> tuple[ProbeFinding, ...]:
    """Return what is found at an address for a robot of a cell. Waits for the network.

    Raises:
        UnknownNameError: The cell has no such robot.
        InputError: It is no address, or no driver speaks to such a robot.
    """
    robots = {one.name: one for one in cell.robots}
    if robot not in robots:
        raise UnknownNameError("robot in this cell", robot, robots)
    if not 0 < len(address) <= LONGEST_ADDRESS or not address.isprintable():
        raise InputError(say("connect.address_length", most=LONGEST_ADDRESS))
    model = robots[robot].model
    if not has_virtual(robots[robot]):
        raise InputError(say("connect.no_driver", model=model))
    return tuple(
        ProbeFinding(code=one.code, fine=one.fine, value=one.value, message=one.message)
        for one in probe_ur(address, model)
    )


def hopeless(findings: tuple[ProbeFinding, ...]) -> str:
    """Return why there is no use in connecting; empty: there may be."""
    return next((decode_said(one.message, one.said) for one in findings if one.code in HOPELESS), "")
