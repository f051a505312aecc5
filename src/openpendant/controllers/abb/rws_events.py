"""RwsEvents: the websocket over which a controller says what has changed (Robot Web Services, "Subscription")."""

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from openpendant.controllers.dialler import CHUNK, Dialler
from openpendant.errors import LinkError
from openpendant.protocols.rws import SUBPROTOCOL, RwsEvent, decode_events
from openpendant.said import say

from .rws_link import RwsLogin

WORDS = (Opcode.TEXT, Opcode.CONT)


class RwsEvents:
    """One subscription, to which a controller has agreed. A broken one is thrown away."""

    def __init__(self, dialler: Dialler, host: str, port: int, login: RwsLogin, path: str) -> None:
        """Begin to dial; `path`: of the websocket, as the controller has named it."""
        self._link = dialler.dial(host, port)
        self._address, self._login, self._path = f"{host}:{port}", login, path
        self._protocol = ClientProtocol(parse_uri(f"ws://{host}:{port}{path}"), subprotocols=[Subprotocol(SUBPROTOCOL)])
        self._asked = False
        self._outbox = b""
        self._message = b""

    def poll(self) -> tuple[RwsEvent, ...]:
        """Return what has changed.

        Raises:
            LinkError: The connection is broken, or the controller does not take it as a websocket.
        """
        if not self._link.ready():
            return ()
        if not self._asked:
            self._ask()
        while data := self._link.receive():
            self._protocol.receive_data(data)
            if len(data) < CHUNK:
                break
        found: list[RwsEvent] = []
        for event in self._protocol.events_received():
            if isinstance(event, Frame) and event.opcode in WORDS:
                self._message += bytes(event.data)
                if event.fin:
                    found += decode_events(self._message.decode(errors="replace"))
                    self._message = b""
        refusal = self._protocol.handshake_exc
        if refusal is not None or self._protocol.state in (State.CLOSING, State.CLOSED):
            raise LinkError(say("link.fault", address=self._address, why=str(refusal or "closed")))
        self._send()
        return tuple(found)

    def close(self) -> None:
        """End it; the controller forgets the subscription."""
        self._link.close(reset=True)

    def _ask(self) -> None:
        self._asked = True
        request = self._protocol.connect()
        for name, value in self._login.headers("GET", self._path):
            request.headers[name] = value
        self._protocol.send_request(request)
        self._send()

    def _send(self) -> None:
        self._outbox += b"".join(self._protocol.data_to_send())
        if self._outbox:
            self._outbox = self._outbox[self._link.send(self._outbox) :]
