"""Which Host and Origin headers belong to a server: its loopback names, or in the network those of its certificate."""

from ipaddress import ip_address
from urllib.parse import urlsplit

Server = tuple[str, int | None] | None
"""Address and port that a request has come to."""


def is_loopback(host: str) -> bool:
    """Return True for localhost and for addresses that never leave the machine."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def is_this_machine(client: tuple[str, int] | None) -> bool:
    """Return whether the peer of a connection is on this machine; one without an address (a Unix socket) is.

    An address that cannot be read is taken for another machine's.
    """
    if client is None:
        return True
    try:
        return ip_address(str(client[0]).partition("%")[0]).is_loopback
    except ValueError:
        return False


def is_own(url: str, server: Server, hosts: frozenset[str] | None = None) -> bool:
    """Return True where `url` is the address of this server, with its own port.

    By the door of this machine that is a loopback name or its own; over the network HTTPS and one of `hosts`.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or (80 if parts.scheme == "http" else 443)
    except ValueError:
        return False
    bare = not (parts.path or parts.query or parts.fragment or parts.username or parts.password)
    if server is None or host is None or not bare or port != server[1]:
        return False
    if hosts is None:
        return parts.scheme == "http" and (is_loopback(host) or host == server[0])
    return parts.scheme == "https" and plain_host(host) in hosts


def host_of(url: str) -> str:
    """Return the host of an address; empty: it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def plain_host(host: str) -> str:
    """Return a host in the one form that certificates have: an address as it is usually written, a name without end."""
    try:
        return str(ip_address(host))
    except ValueError:
        return host.rstrip(".")


def own_address(server: Server, scheme: str = "http") -> str:
    """Return the address that a person should use."""
    if server is None:
        return f"{scheme}://127.0.0.1"
    host, port = server
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"
