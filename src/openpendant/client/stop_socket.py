"""StopSocket: a connection to the stop service of a server, kept open so that a stop goes out at once."""

import itertools
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

import msgspec

from openpendant.errors import LinkError
from openpendant.messages.operation import Stop, Stopped
from openpendant.projects.stop_reports import is_settled

from .socket import ClientSocket

OPEN_S = 5.0
"""Time that opening may take; a stop that was not sent by then is not sent: it would hit what begins after it."""
KEPT_STOPS = 10
AGAIN_S = 0.1
"""Between two tries to reach the service for a stop that waits."""
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Stopped).decode


class _Unsent(NamedTuple):
    """A stop that has not gone out yet."""

    press: str
    until_s: float
    """When it is too late, monotonic."""


class StopSocket:
    """The path of a stop that shares nothing with the rest of the server. Calls may come from any thread; none waits.

    A separate thread opens the connection and sends, so that a service that hangs blocks nothing else.
    """

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str] | None = None,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        """Connect in the background; where that fails, `stop` tries again.

        Args:
            url: Of the project at the stop service.
            headers: Sent with the opening request.
            ssl_context: For wss://.
        """
        self._url, self._headers, self._ssl = url, headers, ssl_context
        self._numbers = itertools.count(1)
        self._changed = threading.Condition()
        self._unsent: dict[int, _Unsent] = {}
        """Stops that have not gone out yet."""
        self.replies: dict[int, Stopped] = {}
        """What the service has said of the last stops, by number."""
        self._socket: ClientSocket | None = None
        self._lost = self._closed = False
        threading.Thread(target=self._run, name="openpendant stop socket", daemon=True).start()

    def stop(self, press: str) -> int:
        """Have a stop sent now, or as soon as the service can be reached; return its number.

        Args:
            press: As `Stop.press`.
        """
        with self._changed:
            number = next(self._numbers)
            self._unsent[number] = _Unsent(press, time.monotonic() + OPEN_S)
            self._changed.notify_all()
        return number

    def withdraw(self, number: int) -> None:
        """Do not send a stop that has not been sent: it was obeyed, and would only hit what begins next.

        Args:
            number: Of the stop, as `stop` has returned it.
        """
        with self._changed:
            self._unsent.pop(number, None)

    def wait_settled(self, number: int, until_s: float) -> Stopped | None:
        """Wait until all robots that the service has reached are at rest; return what it has said of the stop by then.

        Args:
            number: Of the stop, as `stop` has returned it.
            until_s: When to wait no longer, monotonic.
        """

        def settled() -> bool:
            reply = self.replies.get(number)
            return self._closed or (reply is not None and is_settled(reply))

        with self._changed:
            self._changed.wait_for(settled, until_s - time.monotonic())
            return self.replies.get(number)

    def close(self) -> None:
        """Close the connection; one that is just being opened is closed when it is."""
        with self._changed:
            self._closed = True
            self._unsent.clear()
            socket, self._socket = self._socket, None
            self._changed.notify_all()
        if socket is not None:
            socket.close()

    def _run(self) -> None:
        socket = self._open()
        while self._wait(lambda: bool(self._unsent)):
            if socket is None or self._lost:
                socket = self._open()
            if socket is None or not self._send(socket):
                self._wait(lambda: False, AGAIN_S)

    def _wait(self, there: Callable[[], bool], within_s: float | None = None) -> bool:
        """Wait until something is there, the time has passed, or this is closed; return whether it is not."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or there(), within_s)
            now = time.monotonic()
            self._unsent = {number: one for number, one in self._unsent.items() if now < one.until_s}
            return not self._closed

    def _send(self, socket: ClientSocket) -> bool:
        """Send the stops that wait; return whether they got out. Those that did not stay for another try."""
        while True:
            with self._changed:
                number = next(iter(self._unsent), 0)
                unsent = self._unsent.pop(number, None)
            if unsent is None:
                return True
            try:
                socket.send(_encode(Stop(id=number, press=unsent.press)).decode())
            except LinkError:
                self._lost = True
                with self._changed:
                    self._unsent[number] = unsent
                return False

    def _open(self) -> ClientSocket | None:
        """Open the connection, in place of one that was lost."""
        with self._changed:
            before, self._socket = self._socket, None
            if self._closed:
                return None
        if before is not None:
            before.close()
        self._lost = False
        try:
            socket = ClientSocket(
                self._url, self._receive, self._lose, headers=self._headers, ssl_context=self._ssl, within_s=OPEN_S
            )
        except LinkError:
            return None
        with self._changed:
            self._socket = None if self._closed else socket
        if self._closed:
            socket.close()
            return None
        return socket

    def _receive(self, text: str | bytes) -> None:
        try:
            reply = _decode(text)
        except msgspec.MsgspecError:
            return
        with self._changed:
            recent = {number: one for number, one in self.replies.items() if number > reply.id - KEPT_STOPS}
            self.replies = recent | {reply.id: reply}
            self._changed.notify_all()

    def _lose(self, _: str) -> None:
        self._lost = True
