"""StopSupervisor: starts the stop service, sends it who may use it, and restarts it when it ends."""

import contextlib
import fcntl
import logging
import os
import secrets
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from urllib.parse import quote

import msgspec

from openpendant.origins import own_address
from openpendant.stop_service import LineAddress, ListenerSettings, ServiceSettings, ServiceState, StopNotice

log = logging.getLogger("openpendant.server")
SILENT_S = 5.0
"""A service that is silent for this time hangs, and is restarted."""
STARTS_S = 30.0
"""Time until its first message: on a busy machine programs start slowly."""
AGAIN_S = 0.1
ENDS_S = 2.0
PIPE_BYTES = 1 << 20


class StopSupervisor:
    """Keeps one stop service alive. The sockets stay with the server, so that its addresses never change."""

    def __init__(self, cookie: str) -> None:
        """Have no service yet; `add_listener` and `start` begin one.

        Args:
            cookie: The name of the cookie that holds a page's token.
        """
        self.on_stop: Callable[[StopNotice], None] = lambda _: None
        """Called in a thread with each stop that the service was asked for."""
        self.ports: dict[bool, int] = {}
        """Of the doors: that of this machine (False) and the one in the network (True)."""
        self._cookie, self._secret = cookie, secrets.token_hex(16)
        self._line: socket.socket | None = None
        self._listeners: list[ListenerSettings] = []
        self._sockets: list[socket.socket] = []
        self._state = ServiceState()
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def pid(self) -> int | None:
        """The process of the service; None: there is none just now."""
        process = self._process
        return None if process is None else process.pid

    def add_listener(
        self, bound: Sequence[socket.socket], page_port: int, certificate: tuple[str, str] | None = None
    ) -> None:
        """Let the service listen on sockets too; before `start`.

        Args:
            bound: Listening, all with one port.
            page_port: Of the server whose pages may ask.
            certificate: Files of chain and key; None: on this machine alone, without TLS.
        """
        port = int(bound[0].getsockname()[1])
        chain, key = certificate or ("", "")
        self._sockets += bound
        self.ports[certificate is not None] = port
        descriptors = tuple(one.fileno() for one in bound)
        self._listeners.append(
            ListenerSettings(sockets=descriptors, port=port, page_port=page_port, chain=chain, key=key)
        )

    def line(self, project: str) -> LineAddress | None:
        """Return how the robots of a project reach the service; None: there is no service."""
        if self._line is None:
            return None
        return LineAddress(port=int(self._line.getsockname()[1]), secret=self._secret, project=project)

    def url(self, host: str, project: str, client: str, name: str, *, lan: bool) -> str:
        """Return where a page stops the robots of its project; empty: there is no service.

        Args:
            host: The name under which the page has come.
            project: Its id.
            client: How the page calls itself.
            name: Of the person, for the robots' log.
            lan: Whether it came over the network.
        """
        port = self.ports.get(lan)
        if port is None or not host:
            return ""
        base = own_address((host, port), "wss" if lan else "ws")
        return f"{base}/stop/{quote(project, safe='')}?client={quote(client, safe='')}&name={quote(name, safe='')}"

    def start(self) -> None:
        """Start the service, and keep it alive until `close`."""
        if self._listeners and self._line is None:
            self._line = socket.create_server(("127.0.0.1", 0))
            self._thread = threading.Thread(
                target=self._keep, args=(self._line.fileno(),), name="openpendant-stop-service", daemon=True
            )
            self._thread.start()

    def allow(self, sessions: dict[str, str], hosts: Sequence[str] = ()) -> None:
        """Say whose tokens are good (hashes, with names), and under which names requests come over the network."""
        self._send_state(msgspec.structs.replace(self._state, sessions=sessions, hosts=tuple(sorted(hosts))))

    def renew_certificate(self) -> None:
        """Have the files of the certificate read again."""
        self._send_state(msgspec.structs.replace(self._state, certificate=self._state.certificate + 1))

    def expect(self, project: str, robots: Sequence[str]) -> None:
        """Say which robots of a project run; none: it is closed."""
        known = dict(self._state.robots)
        if robots:
            known[project] = tuple(robots)
        else:
            known.pop(project, None)
        self._send_state(msgspec.structs.replace(self._state, robots=known))

    def close(self) -> None:
        """End the service."""
        self._ended.set()
        with self._lock:
            process = self._process
            if process is not None and process.stdin is not None:
                process.stdin.close()
        if self._thread is not None:
            self._thread.join(2.0 * ENDS_S)
        for one in (*self._sockets, *(() if self._line is None else (self._line,))):
            one.close()
        self._line = None
        self.ports.clear()

    def _send_state(self, state: ServiceState) -> None:
        with self._lock:
            if state != self._state:
                self._state = state
                self._write(msgspec.json.encode(state))

    def _write(self, line: bytes) -> None:
        """Write a line to the service without waiting; one that does not read hangs, and is ended."""
        process = self._process
        if process is None or process.stdin is None or process.stdin.closed:
            return
        try:
            written = os.write(process.stdin.fileno(), line + b"\n")
        except OSError:
            written = 0
        if written <= len(line):
            process.kill()

    def _keep(self, line: int) -> None:
        while not self._ended.is_set():
            try:
                self._begin(line)
                self._listen()
            except OSError:
                log.exception("the stop service cannot be started")
            finally:
                self._end()
            if not self._ended.wait(AGAIN_S):
                log.warning("the stop service has ended, and is started again")

    def _begin(self, line: int) -> None:
        inherited = (line, *(one.fileno() for one in self._sockets))
        settings = ServiceSettings(line=line, secret=self._secret, cookie=self._cookie, doors=tuple(self._listeners))
        process = subprocess.Popen(
            [sys.executable, "-m", "openpendant.stop_service"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=inherited,
            bufsize=0,
        )
        if process.stdin is not None:
            with contextlib.suppress(OSError, AttributeError):
                fcntl.fcntl(process.stdin.fileno(), fcntl.F_SETPIPE_SZ, PIPE_BYTES)
            os.set_blocking(process.stdin.fileno(), False)
        with self._lock:
            self._process = process
            self._write(msgspec.json.encode(settings))
            self._write(msgspec.json.encode(self._state))
            if self._ended.is_set() and process.stdin is not None:
                process.stdin.close()

    def _listen(self) -> None:
        """Pass on what the service says, until it ends or has been silent too long."""
        process = self._process
        if process is None or process.stdout is None:
            return
        descriptor, kept, patience_s = process.stdout.fileno(), b"", STARTS_S
        while select.select([descriptor], [], [], patience_s)[0]:
            patience_s = SILENT_S
            data = os.read(descriptor, 65536)
            if not data:
                return
            *lines, kept = (kept + data).split(b"\n")
            for line in lines:
                with contextlib.suppress(msgspec.MsgspecError):
                    notice = msgspec.json.decode(line, type=StopNotice)
                    if notice.project:
                        self.on_stop(notice)
        if not self._ended.is_set():
            log.warning("the stop service was silent for %g s", patience_s)

    def _end(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is None:
            return
        if self._ended.is_set():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(ENDS_S)
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
