"""RwsLink: requests to Robot Web Services over one connection, one after the other, and their answers."""

import secrets
from collections import deque
from http import HTTPStatus

import h11

from openpendant.controllers.dialler import CHUNK, ByteLink, Dialler
from openpendant.errors import ControllerError, LinkError
from openpendant.protocols import ProtocolError
from openpendant.protocols.rws import (
    DigestChallenge,
    RwsCall,
    RwsFailure,
    RwsState,
    decode_failure,
    decode_states,
    encode_call,
    parse_challenge,
)
from openpendant.said import say

LATE_NS = 10_000_000_000
"""An answer may take this long: a controller loads and links a module meanwhile."""
MOST_HEAD = 1 << 16
COOKIES = ("-http-session-", "ABBCX")
"""What a session is known by; others of the controller are sent back as well."""


class RwsLogin:
    """The user, the challenge of the controller and its cookies: what all connections of a client share."""

    def __init__(self, user: str, password: str) -> None:
        """Begin logged out."""
        self._user, self._password = user, password
        self._challenge: DigestChallenge | None = None
        self._count = 0
        self._cookies: dict[str, str] = {}

    def headers(self, method: str, target: str) -> list[tuple[str, str]]:
        """Return the headers that go with a request."""
        found: list[tuple[str, str]] = []
        if self._cookies:
            found.append(("Cookie", "; ".join(f"{name}={value}" for name, value in self._cookies.items())))
        if self._challenge is not None:
            self._count += 1
            token = secrets.token_hex(8)
            authorization = self._challenge.authorization(
                self._user, self._password, method, target, count=self._count, token=token
            )
            found.append(("Authorization", authorization))
        return found

    def note(self, headers: list[tuple[str, str]]) -> None:
        """Keep cookies, and take up a challenge.

        Raises:
            ProtocolError: Another kind of login is asked for.
        """
        for name, value in headers:
            if name == "set-cookie":
                key, equals, rest = value.partition(";")[0].partition("=")
                if equals:
                    self._cookies[key.strip()] = rest.strip()
            elif name == "www-authenticate":
                self._challenge, self._count = parse_challenge(value), 0


class RwsExchange:
    """A request, and its answer when it has come."""

    def __init__(self, call: RwsCall) -> None:
        """Ask."""
        self.call = call
        self.states: tuple[RwsState, ...] = ()
        self.body = b""
        self.refusal: RwsFailure | None = None
        self.over = False
        """Whether the answer is there."""
        self.sent_ns = 0
        self.tries = 0


class RwsLink:
    """One connection. A controller that closes it between two requests is dialled again."""

    def __init__(self, dialler: Dialler, host: str, port: int, login: RwsLogin) -> None:
        """Begin to dial."""
        self._dialler, self._host, self._port, self._login = dialler, host, port, login
        self._waiting: deque[RwsExchange] = deque()
        self._under_way: RwsExchange | None = None
        self._head: h11.Response | None = None
        self._body = bytearray()
        self._outbox = b""
        self._dial()

    @property
    def address(self) -> str:
        """Where it leads to."""
        return f"{self._host}:{self._port}"

    @property
    def idle(self) -> bool:
        """Whether nothing is asked."""
        return self._under_way is None and not self._waiting

    def request(self, call: RwsCall, *, first: bool = False) -> RwsExchange:
        """Ask after all that has been asked, or `first`: before what has not been sent."""
        made = RwsExchange(call)
        if first:
            self._waiting.appendleft(made)
        else:
            self._waiting.append(made)
        return made

    def forget(self) -> None:
        """Do not ask what has not been sent."""
        self._waiting.clear()

    def poll(self, now_ns: int) -> None:
        """Send and take in what can be.

        Raises:
            LinkError: The connection is broken, or an answer is late.
            ControllerError: The controller does not let this user in.
        """
        if not self._link.ready():
            return
        self._send()
        while data := self._receive():
            self._feed(data)
            if len(data) < CHUNK:
                break
        if self._under_way is None and self._waiting:
            self._begin(self._waiting.popleft(), now_ns)
        if self._under_way is not None and now_ns - self._under_way.sent_ns > LATE_NS:
            raise LinkError(say("link.late", address=self.address))

    def close(self) -> None:
        """End it at once: what is on its way is not to arrive later."""
        self._link.close(reset=True)

    def _dial(self) -> None:
        self._link: ByteLink = self._dialler.dial(self._host, self._port)
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=MOST_HEAD)
        self._outbox = b""

    def _receive(self) -> bytes:
        try:
            return self._link.receive()
        except LinkError:
            if self._under_way is not None:
                raise
            self._link.close()
            self._dial()
            return b""

    def _begin(self, ask: RwsExchange, now_ns: int) -> None:
        method, target, body = encode_call(ask.call)
        headers = [("Host", self._host), *self._login.headers(method, target)]
        if method == "POST":
            headers.append(("Content-Type", "application/x-www-form-urlencoded"))
        if body or method in ("POST", "PUT"):
            headers.append(("Content-Length", str(len(body))))
        ask.tries += 1
        ask.sent_ns, self._under_way = now_ns, ask
        self._head = None
        self._body.clear()
        events: list[h11.Event] = [h11.Request(method=method, target=target, headers=headers)]
        if body:
            events.append(h11.Data(body))
        for event in (*events, h11.EndOfMessage()):
            self._outbox += self._http.send(event) or b""
        self._send()

    def _send(self) -> None:
        if self._outbox:
            self._outbox = self._outbox[self._link.send(self._outbox) :]

    def _feed(self, data: bytes) -> None:
        try:
            self._http.receive_data(data)
            while True:
                event = self._http.next_event()
                match event:
                    case h11.Response():
                        self._head = event
                    case h11.Data():
                        self._body += event.data
                    case h11.EndOfMessage():
                        self._finish()
                        return
                    case _:
                        return
        except h11.RemoteProtocolError as error:
            raise LinkError(say("link.fault", address=self.address, why=str(error))) from None
        except ProtocolError as error:
            raise LinkError(say("link.fault", address=self.address, why=error.said)) from None

    def _finish(self) -> None:
        ask, head = self._under_way, self._head
        if ask is None or head is None:
            raise h11.RemoteProtocolError("an answer without a request")
        self._under_way = None
        self._login.note([(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in head.headers])
        if self._http.our_state is h11.DONE and self._http.their_state is h11.DONE:
            self._http.start_next_cycle()
        else:
            # This server wants a connection for each request.
            self._link.close()
            self._dial()
        status = HTTPStatus(head.status_code)
        if status == HTTPStatus.UNAUTHORIZED:
            if ask.tries > 1:
                raise ControllerError(say("link.login", address=self.address))
            self._waiting.appendleft(ask)
            return
        if status >= HTTPStatus.BAD_REQUEST:
            ask.refusal = decode_failure(status, bytes(self._body))
        ask.body = bytes(self._body)
        if ask.refusal is None and ask.body and ask.call.as_json:
            ask.states = decode_states(ask.body)
        ask.over = True
