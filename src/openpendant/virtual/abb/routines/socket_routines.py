"""Sockets in programs: SocketCreate to SocketReceive, over the controller's own sockets."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from openpendant.dialects.rapid import (
    DeviceSlot,
    HostRoutine,
    HostWait,
    RapidFailure,
    Reference,
    TaskCaller,
    host_routine,
)
from openpendant.virtual.wire import ProgramSockets

Given = Mapping[str, Any]
DEFAULT_S = 60.0
"""How long accepting, connecting and receiving wait where no time is given."""
LONGEST_STRING, LONGEST_RAW = 80, 1024
WAIT_MAX = 9_999_999.0
CLOSED, CREATED, CONNECTED, BOUND, LISTENING = range(5)
"""SOCKET_CLOSED and so on."""


@dataclass(eq=False)
class ProgramSocket:
    """What a socketdev holds: its name among the controller's sockets, and how far it has come."""

    name: str
    status: int = CREATED
    port: int = 0


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
        if "UDP" in given:
            raise RapidFailure("ERR_SOCK_UNSPEC", "this controller's programs have no UDP sockets")
        slot = _slot(given["Socket"])
        if slot.held is not None:
            raise RapidFailure("ERR_SOCK_UNSPEC", "the socket is created already")
        slot.held = ProgramSocket(f"rapid{next(self._numbers)}")

    def _bind(self, _task: TaskCaller, given: Given) -> None:
        one = self._made(given["Socket"])
        port = given["LocalPort"]
        if one.status != CREATED:
            raise RapidFailure("ERR_SOCK_IS_BOUND", "the socket is bound already")
        if port % 1.0 or not 0 <= port < 65536:
            raise RapidFailure("ERR_SOCK_ADDR_INVALID", f"port {port:g}; 1025 to 65535 are allowed")
        one.port, one.status = int(port), BOUND

    def _listen(self, _task: TaskCaller, given: Given) -> None:
        one = self._made(given["Socket"])
        if one.status != BOUND:
            raise RapidFailure("ERR_SOCK_NOT_BOUND", "the socket is not bound")
        if not self._sockets.listen(one.port, one.name):
            raise RapidFailure("ERR_SOCK_ADDR_INUSE", f"port {one.port} is in use")
        one.status = LISTENING

    def _accept(self, _task: TaskCaller, given: Given) -> HostWait:
        one = self._made(given["Socket"])
        if one.status != LISTENING:
            raise RapidFailure("ERR_SOCK_NOT_BOUND", "the socket does not listen")
        slot = _slot(given["ClientSocket"])
        if slot.held is not None:
            raise RapidFailure("ERR_SOCK_IS_CONN", "the client socket is in use")
        client = ProgramSocket(f"rapid{next(self._numbers)}", CONNECTED)
        until = self._until(given)
        while not self._sockets.accept(one.name, client.name):
            self._check(until, "nobody has connected in time")
            yield
            self._same(given["Socket"], one)
        slot.held = client
        if "ClientAddress" in given:
            given["ClientAddress"].set("127.0.0.1")

    def _connect(self, _task: TaskCaller, given: Given) -> HostWait:
        one = self._made(given["Socket"])
        if one.status == CONNECTED:
            raise RapidFailure("ERR_SOCK_IS_CONN", "the socket is connected already")
        until = self._until(given)
        self._sockets.open(given["Address"], int(given["Port"]), one.name)
        while (state := self._sockets.state(one.name)) == "connecting":
            self._check(until, "the server does not answer")
            yield
            self._same(given["Socket"], one)
        if state == "refused":
            raise RapidFailure("ERR_SOCK_NET_UNREACH", "programs may connect to this computer only")
        if state == "closed":
            raise RapidFailure("ERR_SOCK_TIMEOUT", "nobody answers there")
        one.status = CONNECTED

    def _send(self, _task: TaskCaller, given: Given) -> HostWait:
        one = self._open(given["Socket"])
        if "Str" in given:
            data = given["Str"].encode("latin-1", "replace")
        elif "RawData" in given:
            data = bytes(_raw(given["RawData"]))
        else:
            data = bytes(int(value) & 0xFF for value in given["Data"])
        data = data[: int(given["NoOfBytes"])] if "NoOfBytes" in given else data
        until = self._clock() + DEFAULT_S
        while not self._sockets.send(one.name, data):
            if self._sockets.state(one.name) != "open":
                raise RapidFailure("ERR_SOCK_CLOSED", "the connection is closed")
            self._check(until, "the other end does not read")
            yield
            self._same(given["Socket"], one)

    def _receive(self, _task: TaskCaller, given: Given) -> HostWait:
        one = self._open(given["Socket"])
        until = self._until(given)
        wanted = int(given.get("ReadNoOfBytes", 0))
        most = LONGEST_STRING if "Str" in given else LONGEST_RAW
        while len(came := self._sockets.peek(one.name)) < max(wanted, 1):
            if self._sockets.state(one.name) != "open":
                raise RapidFailure("ERR_SOCK_CLOSED", "the connection is closed")
            self._check(until, "nothing received in time")
            yield
            self._same(given["Socket"], one)
        data = came[: wanted or most][:most]
        self._sockets.drop(one.name, len(data))
        if "Str" in given:
            given["Str"].set(data.decode("latin-1"))
        elif "RawData" in given:
            _raw(given["RawData"])[:] = data
        else:
            values = given["Data"].get()
            values[: len(data)] = [float(value) for value in data[: len(values)]]
        if "NoRecBytes" in given:
            given["NoRecBytes"].set(float(len(data)))

    def _close(self, _task: TaskCaller, given: Given) -> None:
        slot = _slot(given["Socket"])
        if slot.held is not None:
            self._sockets.close(slot.held.name)
            slot.held = None

    def _status(self, reference: Reference) -> int:
        held = _slot(reference).held
        if held is None:
            return CLOSED
        return CLOSED if held.status == CONNECTED and self._sockets.state(held.name) != "open" else held.status

    def _made(self, reference: Reference) -> ProgramSocket:
        held = _slot(reference).held
        if held is None:
            raise RapidFailure("ERR_SOCK_CLOSED", "the socket is closed or was not created")
        return held

    def _open(self, reference: Reference) -> ProgramSocket:
        one = self._made(reference)
        if one.status != CONNECTED:
            raise RapidFailure("ERR_SOCK_NOT_CONN", "the socket is not connected")
        return one

    def _same(self, reference: Reference, one: ProgramSocket) -> None:
        """Fail where another task, or an interrupt, has closed the socket while this one waited."""
        if _slot(reference).held is not one:
            raise RapidFailure("ERR_SOCK_CLOSED", "the socket was closed")

    def _until(self, given: Given) -> float:
        seconds = given.get("Time", DEFAULT_S)
        return float("inf") if seconds >= WAIT_MAX else self._clock() + seconds

    def _check(self, until: float, why: str) -> None:
        if self._clock() >= until - 1e-9:
            raise RapidFailure("ERR_SOCK_TIMEOUT", why)


def _slot(reference: Reference) -> DeviceSlot:
    return reference.get()


def _raw(reference: Reference) -> bytearray:
    slot = _slot(reference)
    if slot.held is None:
        slot.held = bytearray()
    return slot.held
