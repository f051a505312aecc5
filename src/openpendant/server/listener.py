"""Listening: a socket on this machine, and the server on it; another one in the network where that is wanted."""

import asyncio
import errno
import logging
import socket
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from queue import Queue
from threading import Thread

import uvicorn
from fastapi import FastAPI
from starlette.types import ASGIApp

from openpendant.errors import InputError, OpenPendantError
from openpendant.origins import is_loopback, own_address

from .access import Lan, LanListener
from .sockets import LiveSocket
from .stop_supervisor import StopSupervisor
from .studio import LONGEST_MESSAGE
from .threads import run_in_thread

DEFAULT_PORT = 8000
DEFAULT_LAN_PORT = 8443
PORTS_TO_TRY = 100
RENEW_S = 60.0
"""How often the names and addresses of the certificate are compared with those of this machine."""
log = logging.getLogger("openpendant.server")
MOST_CONNECTIONS = 1000
"""Connections over the network at once; the next ones are turned away."""


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
            f"host {host!r} is refused: this address is for this machine only and has no sign-in; allowed: 127.0.0.1, "
            "::1 and localhost. Let others in with --lan"
        )
    return _bind_free(host, port, DEFAULT_PORT)


def listen_lan(address: str = "", port: int | None = None) -> list[socket.socket]:
    """Return bound sockets for the network, all with one port.

    Args:
        address: The only address of this machine to listen on; empty: all, over IPv4 and (where there is it) IPv6.
        port: 0 for any free one; None for 8443 or, where that is taken, the next free one.

    Raises:
        InputError: The address is not one of this machine, or the port is taken.
    """
    first = _bind_free(address or "0.0.0.0", port, DEFAULT_LAN_PORT)  # noqa: S104 - what --lan asks for
    bound = [first]
    if not address:
        # A machine without IPv6 is found over IPv4 alone.
        with suppress(InputError, OSError):
            bound.append(_bind("::", first.getsockname()[1]))
    return bound


def run(
    app: FastAPI,
    bound: socket.socket,
    on_ready: Callable[[str], None],
    lan: Lan | None = None,
    lan_bound: Sequence[socket.socket] = (),
) -> None:
    """Serve `app` on the socket until the process is stopped; returns after Ctrl-C.

    Args:
        app: What `create_app` returned.
        bound: What `listen` returned.
        on_ready: Called with the address once connections are accepted.
        lan: The server in the network, beside; None: there is none.
        lan_bound: What `listen_lan` returned.
    """
    try:
        _WebServer(app, bound, on_ready, _beside(app, lan, lan_bound)).run(sockets=[bound])
    except KeyboardInterrupt:
        return
    finally:
        for one in (bound, *lan_bound):
            one.close()


@contextmanager
def serving(app: FastAPI, lan: Lan | None = None, lan_bound: Sequence[socket.socket] = ()) -> Generator[str]:
    """Serve `app` in a thread on a free loopback port, for the duration of the `with` block.

    Args:
        app: What `create_app` returned.
        lan: The server in the network, beside; None: there is none.
        lan_bound: What `listen_lan` returned.

    Yields:
        The address, once connections are accepted.
    """
    bound = listen(port=0)
    addresses: Queue[str | None] = Queue()
    server = _WebServer(app, bound, addresses.put, _beside(app, lan, lan_bound))

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
            raise OpenPendantError("the server could not start; see its log")
        yield address
    finally:
        server.should_exit = True
        thread.join()
        for one in (bound, *lan_bound):
            one.close()


def _is_worth_logging(record: logging.LogRecord) -> bool:
    """Leave out what uvicorn says of a websocket that was refused with a reason, as if that were a fault."""
    return "without completing handshake" not in record.msg


def _config(app: ASGIApp, lan: Lan | None = None) -> uvicorn.Config:
    config = uvicorn.Config(
        app,
        ws=LiveSocket,
        ws_per_message_deflate=False,
        # Twice what is allowed, so that a message somewhat too long gets our own words.
        ws_max_size=2 * LONGEST_MESSAGE,
        access_log=False,
        log_config=None,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=2,
        lifespan="auto" if lan is None else "off",
        limit_concurrency=None if lan is None else MOST_CONNECTIONS,
    )
    logging.getLogger("uvicorn.error").addFilter(_is_worth_logging)
    if lan is not None:
        config.load()
        config.ssl = lan.context
    return config


