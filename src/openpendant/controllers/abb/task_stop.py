"""TaskStop: the stop of all programs on a controller, repeated until they are seen not to run."""

import contextlib

from openpendant.controllers.states import StopKind
from openpendant.errors import LinkError
from openpendant.protocols.rapid_server import RequestKind, ServerFlag

from .links import ControllerLinks
from .rws_link import RwsAsk

REPEAT_NS = 100_000_000
LOOK_NS = 20_000_000
FASTEST_STOP = "StopMove \\Quick"


class TaskStop:
    """Stops by our server (StopMove), by Robot Web Services on a link of its own, and by a heartbeat that is withheld:
    the programs stop within 0.4 s even where nothing gets through.
    """

    def __init__(self, reason: str, kind: StopKind, now_ns: int, *, told: bool = True) -> None:
        """Begin to stop.

        Args:
            reason: Why, for people.
            kind: 'path': along the path; 'now': as hard as the controller can.
            now_ns: Now.
            told: Whether the end of it is an event.
        """
        self.reason, self.told = reason, told
        self._kind = kind
        self._begun_ns, self._due_ns, self._look_ns = now_ns, 0, 0
        self._by_server = False
        self._asks: list[RwsAsk] = []
        self._answered = False
        self._idle_ns = 0
        """Since when no other request is under way; 0: one is."""

    @property
    def how(self) -> str:
        """Which channel stopped it, as far as is known."""
        if self._by_server:
            return FASTEST_STOP if self._kind == "now" else "StopMove"
        return "program stop" if self._answered else "heartbeat withheld"

    def again(self, kind: StopKind) -> None:
        """Try again at once, and harder where `kind` says so."""
        self._kind = "now" if kind == "now" else self._kind
        self._due_ns = 0
        self.told = True

    def renew(self, now_ns: int) -> None:
        """Go on over new connections."""
        self._begun_ns, self._due_ns, self._asks = now_ns, 0, []

    def push(self, links: ControllerLinks, now_ns: int) -> None:
        """Send what is due."""
        quick = self._kind == "now"
        self._answered = self._answered or any(ask.over and ask.refusal is None for ask in self._asks)
        if now_ns >= self._due_ns:
            self._due_ns = now_ns + REPEAT_NS
            if links.start.server is not None:
                # A link that is broken is noticed where it is polled.
                with contextlib.suppress(LinkError):
                    links.start.server.ask(RequestKind.STOP, float(quick))
            self._asks = [ask for ask in self._asks if not ask.over]
            if len(self._asks) < 2:
                self._asks.append(links.watch.stop(quick=quick))
        if now_ns >= self._look_ns:
            self._look_ns = now_ns + LOOK_NS
            links.watch.ask_execution()

    def see(self, links: ControllerLinks, now_ns: int, *, resting: bool) -> bool:
        """Return whether the programs have been seen not to run since the stop began, and nothing is on its way."""
        server = links.start.server
        if server is not None and server.newest is not None and ServerFlag.STOPPED in server.newest.flags:
            self._by_server = True
        panel = links.watch.panel
        # A start that is still under way may take effect after a look at what runs.
        self._idle_ns = (self._idle_ns or now_ns) if links.work.idle else 0
        after_ns = max(self._begun_ns, self._idle_ns)
        return self._idle_ns > 0 and panel.execution == "stopped" and panel.execution_ns > after_ns and resting
