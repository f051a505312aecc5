"""Where virtual controllers of this computer have Robot Web Services: one port for all, so that clients find it."""

import errno
import socket
from ipaddress import ip_address

RWS_PORTS = (80, 8080, 8081, 8082)
"""The usual one, and others where the system allows no ports below 1024, or a web server has them at all addresses."""
ASIDE = ("127.255.255.254", "127.0.0.1")
"""Where a port is tried: an address at which no controller is; some systems have 127.0.0.1 only."""


def rws_port_at(address: str) -> int:
    """Return the port of Robot Web Services at an address: 80, or what virtual controllers of this computer have."""
    try:
        here = ip_address(address).is_loopback
    except ValueError:
        here = False
    return allowed_rws_port() if here else RWS_PORTS[0]


def allowed_rws_port() -> int:
    """Return the first port that this computer lets us have; whether an address has it free shows when it is opened."""
    return next((port for port in RWS_PORTS if _is_allowed(port)), RWS_PORTS[0])


def _is_allowed(port: int) -> bool:
    for host in ASIDE:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError as error:
                if error.errno == errno.EADDRNOTAVAIL:
                    continue
                return False
            return True
    return False
