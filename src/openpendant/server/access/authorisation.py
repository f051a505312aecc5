"""Authorisation: the one place where it is decided who may use which address.

On this machine everybody is an engineer without signing in. Over the network a request needs the token of
a session, and an address the role that `roles.ADDRESSES` says. What clients of a project say is held to
`roles.MESSAGES` where it is read; both go by `roles.allows`.
"""

import math
from collections.abc import Callable, Sequence
from ipaddress import IPv6Address, ip_address

from starlette.requests import HTTPConnection
from starlette.routing import BaseRoute, Match, Mount, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from openpendant.messages import Problem
from openpendant.said import say
from openpendant.server.replies import reply_json

from .access import Access
from .caller import Caller, set_caller
from .lan import is_lan
from .live_sessions import until_ended
from .rates import rate_key
from .roles import ADDRESSES, Need, allows, why_not

COOKIE = "__Host-openpendant"
"""The prefix makes browsers hold it to this host, to HTTPS and to every path."""
HERE = "this machine"
_PROJECT = "/api/projects/{name}"
NOTED: dict[tuple[str, str], str] = {
    ("GET", f"{_PROJECT}/programs/{{program}}/exports/{{form}}"): "exported",
    ("GET", f"{_PROJECT}/archive.zip"): "downloaded",
    ("POST", "/api/projects"): "project made",
    ("POST", f"{_PROJECT}/copies"): "project copied",
    ("DELETE", _PROJECT): "project removed",
    ("POST", "/api/trash/{kept}"): "project brought back",
    ("POST", "/api/archives"): "archive taken in",
    ("POST", f"{_PROJECT}/meshes"): "mesh taken in",
    ("POST", "/api/robots"): "robot taken in",
    ("DELETE", "/api/robots/{name}"): "robot removed",
}
"""What is written down of requests, beside what the addresses of access write themselves."""


class Authorisation:
    """ASGI middleware: says who asks, and refuses what they may not do."""

    def __init__(self, app: ASGIApp, access: Access, routes: Callable[[], Sequence[BaseRoute]]) -> None:
        self.app = app
        self.access = access
        self.routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it with the reason."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        caller = self._recognise(scope)
        set_caller(scope, caller)
        if not caller.local:
            wait = self.access.requests.spend(rate_key(caller.address))
            if wait > 0.0:
                problem = Problem(message=say("request.too_many", wait_s=math.ceil(wait)))
                reply = reply_json(problem, status=429)
                reply.headers["retry-after"] = str(math.ceil(wait))
                await reply(scope, receive, send)
                return
        route = self._route(scope)
        need = "public" if route is None else need_of_route(route, str(scope.get("method", "")))
        if not allows(caller.role, need):
            what = f"{scope.get('method', 'opening')} {scope['path']}"
            problem = Problem(message=why_not(caller.role, need, what))
            await reply_json(problem, status=401 if caller.role is None else 403)(scope, receive, send)
            return
        if scope["type"] == "websocket" and caller.session:
            ended = self.access.live.enter(caller.session)
            try:
                await self.app(scope, until_ended(receive, send, ended), send)
            finally:
                self.access.live.leave(caller.session, ended)
            return
        await self.app(scope, receive, self._noting(scope, caller, route, send))

    def _noting(self, scope: Scope, caller: Caller, route: BaseRoute | None, send: Send) -> Send:
        """Return a `send` that writes down what was done."""
        what = NOTED.get((str(scope.get("method", "")), str(getattr(route, "path", ""))))
        if what is None:
            return send

        async def send_and_note(message: Message) -> None:
            if message["type"] == "http.response.start":
                status = int(message["status"])
                self.access.audit.note(what, caller, path=scope["path"], status=status if status >= 400 else None)
            await send(message)

        return send_and_note

    def _recognise(self, scope: Scope) -> Caller:
        address = plain_address(scope)
        if not is_lan(scope):
            return Caller(name=HERE, role="engineer", session="", address=address, local=True)
        token = token_of(HTTPConnection(scope))
        found = self.access.sessions.find(token, address) if token else None
        if found is None:
            stranger = Caller(name="", role=None, session="", address=address, local=False)
            if token:
                self.access.note_refused(stranger, "a token that is not good any more")
            return stranger
        return Caller(name=found.name, role=found.role, session=found.id, address=address, local=False)

    def _route(self, scope: Scope) -> BaseRoute | None:
        """Return the address that is asked for, found as the router finds it; None: there is none, by this method."""
        for route in self.routes():
            match, _ = route.matches(scope)
            if match is Match.FULL:
                return route
        return None


def need_of_route(route: BaseRoute, method: str) -> Need | None:
    """Return what an address needs; None: it is not in the table, so it is refused."""
    if isinstance(route, Mount):
        return ADDRESSES[("GET", "/")]
    if isinstance(route, WebSocketRoute):
        method = "WEBSOCKET"
    return ADDRESSES.get(("GET" if method == "HEAD" else method, str(getattr(route, "path", ""))))


def token_of(request: HTTPConnection) -> str:
    """Return the token of a request, from a program or from a page; empty: none."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return token.strip()
    return request.cookies.get(COOKIE, "")


def plain_address(scope: Scope) -> str:
    """Return where a request comes from; an IPv4 address also where it came over IPv6."""
    client = scope.get("client")
    host = str(client[0]) if client else ""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(mapped or address)
