"""Servers that run on this machine, found by their ports."""

import socket

HOST = "127.0.0.1"
CONNECT_S, REPLY_WITHIN_S = 0.2, 2.0


def find_server(first: int | None = None, count: int | None = None) -> str:
    """Return the address of the server that runs on this machine, on whichever of its usual ports.

    Args:
        first: The first port to look at; None: that of `openpendant serve`.
        count: How many ports; None: as many as `openpendant serve` tries.

    Raises:
        InputError: None runs, or several do; names them.
    """
    from openpendant.errors import InputError
    from openpendant.server.listener import DEFAULT_PORT, PORTS_TO_TRY

    first = DEFAULT_PORT if first is None else first
    ports = range(first, first + (PORTS_TO_TRY if count is None else count))
    found = [url for port in ports if _listens(port) and _is_ours(url := f"http://{HOST}:{port}")]
    if not found:
        raise InputError(
            f"no server answers on ports {ports[0]} to {ports[-1]} of this machine; start one, or give its address "
            "with --url"
        )
    if len(found) > 1:
        raise InputError(f"several servers run on this machine; choose one with --url: {', '.join(found)}")
    return found[0]


def _listens(port: int) -> bool:
    try:
        socket.create_connection((HOST, port), CONNECT_S).close()
    except OSError:
        return False
    return True


def _is_ours(url: str) -> bool:
    """Return whether an OpenPendant answers there; other programs like these ports, too."""
    import urllib.request

    import msgspec

    from openpendant.messages import Health

    try:
        with urllib.request.urlopen(f"{url}/api/health", timeout=REPLY_WITHIN_S) as reply:  # noqa: S310 - of this machine
            msgspec.json.decode(reply.read(4096), type=Health)
    except (OSError, ValueError, msgspec.MsgspecError):
        return False
    return True
