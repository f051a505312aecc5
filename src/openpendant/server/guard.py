"""Guard: lets in only what was meant for this server, and nothing out but answers.

Any web page can make a browser on this machine send requests to 127.0.0.1, or open a websocket
there; with DNS rebinding even under its own name. So the names under which a request may come
(Host) and the pages from which it may come (Origin) are fixed. What is let out carries headers
that keep the page to its own scripts and keep other pages from showing it in a frame.
"""

import logging
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from openpendant.messages import Problem

from .replies import reply_json

__all__ = ["Guard", "is_loopback"]

log = logging.getLogger("openpendant.server")
# three.js makes textures of blobs, glTF carries images as data; Svelte sets styles from script.
SECURITY_HEADERS = {
    "content-security-policy": "; ".join(
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
}


def is_loopback(host: str) -> bool:
    """Return True for localhost and for addresses that never leave the machine."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


class Guard:
    """ASGI middleware: refuses foreign Host and Origin with 403, adds the security headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it with the reason."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return

        started = False

        async def send_guarded(message: Message) -> None:
            nonlocal started
            started = True
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        reason = why_refused(Headers(scope=scope), scope.get("server"))
        if reason is not None:
            await reply_json(Problem(message=reason), status=403)(scope, receive, send_guarded)
            return
        try:
            await self.app(scope, receive, send_guarded)
        except Exception:
            if started:
                raise
            log.exception("request for %s failed", scope["path"])
            problem = Problem(message="the server met an error of its own; its log tells more")
            await reply_json(problem, status=500)(scope, receive, send_guarded)


def why_refused(headers: Headers, server: tuple[str, int | None] | None) -> str | None:
    """Return why a request with these headers is refused, or None where it is welcome."""
    hosts, origins = headers.getlist("host"), headers.getlist("origin")
    if len(hosts) != 1 or not is_own(f"http://{hosts[0]}", server):
        return f"Host {', '.join(hosts) or 'missing'!r} is not this server; open it as {own_address(server)}"
    if len(origins) > 1 or (origins and not is_own(origins[0], server)):
        return f"Origin {', '.join(origins)!r} may not use this server; only pages from {own_address(server)} may"
    return None


def is_own(url: str, server: tuple[str, int | None] | None) -> bool:
    """Return True where `url` is the address of this server: a loopback name or its own, and its own port."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or 80
    except ValueError:
        return False
    bare = not (parts.path or parts.query or parts.fragment or parts.username or parts.password)
    if server is None or host is None or parts.scheme != "http" or not bare:
        return False
    return port == server[1] and (is_loopback(host) or host == server[0])


def own_address(server: tuple[str, int | None] | None) -> str:
    """Return the address that a person should use."""
    if server is None:
        return "http://127.0.0.1"
    host, port = server
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
