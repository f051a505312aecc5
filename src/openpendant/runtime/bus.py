"""Bus: a Zenoh session that reaches this machine only.

One process of a cell is the hub: it listens on a loopback port that the system chooses. The others join it by its
endpoint. Nothing is scouted for; no router is needed. Callbacks come on threads of Zenoh and must be short.
"""

import json
import socket
import threading
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import quote

import zenoh

from openpendant.errors import InputError, OpenPendantError
from openpendant.said import say

HOST = "127.0.0.1"
TRIES = 20
CONNECT_S = 5.0


class BusError(OpenPendantError):
    """The bus cannot be reached, or no reply comes on it."""


def key(*parts: str) -> str:
    """Return the parts as a key, whatever characters are in them.

    Raises:
        InputError: A part is empty.
    """
    if not all(parts):
        raise InputError(f"a key has parts {parts}; none may be empty")
    return "/".join(quote(part, safe="") for part in parts)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _config(mode: str, listen: list[str], connect: list[str]) -> zenoh.Config:
    config = zenoh.Config()
    for name, value in {
        "mode": mode,
        "scouting/multicast/enabled": False,
        "scouting/gossip/enabled": False,
        "scouting/delay": 0,
        "listen/endpoints": listen,
        "listen/exit_on_failure": True,
        "connect/endpoints": connect,
        "connect/timeout_ms": int(CONNECT_S * 1000),
        # A busy interpreter delays others no longer than this; dead peers are noticed by their closed sockets.
        "transport/link/tx/lease": 10_000,
    }.items():
        config.insert_json5(name, json.dumps(value))  # pyright: ignore[reportUnknownMemberType]
    return config


