"""Address: where a controller is, as people write it: by its name or number in the network, or by its serial port."""

import ipaddress
import re
from dataclasses import dataclass
from typing import Literal

from openpendant.errors import InputError
from openpendant.said import say

Way = Literal["host", "tcp", "udp", "serial"]
"""'host': on the maker's own ports; 'tcp', 'udp': on the given port; 'serial': on a serial line."""

LONGEST = 253
"""Characters of a name in the network (RFC 1035)."""
EXAMPLES: dict[Way, str] = {
    "host": "192.168.1.10",
    "tcp": "tcp:192.168.1.10:23",
    "udp": "udp:192.168.1.10:1999",
    "serial": "serial:/dev/ttyUSB0?baud=9600",
}
BAUD = 9600
HIGHEST_PORT = 65535
_NAME = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?\.?")
_NUMBER = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True)
class Address:
    """An address, taken apart. `str()` of it is the text that it came from, without what is usual."""

    way: Way
    host: str = ""
    """Name or number in the network; empty for a serial port."""
    port: int = 0
    """Of 'tcp' and 'udp'."""
    device: str = ""
    """File of a serial port."""
    baud: int = BAUD
    """Of a serial port, bits per second."""

    def __str__(self) -> str:
        """Write it as a person does."""
        if self.way == "serial":
            return f"serial:{self.device}" + (f"?baud={self.baud}" if self.baud != BAUD else "")
        if self.way == "host":
            return self.host
        return f"{self.way}:[{self.host}]:{self.port}" if ":" in self.host else f"{self.way}:{self.host}:{self.port}"


def parse_address(text: str, ways: tuple[Way, ...] = ("host", "tcp", "udp", "serial")) -> Address:
    """Return an address, taken apart.

    Args:
        text: `192.168.1.10`, `tcp:host:23`, `udp:host:1999` or `serial:/dev/ttyUSB0?baud=9600`.
        ways: Those by which the controller can be reached.

    Raises:
        InputError: It is none, or none by which the controller can be reached; names what is allowed.
    """
    plain = text.strip()
    if not 0 < len(plain) <= LONGEST or not plain.isprintable():
        raise InputError(say("connect.address_length", most=LONGEST))
    found = _parse(plain)
    if found is None or found.way not in ways:
        allowed = ", ".join(EXAMPLES[way] for way in ways)
        raise InputError(say("connect.address_form", address=plain, allowed=allowed))
    return found


def _parse(text: str) -> Address | None:
    way, colon, rest = text.partition(":")
    if colon and way in ("tcp", "udp"):
        net: Literal["tcp", "udp"] = "tcp" if way == "tcp" else "udp"
        host, _, port = rest.rpartition(":")
        number = int(port) if _NUMBER.fullmatch(port) else 0
        found = _host(host)
        return Address(net, found, number) if found and 0 < number <= HIGHEST_PORT else None
    if colon and way == "serial":
        return _parse_serial(rest)
    found = _host(text)
    return Address("host", found) if found else None


def _host(text: str) -> str:
    """Return the name or number of a host, without brackets; empty: it is none."""
    if _NAME.fullmatch(text):
        return text
    bare = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    try:
        ipaddress.IPv6Address(bare)
    except ValueError:
        return ""
    return bare


def _parse_serial(text: str) -> Address | None:
    device, mark, settings = text.partition("?")
    if not device or device.isspace():
        return None
    if not mark:
        return Address("serial", device=device)
    name, _, value = settings.partition("=")
    if name != "baud" or not _NUMBER.fullmatch(value) or int(value) == 0:
        return None
    return Address("serial", device=device, baud=int(value))
