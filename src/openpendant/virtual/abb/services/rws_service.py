"""RwsService: Robot Web Services on the controller's HTTP port: login, sessions, subscriptions, answers."""

import secrets
from collections.abc import Callable
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from itertools import count

from openpendant.protocols.rws import (
    NOT_MASTER,
    SUBPROTOCOL,
    UNNAMED,
    XHTML,
    DigestChallenge,
    DigestRealm,
    RwsCall,
    RwsFailure,
    RwsOperation,
    encode_events,
    encode_failure,
    encode_states,
    encode_subscribed,
    parse_call,
    parse_interests,
)
from openpendant.virtual.abb.controller import AbbController
from openpendant.virtual.abb.refusal import ControllerRefusal, NotThere
from openpendant.virtual.wire import Header, HttpClient, HttpService, Request

from .mastership import Mastership, NotMaster
from .rws_replies import RwsFile, RwsReplies
from .rws_watch import RwsWatch

REALM = "validusers@robapi.abb"
USERS = {"Default User": "robotics"}
"""As controllers are delivered."""
COOKIE = "ABBCX"
MOST_SESSIONS, MOST_GROUPS = 70, 64
CHECKS_PER_S = 50
"""How often subscriptions look for news."""


class RwsService(HttpService):
    """Answers for a controller; `renew` begins again after a reboot.

    Attributes:
        host: Address, with the port where that is not 80; as links say it.
        mastership: Who may change what.
    """

    def __init__(self, brain: Callable[[], AbbController], host: str, ticks_per_s: int) -> None:
        """Serve the controller that `brain` returns; `send_due` is called this many times a second."""
        super().__init__()
        self._make, self.host = brain, host
        self._every = max(1, ticks_per_s // CHECKS_PER_S)
        self._ticks = 0
        self.renew()

    def renew(self) -> None:
        """Forget all sessions, and ask the controller that is there now."""
        self._brain = brain = self._make()
        self._realm = DigestRealm(REALM, USERS, lambda: secrets.token_hex(16))
        self.mastership = Mastership(brain.panel)
        self._replies = RwsReplies(brain, self.mastership)
        self._sessions: dict[str, None] = {}
        self._groups: dict[str, RwsWatch] = {}
        self._listeners: dict[HttpClient, str] = {}
        self._numbers = count(1)

    def serve(self, client: HttpClient, request: Request) -> None:
        """Log in, find the session, answer."""
        headers: list[Header] = []
        try:
            self._reply(client, request, headers)
        except RwsFailure as failure:
            refusal = failure
        except NotThere as why:
            refusal = RwsFailure(HTTPStatus.NOT_FOUND, str(why))
        except ControllerRefusal as why:
            code = NOT_MASTER if isinstance(why, NotMaster) else UNNAMED
            refusal = RwsFailure(HTTPStatus.FORBIDDEN, str(why), code)
        else:
            return
        as_json = ("json", "1") in request.query
        kind, body = encode_failure(refusal, as_json=as_json)
        client.respond(refusal.status, body, kind, headers)

    def client_left(self, client: HttpClient) -> None:
        """Forget a subscription whose websocket is gone."""
        group = self._listeners.pop(client, None)
        if group is not None:
            self._groups.pop(group, None)

    def send_due(self) -> None:
        """Send subscribers what is new; once per tick."""
        self._ticks += 1
        if self._ticks % self._every == 0:
            for client, group in list(self._listeners.items()):
                self._send_events(client, group)

    def _reply(self, client: HttpClient, request: Request, headers: list[Header]) -> None:
        who = self._realm.user_of(request.method, request.target, request.headers.get("authorization", ""))
        if isinstance(who, DigestChallenge):
            headers.append(("WWW-Authenticate", who.encode()))
            raise RwsFailure(HTTPStatus.UNAUTHORIZED, "log in by digest authentication")
        session = self._session(request, headers)
        call = parse_call(request.method, request.path, request.query, request.body)
        match call.operation:
            case RwsOperation.SUBSCRIBE:
                group = self._subscribe(call)
                headers.append(("Location", f"ws://{self.host}/poll/{group}"))
                client.respond(HTTPStatus.CREATED, encode_subscribed(self.host, group), XHTML, headers)
            case RwsOperation.POLL:
                self._listen(client, request, call.names[0])
            case RwsOperation.UNSUBSCRIBE:
                self._unsubscribe(call.names[0])
                client.respond(HTTPStatus.OK, headers=headers)
            case RwsOperation.LOG_OUT:
                self._sessions.pop(session, None)
                self.mastership.forget(session)
                client.respond(HTTPStatus.OK, headers=headers)
            case _:
                self._respond(client, request, call, session, headers)

    def _respond(
        self, client: HttpClient, request: Request, call: RwsCall, session: str, headers: list[Header]
    ) -> None:
        reply = self._replies.reply_to(call, session)
        if isinstance(reply, HTTPStatus):
            client.respond(reply, headers=headers)
        elif isinstance(reply, RwsFile):
            client.respond(HTTPStatus.OK, reply.data, "application/octet-stream", headers)
        else:
            base, _, itself = request.path.lstrip("/").rpartition("/")
            kind, body = encode_states(reply, f"http://{self.host}/{base}/", itself, as_json=call.as_json)
            client.respond(HTTPStatus.OK, body, kind, headers)

    def _session(self, request: Request, headers: list[Header]) -> str:
        """Return the session of a request; a new one where it has none."""
        cookie: SimpleCookie = SimpleCookie()
        try:
            cookie.load(request.headers.get("cookie", ""))
        except CookieError:
            cookie.clear()
        found = cookie[COOKIE].value if COOKIE in cookie else ""
        if found in self._sessions:
            return found
        if len(self._sessions) >= MOST_SESSIONS:
            oldest = next(iter(self._sessions))
            del self._sessions[oldest]
            self.mastership.forget(oldest)
        made = secrets.token_hex(8)
        self._sessions[made] = None
        headers.append(("Set-Cookie", f"{COOKIE}={made}; path=/; httponly"))
        return made

    def _subscribe(self, call: RwsCall) -> int:
        if len(self._groups) >= MOST_GROUPS:
            raise RwsFailure(HTTPStatus.SERVICE_UNAVAILABLE, f"{MOST_GROUPS} subscriptions are active")
        group = next(self._numbers)
        self._groups[str(group)] = RwsWatch(self._brain, parse_interests(call.fields))
        return group

    def _unsubscribe(self, group: str) -> None:
        if self._groups.pop(group, None) is None:
            raise NotThere(f"no subscription {group[:20]}")
        for client in [one for one, of in self._listeners.items() if of == group]:
            del self._listeners[client]
            client.link.close()

    def _listen(self, client: HttpClient, request: Request, group: str) -> None:
        if group not in self._groups:
            raise NotThere(f"no subscription {group[:20]}")
        if request.upgrade != "websocket":
            raise RwsFailure(HTTPStatus.BAD_REQUEST, "events come over a websocket")
        client.upgrade(request, subprotocols=(SUBPROTOCOL,))
        self._listeners[client] = group
        self._send_events(client, group)

    def _send_events(self, client: HttpClient, group: str) -> None:
        watch = self._groups.get(group)
        # A message for each: abb-robot-client reads one event of a message.
        for event in () if watch is None else watch.events():
            client.send(encode_events(self.host, int(group), (event,)))
