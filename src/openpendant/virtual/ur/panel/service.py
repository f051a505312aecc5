"""PanelService: the pendant's page, its stream of states and its orders over HTTP."""

from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from openpendant.virtual.http import HttpSession, Request, encode_response
from openpendant.virtual.wire import Link

if TYPE_CHECKING:
    from openpendant.virtual.ur.operating import Operator

__all__ = ["PanelService"]

STATIC = Path(__file__).parent / "static"
KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
JSON = "application/json"


class PanelService:
    """Answers a browser on this machine. Pages of other origins are refused: any page can reach loopback."""

    def __init__(self, operator: "Operator", address: str) -> None:
        """Hand orders to `operator` and show what it tells, listening on `address`."""
        self._operator = operator
        self._hosts = {address, "localhost", "127.0.0.1"}
        self._sessions: dict[Link, HttpSession] = {}
        self._watching: set[Link] = set()
        self._files = {
            f"/{path.name}": (path.read_bytes(), f"{KINDS[path.suffix]}; charset=utf-8") for path in STATIC.iterdir()
        }
        self._files["/"] = self._files["/index.html"]

    def opened(self, link: Link) -> None:
        """A browser is there."""
        self._sessions[link] = HttpSession()

    def received(self, link: Link, data: bytes) -> None:
        """Answer every complete request."""
        session = self._sessions[link]
        for request in session.feed(data):
            self._answer(link, request)
        if session.broken is not None:
            link.send(encode_response(session.broken, session.broken.phrase.encode()))
            link.close()

    def closed(self, link: Link) -> None:
        """The browser is gone."""
        self._sessions.pop(link, None)
        self._watching.discard(link)

    def push(self) -> None:
        """Send the state to every page that watches."""
        if self._watching:
            event = self._event()
            for link in list(self._watching):
                link.send(event)

    def _event(self) -> bytes:
        return b"data: " + msgspec.json.encode(self._operator.state()) + b"\n\n"

    def _answer(self, link: Link, request: Request) -> None:
        if not self._ours(request):
            link.send(encode_response(HTTPStatus.FORBIDDEN, b"only pages of this address may ask"))
            return
        match request.method, request.path:
            case "GET", "/events":
                link.send(encode_response(HTTPStatus.OK, kind="text/event-stream", stream=True) + self._event())
                self._watching.add(link)
            case "POST", "/do":
                if not request.headers.get("content-type", "").startswith(JSON):
                    link.send(encode_response(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, b"orders are JSON"))
                    return
                link.send(encode_response(HTTPStatus.OK, self._operator.answer(request.body), JSON))
            case "GET" | "HEAD", path if path in self._files:
                content, kind = self._files[path]
                response = encode_response(HTTPStatus.OK, content, kind)
                link.send(response[: -len(content)] if request.method == "HEAD" else response)
            case _:
                link.send(encode_response(HTTPStatus.NOT_FOUND, b"there is nothing here"))

    def _ours(self, request: Request) -> bool:
        host = request.headers.get("host", "")
        origin = request.headers.get("origin")
        return host.partition(":")[0] in self._hosts and origin in (None, f"http://{host}")
