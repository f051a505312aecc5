"""probe_robot: what is at the address of a real robot, before anything is connected to it."""

from openpendant.controllers import parse_address
from openpendant.errors import InputError, UnknownNameError
from openpendant.makers import find_maker
from openpendant.messages import decode_said
from openpendant.messages.operation import ProbeFinding
from openpendant.robots import load
from openpendant.said import say
from openpendant.scene import Cell


def probe_robot(cell: Cell, robot: str, address: str) -> tuple[ProbeFinding, ...]:
    """Return what is found at an address for a robot of a cell. Waits for the network.

    Raises:
        UnknownNameError: The cell has no such robot.
        InputError: It is not an address, or no driver speaks to such a robot.
    """
    robots = {one.name: one for one in cell.robots}
    if robot not in robots:
        raise UnknownNameError("robot in this cell", robot, robots)
    parse_address(address)
    model = robots[robot].model
    known = load(model)
    maker = find_maker(known)
    if maker is None:
        raise InputError(say("connect.no_driver", model=model))
    return tuple(
        ProbeFinding(code=one.code, fine=one.fine, hopeless=one.hopeless, value=one.value, message=one.message)
        for one in maker.probe(maker.parse_address(address), known)
    )


def hopeless(findings: tuple[ProbeFinding, ...]) -> str:
    """Return why there is no use in connecting; empty: there may be."""
    return next((decode_said(one.message, one.said) for one in findings if one.hopeless), "")
