"""Addresses: under which names and addresses other machines find this one."""

import socket
import struct
import sys
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

_SIOCGIFADDR = 0x8915
"""Linux: the IPv4 address of an interface (netdevice(7))."""
_FAR = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses for documentation (RFC 5737, RFC 3849): no host has them, and nothing is sent."""


def host_names() -> list[str]:
    """Return the names of this machine, as it knows them itself; the one that works without a name server first."""
    bare = socket.gethostname().lower().rstrip(".")
    full = socket.getfqdn().lower().rstrip(".")
    names = [f"{bare.partition('.')[0]}.local", bare, full]
    return [name for name in dict.fromkeys(names) if _is_name(name)]


def own_addresses() -> list[IPv4Address | IPv6Address]:
    """Return the addresses of this machine that others can reach, the one of the usual way out first."""
    found = [*_outgoing_addresses(), *_of_interfaces(), *_of_name()]
    good = [one for one in found if not (one.is_loopback or one.is_link_local or one.is_unspecified)]
    return list(dict.fromkeys(good))


def _is_name(name: str) -> bool:
    labels = name.split(".")
    plain = all(
        0 < len(label) <= 63 and label.isascii() and label.replace("-", "").isalnum() and label.strip("-") == label
        for label in labels
    )
    return plain and len(name) <= 253 and labels[0] != "localhost" and not name.endswith(".arpa")


def _outgoing_addresses() -> list[IPv4Address | IPv6Address]:
    found: list[IPv4Address | IPv6Address] = []
    for family, far in _FAR:
        # Connecting a datagram socket sends nothing; it only chooses the interface.
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as way:
            way.connect((far, 9))
            found.append(ip_address(str(way.getsockname()[0])))
    return found


def _of_interfaces() -> list[IPv4Address | IPv6Address]:
    if sys.platform != "linux":
        return []
    import fcntl

    found: list[IPv4Address | IPv6Address] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            with suppress(OSError):
                answer = fcntl.ioctl(asking.fileno(), _SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                found.append(IPv4Address(answer[20:24]))
    with suppress(OSError, ValueError):
        lines = Path("/proc/net/if_inet6").read_text().splitlines()
        found += [IPv6Address(bytes.fromhex(line.split()[0])) for line in lines]
    return found


def _of_name() -> list[IPv4Address | IPv6Address]:
    with suppress(OSError, ValueError):
        answers = socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM)
        return [ip_address(str(one[4][0]).partition("%")[0]) for one in answers]
    return []
