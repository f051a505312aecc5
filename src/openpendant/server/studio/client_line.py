"""ClientLine: the connection of one client: how late it is, how old what it says is, whether anybody is at its end."""

from openpendant.messages.operation import Ping
from openpendant.server.sockets import LiveSocket

from .clock import ClientClock

STAMPED = 2
"""Clients of this protocol, or a later one, answer `Ping`, say `Present` and stamp their intents."""
FIRST_S, HOLDING_S, LOOKING_S = 0.05, 0.25, 1.0
"""Between two pings: until the clock is known; to who has control; to everybody else."""
UNSTAMPED_S = 0.015
"""Between two pings of the websocket's own, to who has control and stamps nothing."""
ANSWERS_NS = 5_000_000_000
"""Who has answered no ping that was sent since then has gone, or hangs."""
OLDEST_NS = 150_000_000
"""An intent counts for this time, as in the robot's servo; one that is older when it comes is not passed on."""


class ClientLine:
    """One connection. Lives in the event loop alone."""

    def __init__(self, protocol: int = STAMPED, socket: LiveSocket | None = None) -> None:
        """Know nothing of the client yet but the protocol that it speaks, and its socket where that is ours."""
        self.stamped = protocol >= STAMPED
        self.dropped = 0
        """Intents that were not passed on."""
        self._clock = ClientClock()
        self._socket = socket
        self._pinged_ns = self._jumps = 0

    def ping(self, now_ns: int, *, holds: bool) -> Ping | None:
        """Return a ping to send now; None: none is due. A client that knows none is asked by its socket's own.

        Args:
            now_ns: Now.
            holds: Whether the client has control of a robot.
        """
        known = self._clock.known(now_ns)
        every_s = (HOLDING_S if holds else LOOKING_S) if known else FIRST_S
        if not self.stamped:
            every_s = UNSTAMPED_S
        if now_ns - self._pinged_ns < every_s * 1e9:
            return None
        self._pinged_ns = now_ns
        if self.stamped:
            delay_ms = self._clock.delay_ms(now_ns)
            return Ping(
                number=self._clock.ping(now_ns),
                delay_ms=None if delay_ms is None else round(delay_ms, 1),
                offset_known=known,
                dropped=self.dropped,
                offset_s=self._clock.offset_s(now_ns),
            )
        if holds and self._socket is not None:
            self._socket.ping()
        return None

    def pong(self, number: int, stamp_ns: int, now_ns: int) -> None:
        """Take the answer to a ping."""
        self._clock.pong(number, stamp_ns, now_ns)

    def sampled_ns(self, stamp_ns: int, now_ns: int) -> int | None:
        """Return when something with this stamp was taken, at the latest, on our clock; None: it is not known.

        Of a client that stamps nothing it is known that it was said after the last ping which it had answered by then.
        """
        if self.stamped:
            return self._clock.convert(stamp_ns, now_ns)
        return (0 if self._socket is None else self._socket.before_ns) or None

    def received_after_ns(self, stamp_ns: int, now_ns: int) -> int | None:
        """Return a time after which something that comes now was said for sure, on our clock; None: none is known.

        That is its stamp where the client's clock is known, or else when the newest ping was sent that it had answered
        by then: what comes in a burst after a stall comes before the answers to the pings of that time.
        """
        taken = self.sampled_ns(stamp_ns, now_ns)
        return (self._clock.answered_ns or None) if taken is None else taken

    def fresh_ns(self, stamp_ns: int, now_ns: int) -> int | None:
        """Return when an intent was taken, on our clock; None: too long ago, or not known. Those are counted.

        After the client's clock has jumped, nothing counts until somebody presses again: see `press`.
        """
        taken = self.sampled_ns(stamp_ns, now_ns)
        if taken is None or now_ns - taken > OLDEST_NS or self._clock.jumps != self._jumps:
            self.dropped += 1
            return None
        return taken

    def press(self) -> None:
        """Somebody presses a button, or releases it: by the clock that the client has now."""
        self._jumps = self._clock.jumps

    def answers(self, now_ns: int) -> bool:
        """Return whether it has answered a ping lately; who speaks a protocol without them is believed."""
        return not self.stamped or now_ns - self._clock.answered_ns < ANSWERS_NS

    @property
    def answered_ns(self) -> int:
        """When the newest of the socket's own pings that was answered was sent; 0: none was."""
        return 0 if self._socket is None else self._socket.answered_ns

    def abort(self, why: str) -> None:
        """Cut the connection off now."""
        if self._socket is not None:
            self._socket.abort(why)
