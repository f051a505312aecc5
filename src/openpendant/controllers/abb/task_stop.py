"""TaskStop: the stop of all programs on a controller, repeated until they are seen not to run."""

import contextlib

from openpendant.controllers.states import StopKind
from openpendant.errors import LinkError
from openpendant.protocols.rapid_server import RequestKind, ServerFlag

from .links import ControllerLinks
from .rws_link import RwsExchange

REPEAT_NS = 100_000_000
CHECK_EVERY_NS = 20_000_000
FASTEST_STOP = "StopMove \\Quick"


class TaskStop:
    """Stops by our server (StopMove), by Robot Web Services on a link of its own, and by a heartbeat that is withheld:
    the programs stop within 0.4 s even where nothing gets through.
    """

    def __init__(self, reason: str, kind: StopKind, now_ns: int, *, is_event: bool = True) -> None:
        """Begin to stop.

        Args:
            reason: Why, for people.
            kind: 'path': along the path; 'now': as hard as the controller can.
            now_ns: Now.
            is_event: Whether the end of it is an event.
        """
        self.reason, self.is_event = reason, is_event
        self._kind = kind
        self._begun_ns, self._due_ns, self._check_ns = now_ns, 0, 0
        self._by_server = False
        self._exchanges: list[RwsExchange] = []
        self._accepted = False
        self._idle_ns = 0
        """Since when no other request is under way; 0: one is."""

    @property
    def how(self) -> str:
        """Which channel stopped it, as far as is known."""
        if self._by_server:
            return FASTEST_STOP if self._kind == "now" else "StopMove"
        return "program stop" if self._accepted else "heartbeat withheld"

    def again(self, kind: StopKind) -> None:
        """Try again at once, and harder where `kind` says so."""
        self._kind = "now" if kind == "now" else self._kind
        self._due_ns = 0
        self.is_event = True

    def renew(self, now_ns: int) -> None:
        """Continue over new connections."""
        self._begun_ns, self._due_ns, self._exchanges = now_ns, 0, []

    def push(self, links: ControllerLinks, now_ns: int) -> None:
        """Send what is due."""
        quick = self._kind == "now"
        self._accepted = self._accepted or any(
            exchange.over and exchange.refusal is None for exchange in self._exchanges
        )
        if now_ns >= self._due_ns:
            self._due_ns = now_ns + REPEAT_NS
            if links.start.server is not None:
                # A link that is broken is noticed where it is polled.
                with contextlib.suppress(LinkError):
                    links.start.server.request(RequestKind.STOP, float(quick))
            self._exchanges = [exchange for exchange in self._exchanges if not exchange.over]
            if len(self._exchanges) < 2:
                self._exchanges.append(links.watch.stop(quick=quick))
        if now_ns >= self._check_ns:
            self._check_ns = now_ns + CHECK_EVERY_NS
            links.watch.request_execution()

    def see(self, links: ControllerLinks, now_ns: int, *, resting: bool) -> bool:
        """Return whether the programs have been seen not to run since the stop began, and nothing is on its way."""
        server = links.start.server
        if server is not None and server.newest is not None and ServerFlag.STOPPED in server.newest.flags:
            self._by_server = True
        panel = links.watch.panel
        # A start that is still under way may take effect after the check of what runs.
        self._idle_ns = (self._idle_ns or now_ns) if links.work.idle else 0
        after_ns = max(self._begun_ns, self._idle_ns)
        return self._idle_ns > 0 and panel.execution == "stopped" and panel.execution_ns > after_ns and resting
