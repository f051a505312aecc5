r"""Datagrams in programs: SocketCreate \UDP, SocketSendTo, SocketReceiveFrom."""

from collections.abc import Mapping
from typing import Any

from openpendant.dialects.rapid import HostRoutine, HostWait, RapidFailure, TaskCaller, host_routine
from openpendant.virtual.wire import ProgramSockets

from .device_data import longest_of, payload_of, put_received
from .socket_routines import BOUND, ProgramSocket, SocketRoutines

Given = Mapping[str, Any]


def datagram_routines(sockets: ProgramSockets, programs: SocketRoutines) -> tuple[HostRoutine, ...]:
    """Return the routines around the sockets of programs that send datagrams."""

    def made(given: Given) -> ProgramSocket:
        one = programs.made(given["Socket"])
        if not one.datagrams:
            raise RapidFailure("ERR_SOCK_UNSPEC", r"the socket was created without \UDP")
        return one

    def send(_task: TaskCaller, given: Given) -> None:
        one, port = made(given), given["RemotePort"]
        if port % 1.0 or not 1 <= port < 65536:
            raise RapidFailure("ERR_SOCK_ADDR_INVALID", f"port {port:g}; 1 to 65535 are allowed")
        if one.status != BOUND and not sockets.bind_datagrams(0, one.name):
            raise RapidFailure("ERR_SOCK_UNSPEC", "no port is free")
        one.status = BOUND
        if not sockets.send_to(one.name, given["RemoteAddress"], int(port), payload_of(given)):
            raise RapidFailure("ERR_SOCK_NET_UNREACH", "programs may send to this computer only")

    def receive(_task: TaskCaller, given: Given) -> HostWait:
        one = made(given)
        if one.status != BOUND:
            raise RapidFailure("ERR_SOCK_NOT_BOUND", "the socket is not bound")
        until = programs.until(given)
        while (came := sockets.receive_from(one.name)) is None:
            programs.check(until, "nothing received in time")
            yield
            programs.same(given["Socket"], one)
        data, address, port = came
        # What does not fit is lost, as the rest of a datagram always is.
        put_received(given, data[: longest_of(given)])
        given["RemoteAddress"].set(address)
        given["RemotePort"].set(float(port))

    return (
        host_routine("SocketSendTo", send),
        host_routine("SocketReceiveFrom", receive, waits=True),
    )
