"""serve: the stop service itself: robots' lines, doors, and the pipes to the server."""

import asyncio
import logging
import os
import signal
import socket
import ssl
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import Any, cast

import msgspec
import uvicorn

from openpendant.messages.stop_service import ListenerSettings, ServiceSettings, ServiceState, StopNotice
from openpendant.real_time import request_real_time

from .app import StopApp
from .lines import RobotLines

ALIVE_S = 0.5
LONGEST_LINE = 16 * 1024 * 1024
LONGEST_MESSAGE = 4096
MOST_CONNECTIONS = 1000
_encode = msgspec.json.Encoder().encode


class _StopServer(uvicorn.Server):
    """uvicorn that leaves signals alone: the service ends when its input does."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave signals alone."""
        yield


class StopService:
    """The running service."""

    def __init__(self, settings: ServiceSettings) -> None:
        """Get ready."""
        self._settings = settings
        self._state = ServiceState()
        self._lines = RobotLines(settings.secret)
        self._kept: asyncio.Server | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._doors = [(one, self._server(one)) for one in settings.doors]

    async def run(self, reader: asyncio.StreamReader) -> None:
        """Serve until the server, which writes what `reader` reads, has gone; then the process ends."""
        loop = asyncio.get_running_loop()
        os.set_blocking(sys.stdout.fileno(), False)
        line = socket.socket(fileno=self._settings.line)
        self._kept = await asyncio.start_server(self._lines.serve, sock=line, limit=256 * 1024)
        self._tasks = [loop.create_task(self._show_alive())]
        for listener, server in self._doors:
            bound = [socket.socket(fileno=one) for one in listener.sockets]
            self._tasks.append(loop.create_task(server.serve(bound)))
        while text := await reader.readline():
            with suppress(msgspec.MsgspecError):
                self._update_state(msgspec.json.decode(text, type=ServiceState))
        # The server has gone: so do we, at once; its robots come to rest by themselves.
        os._exit(0)

    def _server(self, listener: ListenerSettings) -> _StopServer:
        app = StopApp(
            self._lines,
            lambda: self._state,
            self._send_notice,
            port=listener.port,
            page_port=listener.page_port,
            cookie=self._settings.cookie,
            lan=bool(listener.chain),
        )
        config = uvicorn.Config(
            cast(Any, app),
            http="h11",
            ws="websockets-sansio",
            ws_per_message_deflate=False,
            ws_max_size=LONGEST_MESSAGE,
            ws_ping_interval=5.0,
            ws_ping_timeout=10.0,
            access_log=False,
            log_config=None,
            proxy_headers=False,
            server_header=False,
            lifespan="off",
            limit_concurrency=MOST_CONNECTIONS if listener.chain else None,
        )
        config.load()
        if listener.chain:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.minimum_version = ssl.TLSVersion.TLSv1_2
            context.load_cert_chain(listener.chain, listener.key)
            config.ssl = context
        return _StopServer(config)

    def _update_state(self, state: ServiceState) -> None:
        renewed = state.certificate != self._state.certificate
        self._state = state
        self._lines.expect(state.robots)
        for listener, server in self._doors:
            if renewed and server.config.ssl is not None:
                with suppress(OSError, ssl.SSLError):
                    server.config.ssl.load_cert_chain(listener.chain, listener.key)

    def _send_notice(self, notice: StopNotice) -> None:
        """Report to the server, if it listens; a server that hangs blocks nothing here."""
        with suppress(OSError):
            os.write(sys.stdout.fileno(), _encode(notice) + b"\n")

    async def _show_alive(self) -> None:
        while True:
            self._send_notice(StopNotice())
            await asyncio.sleep(ALIVE_S)


def main() -> None:
    """Run the service with the settings that come first on standard input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A websocket that was refused with a reason is not a fault.
    logging.getLogger("uvicorn.error").addFilter(lambda one: "without completing handshake" not in one.msg)
    request_real_time()
    asyncio.run(_serve())


async def _serve() -> None:
    reader = asyncio.StreamReader(limit=LONGEST_LINE)
    protocol = asyncio.StreamReaderProtocol(reader)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin.buffer)
    if line := await reader.readline():
        await StopService(msgspec.json.decode(line, type=ServiceSettings)).run(reader)
