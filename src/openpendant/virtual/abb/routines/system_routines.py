"""What programs may ask about their controller: GetSysInfo."""

import ipaddress
from collections.abc import Mapping
from typing import Any

from openpendant.dialects.rapid import HostRoutine, TaskCaller, host_routine
from openpendant.virtual.abb.setup import AbbSetup

SERIAL, LANGUAGE = "00-00000", "en"
LOOPBACK = "127.0.0.1"


def system_routines(setup: AbbSetup, robotware: str) -> tuple[HostRoutine, ...]:
    """Return the routines for a controller with this software."""
    told = {
        "SerialNo": SERIAL,
        "SWVersion": robotware,
        "RobotType": setup.model,
        "CtrlId": SERIAL,
        "LanIp": _address(setup.address),
        "CtrlLang": LANGUAGE,
        "SystemName": setup.model,
    }

    def info(_task: TaskCaller, given: Mapping[str, Any]) -> str:
        return next((text for name, text in told.items() if name in given), "")

    return (host_routine("GetSysInfo", info),)


def _address(own: str) -> str:
    """Return the controller's address; a name is of one in this process."""
    try:
        return str(ipaddress.IPv4Address(own))
    except ValueError:
        return LOOPBACK
