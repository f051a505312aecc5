"""Lan: this server in the network; its certificate, the names under which it is found, the links that pair."""

import ssl
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

from starlette.types import ASGIApp, Receive, Scope, Send

from openpendant.errors import InputError

from .addresses import host_names, own_addresses
from .certificates import Authority, Identity

KEY = "openpendant.lan"
LOOPBACK = (IPv4Address("127.0.0.1"), IPv6Address("::1"))


class Lan:
    """The server in the network."""

    def __init__(self, folder: Path, port: int, names: Sequence[str] = (), address: str = "") -> None:
        """Have a certificate for this machine as it is found now.

        Args:
            folder: Where the certificate authority is kept.
            port: On which the server listens.
            names: Further names of this machine.
            address: The only address that it listens on; empty: all.

        Raises:
            InputError: A name cannot be covered, or the address is none.
            OpenPendantError: The authority cannot be read.
        """
        self.port = port
        self._only = parse_address(address) if address else None
        self.authority = Authority(folder, (*host_names(), *(name.strip().lower() for name in names)))
        self._further = tuple(self.authority.check_name(name) for name in names)
        self._identity = self._current()
        self.context: ssl.SSLContext = self._identity.context()

    def renew(self) -> bool:
        """Have a new certificate where names or addresses have changed or the old one ends; return whether.

        Connections from then on use it.
        """
        found = self._current()
        if found.until == self._identity.until and self.hosts == _hosts(found):
            return False
        found.load_into(self.context)
        self._identity = found
        return True

    @property
    def hosts(self) -> frozenset[str]:
        """Every name and address under which a request may come."""
        return _hosts(self._identity)

    @property
    def certificate(self) -> tuple[str, str]:
        """The files of the certificate and of its key."""
        return str(self._identity.chain), str(self._identity.key)

    @property
    def urls(self) -> list[str]:
        """Where others find this server, the likeliest way first."""
        addresses = sorted(self._reachable(), key=lambda one: one.version)
        names = [name for name in self._identity.names if name.endswith(".local") or name in self._further]
        return [f"https://{_in_url(str(host))}:{self.port}" for host in (*addresses, *sorted(names))]

    def links(self, secret: str) -> list[str]:
        """Return addresses that pair by being opened; what follows # never leaves the browser by itself."""
        return [f"{url}/#/pair/{secret}" for url in self.urls]

    def _reachable(self) -> list[IPv4Address | IPv6Address]:
        return own_addresses() if self._only is None else [self._only]

    def _current(self) -> Identity:
        return self.authority.identity(("localhost", *host_names(), *self._further), (*LOOPBACK, *self._reachable()))


class LanListener:
    """ASGI middleware: marks what comes in over the network."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Mark the request and pass it on."""
        scope[KEY] = True
        await self.app(scope, receive, send)


def is_lan(scope: Scope) -> bool:
    """Return whether a request has come in over the network."""
    return scope.get(KEY) is True


def parse_address(text: str) -> IPv4Address | IPv6Address:
    """Return an address of this machine; raises InputError where it is none."""
    try:
        return ip_address(text)
    except ValueError:
        raise InputError(f"{text!r} is not an address: use one like 192.168.1.7 or fd00::7") from None


def _hosts(identity: Identity) -> frozenset[str]:
    return frozenset((*identity.names, *(str(one) for one in identity.addresses)))


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
