"""ServerLink: our RAPID server on the controller: beats and stops go out, joints and signals come in."""

from openpendant.controllers.dialler import CHUNK, ByteLink
from openpendant.errors import LinkError
from openpendant.protocols import ProtocolError
from openpendant.protocols.rapid_server import (
    MOST_NUMBER,
    ReplyReader,
    RequestKind,
    ServerReply,
    ServerRequest,
    encode_request,
)
from openpendant.said import say

EVERY_NS = 20_000_000
"""Between two beats or queries."""
MOST_OPEN = 3
"""Requests without a reply; what is not answered does not become older in a queue."""
UNBEATEN = -1.0


class ServerLink:
    """One connection. No call waits."""

    def __init__(self, link: ByteLink, place: str, session: int) -> None:
        """Begin on a link that may not be ready yet.

        Args:
            link: To the server.
            place: Where that is, for people.
            session: Which start of the programs this is; beats of others do not count.
        """
        self.newest: ServerReply | None = None
        """With joints."""
        self.reply: ServerReply | None = None
        """Of the last check."""
        self.stamp_ns = 0
        """When the newest reply came; 0: none has."""
        self._link, self._place, self._session = link, place, session
        self._reader = ReplyReader()
        self._outbox = b""
        self._number = self._open = 0
        self._due_ns = 0

    @property
    def ready(self) -> bool:
        """Whether the server has taken the call; raises LinkError where it never will."""
        return self._link.ready()

    def poll(self, now_ns: int, *, beats: bool) -> bool:
        """Take in replies, and ask for the next one; return whether there were new joints.

        Args:
            now_ns: Now.
            beats: Whether the programs may continue; otherwise the state is only asked for.

        Raises:
            LinkError: The connection is broken.
        """
        if not self._link.ready():
            return False
        fresh = self._receive(now_ns)
        if now_ns >= self._due_ns and self._open < MOST_OPEN:
            self._due_ns = max(self._due_ns + EVERY_NS, now_ns + EVERY_NS // 2)
            clock_s = UNBEATEN if self.newest is None else self.newest.clock_s
            if beats:
                self.request(RequestKind.BEAT, float(self._session), clock_s)
            else:
                self.request(RequestKind.QUERY)
        self._send()
        return fresh

    def request(self, kind: RequestKind, *values: float) -> None:
        """Send a request at once, or as soon as it goes; raises LinkError."""
        self._number = self._number % MOST_NUMBER + 1
        self._open += 1
        self._outbox += encode_request(ServerRequest(kind, self._number, values))
        if self._link.ready():
            self._send()

    def close(self) -> None:
        """End it at once."""
        self._link.close(reset=True)

    def _receive(self, now_ns: int) -> bool:
        fresh = False
        while data := self._link.receive():
            try:
                replies = self._reader.feed(data)
            except ProtocolError as error:
                raise LinkError(say("link.fault", address=self._place, why=error.said)) from None
            for reply in replies:
                self._open = max(0, self._open - 1)
                self.stamp_ns = now_ns
                if reply.kind in (RequestKind.CHECK, RequestKind.POSE):
                    self.reply = reply
                else:
                    self.newest, fresh = reply, True
            if len(data) < CHUNK:
                break
        return fresh

    def _send(self) -> None:
        if self._outbox:
            self._outbox = self._outbox[self._link.send(self._outbox) :]
