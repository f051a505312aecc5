"""PanelService: the pendant's page, its stream of states and its orders over HTTP."""

from http import HTTPStatus
from pathlib import Path

import msgspec

from openpendant.virtual.wire import OWN_PAGES, HttpClient, HttpService, Request

from .operator import Operator

STATIC = Path(__file__).parent / "static"
KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
JSON = "application/json"
TEXT = "text/plain; charset=utf-8"


class PanelService(HttpService):
    """Answers a browser on this machine. Pages of other origins are refused: any page can reach loopback."""

    def __init__(self, operator: Operator, address: str) -> None:
        """Pass orders to `operator` and show its state, listening on `address`."""
        super().__init__()
        self._operator = operator
        self._hosts = {address, "localhost", "127.0.0.1"}
        self._watching: set[HttpClient] = set()
        self._files = {
            f"/{path.name}": (path.read_bytes(), f"{KINDS[path.suffix]}; charset=utf-8") for path in STATIC.iterdir()
        }
        self._files["/"] = self._files["/index.html"]

    def client_left(self, client: HttpClient) -> None:
        """The browser is gone."""
        self._watching.discard(client)

    def push(self) -> None:
        """Send the state to every page that watches."""
        if self._watching:
            event = self._event()
            for client in list(self._watching):
                client.piece(event)

    def serve(self, client: HttpClient, request: Request) -> None:
        """Answer a request of the page."""
        if not self._ours(request):
            self._refuse(client, HTTPStatus.FORBIDDEN, "only pages of this address may ask")
            return
        match request.method, request.path:
            case "GET", "/events":
                client.stream(HTTPStatus.OK, "text/event-stream", OWN_PAGES)
                client.piece(self._event())
                self._watching.add(client)
            case "GET", "/layout":
                client.respond(HTTPStatus.OK, msgspec.json.encode(self._operator.layout), JSON, OWN_PAGES)
            case "POST", "/do":
                if not request.headers.get("content-type", "").startswith(JSON):
                    self._refuse(client, HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "orders are JSON")
                    return
                client.respond(HTTPStatus.OK, self._operator.reply_to(request.body), JSON, OWN_PAGES)
            case "GET" | "HEAD", path if path in self._files:
                client.respond(HTTPStatus.OK, *self._files[path], OWN_PAGES)
            case _:
                self._refuse(client, HTTPStatus.NOT_FOUND, "there is nothing here")

    def _event(self) -> bytes:
        return b"data: " + msgspec.json.encode(self._operator.state()) + b"\n\n"

    def _refuse(self, client: HttpClient, status: HTTPStatus, why: str) -> None:
        client.respond(status, why.encode(), TEXT, OWN_PAGES)

    def _ours(self, request: Request) -> bool:
        host = request.headers.get("host", "")
        origin = request.headers.get("origin")
        return host.partition(":")[0] in self._hosts and origin in (None, f"http://{host}")
