"""StopSocket: a connection to the stop service of a server, kept open so that a stop goes out at once."""

import itertools
import ssl
import threading
import time
from collections.abc import Mapping

import msgspec

from openpendant.errors import InputError, LinkError
from openpendant.projects.operate import RobotStop, Stop, Stopped

from .socket import ClientSocket

__all__ = ["StopSocket"]

OPEN_S = 5.0
ANSWER_S = 5.0
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Stopped).decode


class StopSocket:
    """The path of a stop that shares nothing with the rest of the server. Calls may come from any thread."""

    def __init__(
        self, url: str, headers: Mapping[str, str] | None = None, ssl_context: ssl.SSLContext | None = None
    ) -> None:
        """Connect in the background; where that fails, `stop` tries again."""
        self._url, self._headers, self._ssl = url, headers, ssl_context
        self._numbers = itertools.count(1)
        self._changed = threading.Condition()
        self._answers: dict[int, Stopped] = {}
        self._socket: ClientSocket | None = None
        self._lost = False
        self._opening = threading.Lock()
        threading.Thread(target=self._open, name="openpendant stop socket", daemon=True).start()

    def stop(self) -> int | None:
        """Send a stop; return its number, None where the service cannot be reached."""
        number = next(self._numbers)
        text = _encode(Stop(id=number)).decode()
        for _ in range(2):
            socket = self._open()
            if socket is None:
                return None
            try:
                socket.send(text)
            except LinkError:
                self._lost = True
            else:
                return number
        return None

    def check(self, number: int) -> tuple[RobotStop, ...]:
        """Wait until the service has answered; return what it did to each robot.

        Raises:
            InputError: A robot was not reached; says which and why.
            LinkError: No answer.
        """
        deadline = time.monotonic() + ANSWER_S
        with self._changed:
            while number not in self._answers:
                if not self._changed.wait(max(0.0, deadline - time.monotonic())):
                    raise LinkError(f"neither the server nor its stop service has answered within {ANSWER_S:g} s")
            answer = self._answers[number]
        missed = [f"{one.robot}: {one.reason}" for one in answer.robots if not one.reached]
        if missed:
            raise InputError(f"not stopped: {'; '.join(missed)}")
        return answer.robots

    def close(self) -> None:
        """Close the connection."""
        with self._opening:
            socket, self._socket = self._socket, None
            self._url = ""
        if socket is not None:
            socket.close()

    def _open(self) -> ClientSocket | None:
        with self._opening:
            if self._lost and self._socket is not None:
                self._socket.close()
                self._socket = None
            if self._socket is None and self._url:
                self._lost = False
                try:
                    self._socket = ClientSocket(
                        self._url,
                        self._take,
                        self._lose,
                        headers=self._headers,
                        ssl_context=self._ssl,
                        within_s=OPEN_S,
                    )
                except LinkError:
                    return None
            return self._socket

    def _take(self, text: str | bytes) -> None:
        try:
            answer = _decode(text)
        except msgspec.MsgspecError:
            return
        with self._changed:
            self._answers = {number: one for number, one in self._answers.items() if number > answer.id - 10}
            self._answers[answer.id] = answer
            self._changed.notify_all()

    def _lose(self, _: str) -> None:
        self._lost = True
