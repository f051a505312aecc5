"""Sockets in programs: SocketCreate to SocketReceive, over the controller's own sockets."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from openpendant.dialects.rapid import HostRoutine, HostWait, RapidFailure, Reference, TaskCaller, host_routine
from openpendant.virtual.wire import ProgramSockets

from .device_data import longest_of, payload_of, put_received, slot_of

Given = Mapping[str, Any]
DEFAULT_S = 60.0
"""How long accepting, connecting and receiving wait where no time is given."""
WAIT_MAX = 9_999_999.0
CLOSED, CREATED, CONNECTED, BOUND, LISTENING = range(5)
"""SOCKET_CLOSED and so on."""


@dataclass(eq=False)
class ProgramSocket:
    """What a socketdev holds: its name among the controller's sockets, and how far it has come."""

    name: str
    status: int = CREATED
    port: int = 0
    datagrams: bool = False


class SocketRoutines:
    """Programs and their sockets."""

    def __init__(self, sockets: ProgramSockets, clock: Callable[[], float], address: str) -> None:
        """Begin without a socket; `address` is the controller's own."""
        self._sockets, self._clock, self._address = sockets, clock, address
        self._numbers = count(1)

    def table(self) -> tuple[HostRoutine, ...]:
        """Return the routines."""
        return (
            host_routine("SocketCreate", self._create),
            host_routine("SocketBind", self._bind),
            host_routine("SocketListen", self._listen),
            host_routine("SocketAccept", self._accept, waits=True),
            host_routine("SocketConnect", self._connect, waits=True),
            host_routine("SocketSend", self._send, waits=True),
            host_routine("SocketReceive", self._receive, waits=True),
            host_routine("SocketClose", self._close),
            host_routine("SocketGetStatus", lambda _, given: float(self._status(given["Socket"]))),
            host_routine(
                "SocketPeek", lambda _, given: float(len(self._sockets.peek(self._open(given["Socket"]).name)))
            ),
        )

    def _create(self, _task: TaskCaller, given: Given) -> None:
        slot = slot_of(given["Socket"])
        if slot.held is not None:
            raise RapidFailure("ERR_SOCK_UNSPEC", "the socket is created already")
        slot.held = ProgramSocket(f"rapid{next(self._numbers)}", datagrams="UDP" in given)

    def _bind(self, _task: TaskCaller, given: Given) -> None:
        one = self.made(given["Socket"])
        port = given["LocalPort"]
        if one.status != CREATED:
            raise RapidFailure("ERR_SOCK_IS_BOUND", "the socket is bound already")
        if port % 1.0 or not 0 <= port < 65536:
            raise RapidFailure("ERR_SOCK_ADDR_INVALID", f"port {port:g}; 1025 to 65535 are allowed")
        if one.datagrams and not self._sockets.bind_datagrams(int(port), one.name):
            raise RapidFailure("ERR_SOCK_ADDR_INUSE", f"port {port:g} is in use")
        one.port, one.status = int(port), BOUND

    def _listen(self, _task: TaskCaller, given: Given) -> None:
        one = self._stream(given["Socket"])
        if one.status != BOUND:
            raise RapidFailure("ERR_SOCK_NOT_BOUND", "the socket is not bound")
        if not self._sockets.listen(one.port, one.name):
            raise RapidFailure("ERR_SOCK_ADDR_INUSE", f"port {one.port} is in use")
        one.status = LISTENING

    def _accept(self, _task: TaskCaller, given: Given) -> HostWait:
        one = self.made(given["Socket"])
        if one.status != LISTENING:
            raise RapidFailure("ERR_SOCK_NOT_BOUND", "the socket does not listen")
        slot = slot_of(given["ClientSocket"])
        if slot.held is not None:
            raise RapidFailure("ERR_SOCK_IS_CONN", "the client socket is in use")
        client = ProgramSocket(f"rapid{next(self._numbers)}", CONNECTED)
        until = self.until(given)
        while not self._sockets.accept(one.name, client.name):
            self.check(until, "nobody has connected in time")
            yield
            self.same(given["Socket"], one)
        slot.held = client
        if "ClientAddress" in given:
            given["ClientAddress"].set("127.0.0.1")

    def _connect(self, _task: TaskCaller, given: Given) -> HostWait:
        one = self._stream(given["Socket"])
        if one.status == CONNECTED:
            raise RapidFailure("ERR_SOCK_IS_CONN", "the socket is connected already")
        until = self.until(given)
        self._sockets.open(given["Address"], int(given["Port"]), one.name)
        while (state := self._sockets.state(one.name)) == "connecting":
            self.check(until, "the server does not answer")
            yield
            self.same(given["Socket"], one)
        if state == "refused":
            raise RapidFailure("ERR_SOCK_NET_UNREACH", "programs may connect to this computer only")
        if state == "closed":
            raise RapidFailure("ERR_SOCK_TIMEOUT", "nobody answers there")
        one.status = CONNECTED

    def _send(self, _task: TaskCaller, given: Given) -> HostWait:
        one = self._open(given["Socket"])
        data = payload_of(given)
        until = self._clock() + DEFAULT_S
        while not self._sockets.send(one.name, data):
            if self._sockets.state(one.name) != "open":
                raise RapidFailure("ERR_SOCK_CLOSED", "the connection is closed")
            self.check(until, "the other end does not read")
            yield
            self.same(given["Socket"], one)

    def _receive(self, _task: TaskCaller, given: Given) -> HostWait:
        one = self._open(given["Socket"])
        until = self.until(given)
        wanted = int(given.get("ReadNoOfBytes", 0))
        most = longest_of(given)
        while len(came := self._sockets.peek(one.name)) < max(wanted, 1):
            if self._sockets.state(one.name) != "open":
                raise RapidFailure("ERR_SOCK_CLOSED", "the connection is closed")
            self.check(until, "nothing received in time")
            yield
            self.same(given["Socket"], one)
        data = came[: wanted or most][:most]
        self._sockets.drop(one.name, len(data))
        put_received(given, data)

    def _close(self, _task: TaskCaller, given: Given) -> None:
        slot = slot_of(given["Socket"])
        if slot.held is not None:
            self._sockets.close(slot.held.name)
            slot.held = None

    def _status(self, reference: Reference) -> int:
        held = slot_of(reference).held
        if held is None:
            return CLOSED
        return CLOSED if held.status == CONNECTED and self._sockets.state(held.name) != "open" else held.status

    def made(self, reference: Reference) -> ProgramSocket:
        """Return a socket that was created.

        Raises:
            RapidFailure: ERR_SOCK_CLOSED.
        """
        held = slot_of(reference).held
        if held is None:
            raise RapidFailure("ERR_SOCK_CLOSED", "the socket is closed or was not created")
        return held

    def _stream(self, reference: Reference) -> ProgramSocket:
        one = self.made(reference)
        if one.datagrams:
            raise RapidFailure("ERR_SOCK_UNSPEC", r"a socket with \UDP has no connections")
        return one

    def _open(self, reference: Reference) -> ProgramSocket:
        one = self.made(reference)
        if one.status != CONNECTED:
            raise RapidFailure("ERR_SOCK_NOT_CONN", "the socket is not connected")
        return one

    def same(self, reference: Reference, one: ProgramSocket) -> None:
        """Fail where another task, or an interrupt, has closed the socket while this one waited."""
        if slot_of(reference).held is not one:
            raise RapidFailure("ERR_SOCK_CLOSED", "the socket was closed")

    def until(self, given: Given) -> float:
        """Return when waiting is over."""
        seconds = given.get("Time", DEFAULT_S)
        return float("inf") if seconds >= WAIT_MAX else self._clock() + seconds

    def check(self, until: float, why: str) -> None:
        """Fail where waiting is over."""
        if self._clock() >= until - 1e-9:
            raise RapidFailure("ERR_SOCK_TIMEOUT", why)
