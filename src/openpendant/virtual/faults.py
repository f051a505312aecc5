"""Faults: what can go wrong between a controller and its clients, on command.

    drop      every connection is reset; for some seconds new ones are refused
    freeze    the controller stands still: connections stay, nothing is answered, no time passes in it
    silence   the network is down: the controller continues, bytes wait on both ways and then come in a burst
    delay     bytes arrive later, in both directions
    corrupt   bytes of what is sent are changed
    lose      datagrams are lost, in both directions
    duplicate datagrams arrive twice
    reorder   datagrams are held back, and later ones overtake them
    reboot    as after switching off and on: connections reset, ports closed for the boot time, state gone
    power_off the mains are cut until `power_on`

All are seeded and counted in ticks, so that a run with faults can be repeated.
"""

import random
from collections.abc import Iterable

import msgspec

from openpendant.errors import InputError

SHARED: tuple[str, ...] = ("corrupt", "lose", "duplicate", "reorder")
"""Faults that strike some of what passes: a share of it, up to a count."""
FAULT_KINDS = ("drop", "freeze", "silence", "delay", *SHARED, "reboot", "power_off", "power_on", "clear")
MAX_SECONDS = 3600.0
MAX_DELAY_MS = 10_000.0


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One order to the fault panel.

    Attributes:
        kind: One of FAULT_KINDS; `clear` ends all that lasts.
        seconds: How long it lasts, for drop, freeze, silence, and the boot time of reboot.
        ms: Delay in each direction, in milliseconds; of reorder, how long a datagram is held back (at least a tick).
        jitter_ms: Largest part added to the delay at random; bytes are never overtaken, datagrams are.
        share: Part that is struck, 0 to 1: of what is sent by corrupt, of all datagrams by lose, duplicate and reorder.
        count: Number of times that corrupt, lose, duplicate or reorder strikes; 0: no limit.
        ports: Only these ports, by number; empty for all.
    """

    kind: str
    seconds: float = 0.0
    ms: float = 0.0
    jitter_ms: float = 0.0
    share: float = 1.0
    count: int = 0
    ports: tuple[int, ...] = ()

    def check(self) -> None:
        """Raise InputError where a value is not allowed."""
        if self.kind not in FAULT_KINDS:
            raise InputError(f"no fault named {self.kind!r}; known: {', '.join(FAULT_KINDS)}")
        for name, value, most in (
            ("seconds", self.seconds, MAX_SECONDS),
            ("ms", self.ms, MAX_DELAY_MS),
            ("jitter_ms", self.jitter_ms, MAX_DELAY_MS),
            ("share", self.share, 1.0),
        ):
            if not 0.0 <= value <= most:
                raise InputError(f"{name} {value} of fault {self.kind} is out of range; allowed: 0 to {most:g}")
        if self.count < 0:
            raise InputError(f"count {self.count} of fault {self.kind} is out of range; allowed: 0 or more")


class Faults:
    """The faults that last, as the wire asks for them at every tick.

    Time is the host's tick count; the wire asks `on(port)` first, so that a healthy link costs one look.
    """

    def __init__(self, ticks_per_second: int, seed: int = 0, *, spared: Iterable[int] = ()) -> None:
        """Begin without faults. `spared` are ports beside the controller, which nothing happens to."""
        self._rate = ticks_per_second
        self._spared = frozenset(spared)
        self._random = random.Random(seed)  # noqa: S311 - faults are to be repeatable, not secret
        self.now = 0
        self._until = {"drop": 0, "freeze": 0, "silence": 0}
        self._ports: dict[str, frozenset[int]] = {}
        self._delay = (0.0, 0.0)
        self._share = dict.fromkeys(SHARED, 0.0)
        self._left = dict.fromkeys(SHARED, 0)
        self._back = 0
        self.active = False
        """Whether any fault lasts: False lets the wire take its short way."""

    def set(self, fault: Fault) -> None:
        """Begin a lasting fault, or end all by `clear`; reboot and power are the host's business."""
        fault.check()
        if fault.kind == "clear":
            self._until = dict.fromkeys(self._until, 0)
            self._delay, self._left = (0.0, 0.0), dict.fromkeys(SHARED, 0)
        elif fault.kind in self._until:
            self._until[fault.kind] = self.now + self.ticks(fault.seconds)
        elif fault.kind == "delay":
            self._delay = (fault.ms, fault.jitter_ms)
        elif fault.kind in SHARED:
            self._share[fault.kind], self._left[fault.kind] = fault.share, fault.count or -1
            if fault.kind == "reorder":
                self._back = max(1, self.ticks(fault.ms * 1e-3))
        self._ports[fault.kind] = frozenset(fault.ports)
        self._update_active()

    def ticks(self, seconds: float) -> int:
        """Return how many ticks a time in seconds is."""
        return round(seconds * self._rate)

    def advance(self) -> None:
        """Count one tick."""
        self.now += 1
        if self.active:
            self._update_active()

    def refuses(self, port: int) -> bool:
        """Return whether new connections are refused."""
        return self.now < self._until["drop"] and self._meant("drop", port)

    def frozen(self) -> bool:
        """Return whether the controller stands still."""
        return self.now < self._until["freeze"]

    def silent(self, port: int) -> bool:
        """Return whether no byte passes, in either direction."""
        if self.frozen():
            return port not in self._spared
        return self.now < self._until["silence"] and self._meant("silence", port)

    def delay_ticks(self, port: int) -> int:
        """Return after how many ticks the next bytes arrive."""
        ms, jitter = self._delay
        if (ms == 0.0 and jitter == 0.0) or not self._meant("delay", port):
            return 0
        return round((ms + self._random.random() * jitter) * 1e-3 * self._rate)

    def spoil(self, port: int, data: bytes) -> bytes:
        """Return `data` as it is sent, with a wrong byte where the corruption strikes."""
        if not data or not self._strikes("corrupt", port):
            return data
        wrong = bytearray(data)
        wrong[self._random.randrange(len(data))] ^= self._random.randrange(1, 256)
        return bytes(wrong)

    def datagram_delays(self, port: int) -> tuple[int, ...]:
        """Return after how many ticks each copy of a datagram arrives; none where it is lost."""
        if self._strikes("lose", port):
            return ()
        late = self.delay_ticks(port)
        if self._strikes("reorder", port):
            late += self._back
        return (late, late) if self._strikes("duplicate", port) else (late,)

    def lasting(self) -> tuple[str, ...]:
        """Return the faults that last now, as text."""
        names = [name for name, until in self._until.items() if self.now < until]
        if self._delay != (0.0, 0.0):
            names.append("delay")
        names += [name for name, left in self._left.items() if left != 0]
        return tuple(names)

    def _strikes(self, kind: str, port: int) -> bool:
        left = self._left[kind]
        if left == 0 or not self._meant(kind, port) or self._random.random() >= self._share[kind]:
            return False
        if left > 0:
            self._left[kind] = left - 1
            self._update_active()
        return True

    def _meant(self, kind: str, port: int) -> bool:
        ports = self._ports.get(kind)
        return port not in self._spared and (not ports or port in ports)

    def _update_active(self) -> None:
        self.active = bool(self.lasting())
