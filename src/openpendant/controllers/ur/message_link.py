"""MessageLink: the primary interface, where the controller speaks in words, tells its calibration, takes scripts."""

import contextlib
import socket
import struct

from openpendant.errors import LinkError, OpenPendantError
from openpendant.protocols.ur_primary import (
    ROBOT_MESSAGE,
    ROBOT_STATE,
    ConfigurationInfo,
    KinematicsInfo,
    MessageFramer,
    RobotMessage,
    UnknownRobotMessage,
    decode_robot_message,
    decode_robot_state,
)
from openpendant.said import say

from .state_link import connect_socket

PORT = 30001
CHUNK = 65536
RESET = struct.pack("ii", 1, 0)


class MessageLink:
    """Messages come in, scripts go out. `open` waits; all else does not."""

    def __init__(self, address: str, sock: socket.socket) -> None:
        """Made by `open`."""
        self.address = address
        self.kinematics: KinematicsInfo | None = None
        self.configuration: ConfigurationInfo | None = None
        self._socket = sock
        self._framer = MessageFramer()
        self._outbox = b""
        sock.settimeout(0.0)

    @classmethod
    def open(cls, address: str, timeout_s: float) -> "MessageLink":
        """Connect; raises LinkError where nobody answers."""
        return cls(address, connect_socket(address, PORT, timeout_s))

    @property
    def waits(self) -> bool:
        """Whether a script has not been sent completely."""
        return bool(self._outbox)

    def send_script(self, text: str) -> None:
        """Send a script; the controller runs it when its last line has come."""
        self._outbox += text.encode() + (b"" if text.endswith("\n") else b"\n")
        self._send()

    def poll(self) -> list[RobotMessage | UnknownRobotMessage]:
        """Return the messages that have come.

        Raises:
            LinkError: The connection is broken.
        """
        self._send()
        found: list[RobotMessage | UnknownRobotMessage] = []
        for kind, payload in self._receive():
            if kind == ROBOT_MESSAGE:
                with contextlib.suppress(OpenPendantError):
                    found.append(decode_robot_message(payload))
            elif kind == ROBOT_STATE and (self.kinematics is None or self.configuration is None):
                self._learn(payload)
        return found

    def close(self) -> None:
        """End the connection at once: a script that is still on its way is not to arrive later."""
        with contextlib.suppress(OSError):
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            self._socket.close()

    def _learn(self, payload: bytes) -> None:
        with contextlib.suppress(OpenPendantError):
            for package in decode_robot_state(payload):
                if isinstance(package, KinematicsInfo):
                    self.kinematics = package
                elif isinstance(package, ConfigurationInfo):
                    self.configuration = package

    def _receive(self) -> list[tuple[int, bytes]]:
        found: list[tuple[int, bytes]] = []
        while True:
            try:
                data = self._socket.recv(CHUNK)
            except BlockingIOError:
                return found
            except OSError as error:
                raise LinkError(self._lost(error)) from None
            if not data:
                raise LinkError(say("link.closed_by", address=f"{self.address}:{PORT}"))
            found += self._framer.feed(data)
            if self._framer.fault is not None:
                raise LinkError(say("link.fault", address=f"{self.address}:{PORT}", why=str(self._framer.fault)))
            if len(data) < CHUNK:
                return found

    def _lost(self, error: OSError) -> str:
        return say("link.lost", address=f"{self.address}:{PORT}", why=str(error.strerror or error))

    def _send(self) -> None:
        if not self._outbox:
            return
        try:
            sent = self._socket.send(self._outbox)
        except BlockingIOError:
            return
        except OSError as error:
            raise LinkError(self._lost(error)) from None
        self._outbox = self._outbox[sent:]
