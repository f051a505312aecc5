"""StopLine: a robot's end of its line to the stop service; connects again whenever it breaks."""

import contextlib
import socket
import struct
import threading
from collections.abc import Callable

import msgspec

from openpendant.messages.stop_service import LineAddress, LineHalt, LineHello, LineReply, LineRest

HEADER = struct.Struct("<I")
LONGEST_FRAME = 64 * 1024
AGAIN_S = 0.1
CONNECT_S = 0.5

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(LineHalt).decode


class StopLine:
    """Hears stops in its own thread. Other methods may be called from any thread and never wait long."""

    def __init__(self, address: LineAddress, robot: str, on_halt: Callable[[LineHalt], None]) -> None:
        """Connect, now and whenever the line breaks.

        Args:
            address: Of the service.
            robot: Whose line this is.
            on_halt: Called with each stop, in the thread of the line; must be short.
        """
        self._address, self._robot, self._on_halt = address, robot, on_halt
        self._socket: socket.socket | None = None
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="openpendant-stop-line", daemon=True)
        self._thread.start()

    def reply(self, number: int, *, obeyed: bool, reason: str = "") -> None:
        """Say whether a stop was obeyed."""
        self._send(LineReply(number=number, obeyed=obeyed, reason=reason))

    def report_rest(self, number: int, rest_s: float, distance_m: float, how: str) -> None:
        """Say that the robot is at rest after a stop, and what that took."""
        self._send(LineRest(number=number, rest_s=rest_s, distance_m=distance_m, how=how))

    def close(self) -> None:
        """End the connection."""
        self._ended.set()
        with self._lock:
            if self._socket is not None:
                with contextlib.suppress(OSError):
                    self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(1.0)

    def _send(self, message: LineHello | LineReply | LineRest) -> None:
        raw = _encode(message)
        frame = HEADER.pack(len(raw)) + raw
        with self._lock:
            if self._socket is None:
                return
            # The thread that moves the robot comes by here: it never waits. A line that takes nothing is broken.
            try:
                sent = self._socket.send(frame, socket.MSG_DONTWAIT)
            except OSError:
                sent = 0
            if sent < len(frame):
                with contextlib.suppress(OSError):
                    self._socket.shutdown(socket.SHUT_RDWR)

    def _run(self) -> None:
        while not self._ended.is_set():
            with contextlib.suppress(OSError, EOFError, msgspec.MsgspecError):
                self._listen(socket.create_connection(("127.0.0.1", self._address.port), CONNECT_S))
            self._ended.wait(AGAIN_S)

    def _listen(self, line: socket.socket) -> None:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self._lock:
            self._socket = line
        try:
            here = self._address
            self._send(LineHello(secret=here.secret, project=here.project, robot=self._robot))
            line.settimeout(None)
            while not self._ended.is_set():
                (size,) = HEADER.unpack(_exactly(line, HEADER.size))
                if size > LONGEST_FRAME:
                    raise EOFError
                self._on_halt(_decode(_exactly(line, size)))
        finally:
            with self._lock:
                self._socket = None
            line.close()


def _exactly(line: socket.socket, size: int) -> bytes:
    parts = b""
    while len(parts) < size:
        part = line.recv(size - len(parts))
        if not part:
            raise EOFError
        parts += part
    return parts
