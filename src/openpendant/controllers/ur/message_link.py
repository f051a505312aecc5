"""MessageLink: the primary interface, which carries messages, the calibration and scripts."""

import contextlib

from openpendant.controllers.dialler import CHUNK, ByteLink
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

PORT = 30001


class MessageLink:
    """Messages come in, scripts go out. No call waits."""

    def __init__(self, address: str, link: ByteLink) -> None:
        """Begin on a link that is ready."""
        self.address = address
        self.kinematics: KinematicsInfo | None = None
        self.configuration: ConfigurationInfo | None = None
        self._link = link
        self._framer = MessageFramer()
        self._outbox = b""

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
        """End the connection at once: a script that has not been sent must not arrive later."""
        self._link.close(reset=True)

    def _learn(self, payload: bytes) -> None:
        with contextlib.suppress(OpenPendantError):
            for package in decode_robot_state(payload):
                if isinstance(package, KinematicsInfo):
                    self.kinematics = package
                elif isinstance(package, ConfigurationInfo):
                    self.configuration = package

    def _receive(self) -> list[tuple[int, bytes]]:
        found: list[tuple[int, bytes]] = []
        while data := self._link.receive():
            found += self._framer.feed(data)
            if self._framer.fault is not None:
                raise LinkError(say("link.fault", address=f"{self.address}:{PORT}", why=str(self._framer.fault)))
            if len(data) < CHUNK:
                break
        return found

    def _send(self) -> None:
        if self._outbox:
            self._outbox = self._outbox[self._link.send(self._outbox) :]
