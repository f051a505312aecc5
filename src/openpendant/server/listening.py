"""Listening: a socket on this machine, and the server on it."""

import errno
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager
from queue import Queue
from threading import Thread

import uvicorn
from fastapi import FastAPI

from openpendant.errors import InputError, OpenPendantError

from .guard import is_loopback, own_address
from .studio import LONGEST_MESSAGE

__all__ = ["DEFAULT_PORT", "listen", "run", "serving"]

DEFAULT_PORT = 8000
PORTS_TO_TRY = 100


def listen(host: str = "127.0.0.1", port: int | None = None) -> socket.socket:
    """Return a bound socket.

    Args:
        host: A loopback name or address.
        port: 0 for any free one; None for 8000 or, where that is taken, the next free one.

    Raises:
        InputError: The host is not loopback, or cannot be used, or the port is taken.
    """
    if not is_loopback(host):
        raise InputError(
            f"host {host!r} is refused: anyone on the network could move the robots, since there is no sign-in yet; "
            "allowed are 127.0.0.1, ::1 and localhost"
        )
    if port is not None:
        if not 0 <= port <= 65535:
            raise InputError(f"port {port} is not allowed; ports are 0 to 65535")
        return _bind(host, port)
    for candidate in range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TO_TRY):
        try:
            return _bind(host, candidate)
        except InputError:
            continue
    return _bind(host, 0)


def run(app: FastAPI, bound: socket.socket, on_ready: Callable[[str], None]) -> None:
    """Serve `app` on the socket until the process is told to stop; returns after Ctrl-C.

    Args:
        app: What `create_app` returned.
        bound: What `listen` returned.
        on_ready: Called with the address once connections are accepted.
    """
    try:
        _Server(app, bound, on_ready).run(sockets=[bound])
    except KeyboardInterrupt:
        return
    finally:
        bound.close()


@contextmanager
def serving(app: FastAPI) -> Generator[str]:
    """Serve `app` in a thread on a free loopback port, for as long as the `with` block lasts.

    Yields:
        The address, once connections are accepted.
    """
    bound = listen(port=0)
    addresses: Queue[str | None] = Queue()
    server = _Server(app, bound, addresses.put)

    def serve() -> None:
        try:
            server.run(sockets=[bound])
        finally:
            addresses.put(None)

    thread = Thread(target=serve, name="openpendant server", daemon=True)
    thread.start()
    try:
        address = addresses.get()
        if address is None:
            raise OpenPendantError("the server could not start; its log tells more")
        yield address
    finally:
        server.should_exit = True
        thread.join()
        bound.close()


class _Server(uvicorn.Server):
    """uvicorn with our settings, telling when it accepts connections."""

    def __init__(self, app: FastAPI, bound: socket.socket, on_ready: Callable[[str], None]) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                ws="websockets-sansio",
                ws_per_message_deflate=False,
                # Twice what is allowed, so that a message somewhat too long gets our own words.
                ws_max_size=2 * LONGEST_MESSAGE,
                access_log=False,
                log_config=None,
                proxy_headers=False,
                server_header=False,
                timeout_graceful_shutdown=2,
            )
        )
        host, port = bound.getsockname()[:2]
        self.address = own_address((host, port))
        self.on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to accept connections, and tell."""
        await super().startup(sockets)
        self.on_ready(self.address)


def _bind(host: str, port: int) -> socket.socket:
    """Return a socket bound to this very port; raises InputError where that fails."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        # Two sockets may be bound to one port until one of them listens: only that makes it ours.
        bound.listen()
    except OSError as error:
        bound.close()
        if error.errno == errno.EADDRINUSE:
            raise InputError(
                f"port {port} is in use on {host}; choose another, or any free one with --port 0"
            ) from None
        raise InputError(f"cannot listen on {host} port {port}: {error.strerror}") from None
    return bound
