"""Guard: lets in only what was meant for this server, and nothing out but answers.

Any web page can make a browser on this machine send requests to 127.0.0.1, or open a websocket
there; with DNS rebinding even under its own name. So the names under which a request may come
(Host) and the pages from which it may come (Origin) are fixed: over the network they are those of
the certificate. What is let out carries headers that keep the page to its own scripts and keep
other pages from showing it in a frame.
"""

import logging
from collections.abc import Callable, Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from openpendant.messages import Problem
from openpendant.origins import Server, host_of, is_loopback, is_own, is_this_machine, own_address, plain_host
from openpendant.said import say

from .access import Lan, is_lan
from .replies import reply_json

log = logging.getLogger("openpendant.server")
# Headsets, gamepads and cameras are what robots are taught with; everything else is denied.
OWN_DEVICES = ("camera", "fullscreen", "gamepad", "xr-spatial-tracking", "screen-wake-lock")
NOBODYS_DEVICES = ("geolocation", "microphone", "payment", "usb", "serial", "midi", "display-capture")
POLICY = "content-security-policy"
# three.js makes textures of blobs, glTF carries images as data; Svelte sets styles from script.
SECURITY_HEADERS = {
    POLICY: "; ".join(
        (
            "default-src 'self'",
            "script-src 'self' 'wasm-unsafe-eval'",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' blob: data:",
            "font-src 'self' data:",
            "connect-src 'self' blob: data:",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "permissions-policy": ", ".join(
        (
            *(
                f"{one}=(self)"
                for one in ("camera", "fullscreen", "gamepad", "xr-spatial-tracking", "screen-wake-lock")
            ),
            *(
                f"{one}=()"
                for one in ("geolocation", "microphone", "payment", "usb", "serial", "midi", "display-capture")
            ),
        )
    ),
}
HSTS = "max-age=86400"
"""Over the network, for a day: the name may serve something else tomorrow, on another port and without HTTPS."""


class Guard:
    """ASGI middleware: refuses foreign Host and Origin with 403, adds the security headers to every answer."""

    def __init__(
        self,
        app: ASGIApp,
        lan: Callable[[], Lan | None] = lambda: None,
        stop_ports: Mapping[bool, int] | None = None,
    ) -> None:
        self.app = app
        self.lan = lan
        self.stop_ports: Mapping[bool, int] = {} if stop_ports is None else stop_ports

    def _hosts(self, server: Server) -> frozenset[str]:
        """Return the names of this server in the network, and the very address that a request has come to."""
        lan = self.lan()
        known: frozenset[str] = frozenset() if lan is None else lan.hosts
        return known if server is None else known | {plain_host(server[0])}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it with the reason."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return

        started = False
        lan, server = is_lan(scope), scope.get("server")
        hosts = self._hosts(server) if lan else None
        headers_in = Headers(scope=scope)
        added = SECURITY_HEADERS
        if lan and not is_loopback(host_of(f"//{headers_in.get('host', '')}")):
            # Not under the names of this machine, where the page is served without HTTPS, too.
            added = {**SECURITY_HEADERS, "strict-transport-security": HSTS}

        async def send_guarded(message: Message) -> None:
            nonlocal started
            started = True
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                for name, value in added.items():
                    headers.setdefault(name, value)
            await send(message)

        reason = why_refused(headers_in, server, hosts) or why_stranger(scope)
        if reason is None and (port := self.stop_ports.get(lan)) is not None:
            added = {**added, POLICY: policy_with_stops(host_of(f"//{headers_in['host']}"), port, lan=lan)}
        if reason is not None:
            await reply_json(Problem(message=reason), status=403)(scope, receive, send_guarded)
            return
        try:
            await self.app(scope, receive, send_guarded)
        except Exception:
            if started:
                raise
            log.exception("request for %s failed", scope["path"])
            problem = Problem(message=say("server.own_error"))
            await reply_json(problem, status=500)(scope, receive, send_guarded)


def policy_with_stops(host: str, port: int, *, lan: bool) -> str:
    """Return the policy of a page that may also open the websocket of the stop service, on another port."""
    # A policy cannot name an IPv6 address.
    source = f"{'wss' if lan else 'ws'}://{'*' if ':' in host else host}:{port}"
    return SECURITY_HEADERS[POLICY].replace("connect-src 'self'", f"connect-src 'self' {source}")


def why_stranger(scope: Scope) -> str | None:
    """Return why a request by the door of this machine is refused: it has come from another one."""
    client = scope.get("client")
    if is_lan(scope) or client is None or is_this_machine(client):
        return None
    return f"{client[0]} is another machine; start the server with --lan to let others in"


def why_refused(headers: Headers, server: Server, hosts: frozenset[str] | None = None) -> str | None:
    """Return why a request with these headers is refused, or None where it is welcome.

    Args:
        headers: Of the request.
        server: Address and port that it came to.
        hosts: The names of this server in the network; None: it came by the door of this machine.
    """
    given, origins = headers.getlist("host"), headers.getlist("origin")
    scheme = "http" if hosts is None else "https"
    own = own_address(server, scheme)
    if len(given) != 1 or not is_own(f"{scheme}://{given[0]}", server, hosts):
        return f"Host {', '.join(given) or 'missing'!r} is not this server; open it as {own}"
    if len(origins) > 1 or (origins and not is_own(origins[0], server, hosts)):
        return f"Origin {', '.join(origins)!r} may not use this server; only pages from {own} may"
    return None
