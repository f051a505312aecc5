"""HttpService: HTTP and websockets on a port of a virtual controller."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from http import HTTPStatus

from .http_session import Header, HttpSession, Request
from .link import Link
from .web_socket import WebSocketSession


class HttpClient:
    """One connection of a client, and what it speaks now."""

    def __init__(self, link: Link) -> None:
        """Made by the service."""
        self.link = link
        self.session = HttpSession()
        self.web_socket: WebSocketSession | None = None
        """Where the client has changed to it."""

    def respond(
        self,
        status: HTTPStatus,
        body: bytes = b"",
        kind: str = "text/plain; charset=utf-8",
        headers: Iterable[Header] = (),
    ) -> None:
        """Send the response to a request."""
        self.link.send(self.session.respond(status, body, kind, headers))

    def stream(self, status: HTTPStatus, kind: str, headers: Iterable[Header] = ()) -> None:
        """Send the head of a response without end."""
        self.link.send(self.session.stream(status, kind, headers))

    def piece(self, data: bytes) -> None:
        """Send a piece of a response without end."""
        self.link.send(self.session.piece(data))

    def upgrade(self, request: Request, *, subprotocols: Sequence[str] = ()) -> WebSocketSession:
        """Change to a websocket, as the request asks; a request that is wrong is refused to the client."""
        made = WebSocketSession(request, subprotocols=subprotocols, first=self.session.unread())
        self.web_socket = made
        self.flush()
        return made

    def send(self, message: str | bytes) -> None:
        """Send a message over the websocket."""
        if self.web_socket is not None:
            self.web_socket.send(message)
            self.flush()

    def flush(self) -> None:
        """Send what the websocket has in its outbox."""
        if self.web_socket is not None:
            self.link.send(self.web_socket.take_outbox())
            if self.web_socket.ends:
                self.link.finish()


class HttpService(ABC):
    """A service of HTTP. A maker says how requests are answered, and what messages of websockets mean."""

    def __init__(self) -> None:
        """Begin without clients."""
        self._clients: dict[Link, HttpClient] = {}

    @abstractmethod
    def serve(self, client: HttpClient, request: Request) -> None:
        """Respond to a request, stream, or change to a websocket."""

    def message(self, client: HttpClient, message: str | bytes) -> None:  # noqa: B027 - not all have websockets
        """A message came over a websocket."""

    def client_left(self, client: HttpClient) -> None:  # noqa: B027 - not all care
        """A client is gone."""

    def opened(self, link: Link) -> None:
        """A client is there."""
        self._clients[link] = HttpClient(link)

    def received(self, link: Link, data: bytes) -> None:
        """Answer every request that is complete, and hand on messages."""
        client = self._clients[link]
        if client.web_socket is not None:
            self._hand_on(client, client.web_socket.feed(data))
        else:
            client.session.feed(data)
            self._answer_all(client)

    def closed(self, link: Link) -> None:
        """The client is gone."""
        client = self._clients.pop(link, None)
        if client is not None:
            self.client_left(client)

    def _answer_all(self, client: HttpClient) -> None:
        link, session = client.link, client.session
        while link.open and (request := session.next_request()) is not None:
            self.serve(client, request)
            if client.web_socket is not None:
                self._hand_on(client, client.web_socket.waiting)
                return
        if not link.open:
            return
        link.send(session.go_ahead())
        if session.ends:
            if session.broken is not None:
                link.send(session.refusal())
            link.finish()

    def _hand_on(self, client: HttpClient, messages: Iterable[str | bytes]) -> None:
        for message in messages:
            self.message(client, message)
        client.flush()