def _beside(app: FastAPI, lan: Lan | None, bound: Sequence[socket.socket]) -> "_LanServer | None":
    return None if lan is None else _LanServer(app, lan, list(bound))


class _LanServer(uvicorn.Server):
    """The server in the network, in the event loop of the one on this machine, which starts and ends it."""

    def __init__(self, app: FastAPI, lan: Lan, bound: list[socket.socket]) -> None:
        super().__init__(_config(LanListener(app), lan))
        self.app = app
        self.lan = lan
        self.bound = bound

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave signals to the server on this machine."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to accept connections, and look after the certificate."""
        await super().startup(sockets)
        self._renewing = asyncio.get_running_loop().create_task(self._renew())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End."""
        self._renewing.cancel()
        await super().shutdown(sockets)

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(RENEW_S)
            try:
                if await run_in_thread(self.lan.renew):
                    log.info("names or addresses have changed: the certificate is new")
                    self.app.state.stops.renew_certificate()
                    self.app.state.allow_stops()
            except (OSError, OpenPendantError):
                log.exception("the certificate could not be renewed")


class _WebServer(uvicorn.Server):
    """uvicorn with our settings, and a call when it accepts connections."""

    def __init__(
        self, app: FastAPI, bound: socket.socket, on_ready: Callable[[str], None], beside: _LanServer | None = None
    ) -> None:
        super().__init__(_config(app))
        host, port = bound.getsockname()[:2]
        self.app = app
        self.door = (str(host), int(port))
        self.address = own_address(self.door)
        self.on_ready = on_ready
        self.beside = beside
        self._task: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to accept connections, also from the network, and report it."""
        _add_stop_doors(self.stops, self.door, self.beside)
        self.stops.start()
        await super().startup(sockets)
        if self.beside is not None:
            self._task = asyncio.get_running_loop().create_task(self.beside.serve(self.beside.bound))
            while not self.beside.started and not self._task.done():
                await asyncio.sleep(0.005)
            if self._task.done():
                # What went wrong is raised here.
                await self._task
        self.on_ready(self.address)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End; the server in the network first, while the projects are still open."""
        if self.beside is not None and self._task is not None:
            self.beside.should_exit = True
            await asyncio.gather(self._task, return_exceptions=True)
        await super().shutdown(sockets)
        # Until here robots may move, and can be stopped.
        await run_in_thread(self.stops.close)

    @property
    def stops(self) -> StopSupervisor:
        """The stop service."""
        return self.app.state.stops


def _add_stop_doors(stops: StopSupervisor, door: tuple[str, int], beside: "_LanServer | None") -> None:
    """Have the stop service listen beside the server, on this machine and in the network.

    On the next port where that is free: so it is found again by pages that were open when the server was restarted.
    """
    stops.add_listener([_bind_free(door[0], None, door[1] + 1)], door[1])
    if beside is None:
        return
    hosts = [str(one.getsockname()[0]) for one in beside.bound]
    first = _bind_free(hosts[0], None, beside.lan.port + 1)
    bound = [first]
    for host in hosts[1:]:
        with suppress(InputError, OSError):
            bound.append(_bind(host, first.getsockname()[1]))
    stops.add_listener(bound, beside.lan.port, beside.lan.certificate)


def _bind_free(host: str, port: int | None, usual: int) -> socket.socket:
    """Return a socket on this port; None: the usual one, or where that is taken the next free one."""
    if port is not None:
        if not 0 <= port <= 65535:
            raise InputError(f"port {port} is not allowed; ports are 0 to 65535")
        return _bind(host, port)
    for candidate in range(usual, usual + PORTS_TO_TRY):
        try:
            return _bind(host, candidate)
        except InputError:
            continue
    return _bind(host, 0)


def _bind(host: str, port: int) -> socket.socket:
    """Return a socket bound to this very port; raises InputError where that fails."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if family == socket.AF_INET6:
        # IPv4 has its own socket where it is wanted.
        bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
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
