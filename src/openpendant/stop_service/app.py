"""StopApp: the ASGI application that pages and scripts ask: a websocket or POST at /stop/<project>, nothing else."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, unquote

import msgspec

from openpendant.messages import PROTOCOL, Greeting
from openpendant.messages.stop_service import HaltReport, ServiceState, StopNotice, StopRequest
from openpendant.origins import is_own, is_this_machine

from .lines import RobotLines, StopRound

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

PREFIX = "/stop/"
REFUSED = 1008
LONGEST_CLIENT = 60
MOST_ROUNDS = 8
"""Stops of one connection that wait for robots to rest."""
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(StopRequest).decode


class StopApp:
    """One door of the service: that of this machine, or the one in the network."""

    def __init__(
        self,
        lines: RobotLines,
        state: Callable[[], ServiceState],
        send_notice: Callable[[StopNotice], None],
        *,
        port: int,
        page_port: int,
        cookie: str,
        lan: bool,
    ) -> None:
        """Stop the robots of `lines`.

        Args:
            lines: Of the robots.
            state: Returns what the server has said last.
            send_notice: Reports a stop to the server.
            port: That requests come to.
            page_port: Of the server whose pages may ask.
            cookie: The name of the cookie that holds a token.
            lan: Whether this is the door in the network, where callers must be paired.
        """
        self._lines, self._state, self._send_notice = lines, state, send_notice
        self._port, self._page_port, self._cookie, self._lan = port, page_port, cookie, lan

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or serve one websocket until it closes."""
        if scope["type"] not in ("http", "websocket"):
            return
        status, why = self._refuses(scope)
        path = str(scope["path"])
        project = unquote(path[len(PREFIX) :]) if path.startswith(PREFIX) else ""
        if not why and (not project or "/" in project):
            status, why = 404, "stops are asked for at /stop/ and the name of a project"
        if not why and scope["type"] == "http" and scope["method"] != "POST":
            status, why = 405, "a stop is asked for by POST, or over a websocket"
        if why:
            await _refuse(scope, send, status, why)
        elif scope["type"] == "http":
            await self._serve_stop(scope, project, send)
        else:
            await self._serve_socket(scope, project, receive, send)

    def _refuses(self, scope: Scope) -> tuple[int, str]:
        """Return status and reason why a request is refused; no reason: it is not."""
        state = self._state()
        server = scope.get("server") or ("", None)
        hosts = frozenset((*state.hosts, str(server[0]))) if self._lan else None
        scheme = "https" if self._lan else "http"
        given, origins = _headers(scope, b"host"), _headers(scope, b"origin")
        if len(given) != 1 or not is_own(f"{scheme}://{given[0]}", (server[0], self._port), hosts):
            return 403, "this Host is not the stop service"
        if len(origins) > 1 or (origins and not is_own(origins[0], (server[0], self._page_port), hosts)):
            return 403, "this Origin may not stop robots; only pages of this server may"
        if self._lan:
            return (0, "") if self._caller(scope) is not None else (401, "pair this device first")
        if not is_this_machine(scope.get("client")):
            return 403, "this door is for this machine alone"
        return 0, ""

    def _caller(self, scope: Scope) -> str | None:
        """Return the name of the paired person; None: not paired."""
        token = ""
        for value in _headers(scope, b"authorization"):
            kind, _, rest = value.partition(" ")
            token = rest.strip() if kind.lower() == "bearer" else token
        for value in _headers(scope, b"cookie") if not token else ():
            with suppress(CookieError):
                found = SimpleCookie(value).get(self._cookie)
                token = token if found is None else found.value
        digest = hashlib.sha256(token.encode(errors="replace")).hexdigest()
        return self._state().sessions.get(digest) if token else None

    def _stop(self, scope: Scope, project: str, press: str = "") -> StopRound:
        name = (self._caller(scope) or "") if self._lan else ""
        made = self._lines.stop(project, name or _query_value(scope, "name") or "somebody at this machine", press)
        self._send_notice(StopNotice(project=project, client=_query_value(scope, "client"), name=name, press=press))
        return made

    async def _serve_stop(self, scope: Scope, project: str, send: Send) -> None:
        made = self._stop(scope, project)
        await made.wait_reached()
        await made.wait_rest()
        await _reply(send, 200, _encode(HaltReport(id=0, by=_query_value(scope, "client"), robots=made.now())))

    async def _serve_socket(self, scope: Scope, project: str, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        with suppress(RuntimeError, OSError):
            await send(_text(Greeting(protocol=PROTOCOL)))
        rounds: set[asyncio.Task[None]] = set()
        try:
            while True:
                message = await receive()
                if message["type"] == "websocket.disconnect":
                    return
                if why := self._refuses(scope)[1]:
                    # Pairing may have ended since the socket was opened.
                    await send({"type": "websocket.close", "code": REFUSED, "reason": why})
                    return
                try:
                    request = _decode(message.get("text") or message.get("bytes") or b"")
                except (msgspec.MsgspecError, ValueError):
                    request = None
                if request is None:
                    await send({"type": "websocket.close", "code": REFUSED, "reason": "only a stop is heard here"})
                    return
                made = self._stop(scope, project, request.press)
                if len(rounds) < MOST_ROUNDS:
                    task = asyncio.get_running_loop().create_task(
                        _send_reports(made, request.id, _query_value(scope, "client"), send)
                    )
                    rounds.add(task)
                    task.add_done_callback(rounds.discard)
                # Receiving need not give way: let the robots have their turn.
                await asyncio.sleep(0)
        finally:
            for task in rounds:
                task.cancel()


async def _send_reports(made: StopRound, number: int, by: str, send: Send) -> None:
    with suppress(RuntimeError, OSError):
        await made.wait_reached()
        first = made.now()
        await send(_text(HaltReport(id=number, by=by, robots=first)))
        await made.wait_rest()
        if made.now() != first:
            await send(_text(HaltReport(id=number, by=by, robots=made.now())))


def _text(message: Greeting | HaltReport) -> dict[str, Any]:
    return {"type": "websocket.send", "text": _encode(message).decode()}


def _headers(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _query_value(scope: Scope, name: str) -> str:
    """Return what the address says of whoever asks: `client`, as the page calls itself, or `name` of the person."""
    found = parse_qs(scope.get("query_string", b"").decode("latin-1")).get(name, [""])[0]
    return found[:LONGEST_CLIENT] if found.isprintable() else ""


async def _refuse(scope: Scope, send: Send, status: int, why: str) -> None:
    body = _encode({"message": why})
    if scope["type"] == "http":
        await _reply(send, status, body)
    elif "websocket.http.response" in scope.get("extensions", {}):
        headers = [(b"content-type", b"application/json")]
        await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
        await send({"type": "websocket.http.response.body", "body": body})
    else:
        await send({"type": "websocket.close", "code": REFUSED, "reason": why})


async def _reply(send: Send, status: int, body: bytes) -> None:
    headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