class Bus:
    """A session on the bus of one cell. Close it, or use it as a context."""

    def __init__(self, session: "zenoh.Session", endpoint: str) -> None:
        """Take over an open session; use `hub` or `join`."""
        self._session = session
        self.endpoint = endpoint
        """What others join by."""
        self._publishers: dict[str, Any] = {}
        self._lock = threading.Lock()
        self._kept: list[Any] = []
        self._closed = False

    @classmethod
    def hub(cls) -> "Bus":
        """Open the bus of a cell on a loopback port that the system chooses.

        Raises:
            BusError: No port is available.
        """
        fault: Exception | None = None
        for _ in range(TRIES):
            endpoint = f"tcp/{HOST}:{_free_port()}"
            try:
                return cls(zenoh.open(_config("router", [endpoint], [])), endpoint)
            except zenoh.ZError as error:  # somebody else was quicker to take the port
                fault = error
        raise BusError(say("bus.no_port", tries=TRIES, why=str(fault)))

    @classmethod
    def join(cls, endpoint: str) -> "Bus":
        """Join the bus of a cell; after a loss of the link the session joins again by itself.

        Raises:
            InputError: Not a loopback endpoint, as tcp/127.0.0.1:7447.
            BusError: Nothing listens there.
        """
        if not endpoint.startswith("tcp/127."):
            raise InputError(f"endpoint {endpoint!r}; allowed: loopback, as tcp/127.0.0.1:7447")
        try:
            return cls(zenoh.open(_config("client", [], [endpoint])), endpoint)
        except zenoh.ZError as error:
            raise BusError(say("bus.no_cell", endpoint=endpoint, why=str(error))) from None

    def __enter__(self) -> "Bus":
        """Use it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._closed

    def publish(self, where: str, payload: bytes, *, newest: bool = True) -> None:
        """Send a sample to whoever listens.

        Args:
            where: The key.
            payload: The message.
            newest: Whether only the newest counts: it is dropped rather than waited for when the way is blocked.
        """
        if self._closed:
            return
        publisher = self._publishers.get(where)
        if publisher is None:
            control = zenoh.CongestionControl.DROP if newest else zenoh.CongestionControl.BLOCK
            with self._lock:
                # Each priority has its own queue: what waits must not hold up what is dropped.
                priority = zenoh.Priority.REAL_TIME if newest else zenoh.Priority.DATA
                publisher = self._publishers[where] = self._session.declare_publisher(
                    where, congestion_control=control, priority=priority, express=True
                )
        try:
            publisher.put(payload)  # pyright: ignore[reportUnknownMemberType]
        except zenoh.ZError as error:
            if not self._closed:
                raise BusError(say("bus.not_published", key=where, why=str(error))) from None

    def listen(self, where: str, on_change: Callable[[str, bytes], None]) -> Callable[[], None]:
        """Call `on_change` with key and payload of what is published on a key (`*`: any one part); return its end."""

        def sample(one: zenoh.Sample) -> None:
            if not self._closed:
                on_change(str(one.key_expr), one.payload.to_bytes())

        subscriber = self._session.declare_subscriber(where, sample)
        self._kept.append(subscriber)

        def end() -> None:
            if not self._closed and subscriber in self._kept:
                self._kept.remove(subscriber)
                subscriber.undeclare()  # pyright: ignore[reportUnknownMemberType]

        return end

    def serve(self, where: str, serve_one: Callable[[bytes, Callable[[bytes], None]], None]) -> None:
        """Call `serve_one` with each question and the function that replies to it, at once or later."""

        def asked(query: zenoh.Query) -> None:
            payload = b"" if query.payload is None else query.payload.to_bytes()
            if not self._closed:
                serve_one(payload, lambda reply: _reply(query, where, reply))

        self._kept.append(self._session.declare_queryable(where, asked))

    def request(self, where: str, payload: bytes, deadline_s: float) -> bytes:
        """Return the answer of whoever serves a key.

        Raises:
            BusError: The key is not served, or no reply came before the deadline.
        """
        serve_one = self.request_each((where,), payload, deadline_s)[where]
        if isinstance(serve_one, BusError):
            raise serve_one
        return serve_one

    def request_each(self, wheres: Iterable[str], payload: bytes, deadline_s: float) -> dict[str, bytes | BusError]:
        """Return the answers to one question by key, or why there is none.

        All requests are sent before waiting for the first reply, so that a silent peer delays no other.
        """
        found: dict[str, bytes | BusError] = {}
        asked: dict[str, Any] = {}
        for where in wheres:
            try:
                asked[where] = self._session.get(where, payload=payload, timeout=deadline_s)
            except zenoh.ZError as error:
                found[where] = BusError(say("bus.not_asked", key=where, why=str(error)))
        for where, replies in asked.items():
            found[where] = BusError(say("bus.nobody", key=where))
            try:
                for reply in replies:
                    silent = BusError(say("bus.silent", key=where, within_s=deadline_s))
                    found[where] = silent if reply.ok is None else reply.ok.payload.to_bytes()
            except zenoh.ZError as error:
                found[where] = BusError(say("bus.not_asked", key=where, why=str(error)))
        return found

    def show_alive(self, where: str) -> None:
        """Let others see by this key that we are alive: it goes when we close, or when our process ends."""
        self._kept.append(self._session.liveliness().declare_token(where))

    def watch_alive(self, where: str, on_change: Callable[[str, bool], None]) -> None:
        """Call `on_change` with key and whether it is alive, for those there are and whenever that changes."""

        def changed(one: zenoh.Sample) -> None:
            if not self._closed:
                on_change(str(one.key_expr), one.kind == zenoh.SampleKind.PUT)

        self._kept.append(self._session.liveliness().declare_subscriber(where, changed, history=True))

    def close(self) -> None:
        """Leave the bus; again is allowed."""
        if not self._closed:
            self._closed = True
            self._kept.clear()
            self._publishers.clear()
            self._session.close()  # pyright: ignore[reportUnknownMemberType]


def _reply(query: "zenoh.Query", where: str, payload: bytes) -> None:
    try:
        query.reply(where, payload)  # pyright: ignore[reportUnknownMemberType]
        query.drop()  # pyright: ignore[reportUnknownMemberType]
    except zenoh.ZError:
        # The requester has gone; the reply is dropped.
        return
