"""Faults: what can go wrong between a controller and its clients, on command.

    drop      every connection is reset; for some seconds new ones are refused
    freeze    the controller stands still: connections stay, nothing is answered, no time passes in it
    silence   the network is down: the controller goes on, bytes wait on both ways and then come in a burst
    delay     bytes arrive later, in both directions
    corrupt   bytes of what is sent are changed
    reboot    as after switching off and on: connections reset, ports closed for the boot time, state gone
    power_off the mains are cut until `power_on`

All are seeded and counted in ticks, so that a run with faults can be repeated.
"""

import random
from collections.abc import Iterable

import msgspec

from openpendant.errors import InputError

__all__ = ["FAULT_KINDS", "Fault", "Faults"]

FAULT_KINDS = ("drop", "freeze", "silence", "delay", "corrupt", "reboot", "power_off", "power_on", "clear")
MAX_SECONDS = 3600.0
MAX_DELAY_MS = 10_000.0


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One order to the fault panel.

    Attributes:
        kind: One of FAULT_KINDS; `clear` ends all that lasts.
        seconds: How long it lasts, for drop, freeze, silence, and the boot time of reboot.
        ms: Delay in each direction, in milliseconds.
        jitter_ms: Largest part added to the delay at random; bytes are never overtaken.
        share: Part of what is sent that gets one wrong byte, 0 to 1.
        count: End the corruption after so many wrong bytes; 0 for no end.
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
                raise InputError(f"{name} {value} of fault {self.kind} is not allowed; allowed is 0 to {most:g}")
        if self.count < 0:
            raise InputError(f"count {self.count} of fault {self.kind} is not allowed; allowed is 0 or more")


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
        self._share = 0.0
        self._left = 0
        self.active = False
        """Whether any fault lasts: False lets the wire take its short way."""

    def set(self, fault: Fault) -> None:
        """Begin a lasting fault, or end all by `clear`; reboot and power are the host's business."""
        fault.check()
        if fault.kind == "clear":
            self._until = dict.fromkeys(self._until, 0)
            self._delay, self._share, self._left = (0.0, 0.0), 0.0, 0
        elif fault.kind in self._until:
            self._until[fault.kind] = self.now + self.ticks(fault.seconds)
        elif fault.kind == "delay":
            self._delay = (fault.ms, fault.jitter_ms)
        elif fault.kind == "corrupt":
            self._share, self._left = fault.share, fault.count or -1
        self._ports[fault.kind] = frozenset(fault.ports)
        self._look()

    def ticks(self, seconds: float) -> int:
        """Return how many ticks so many seconds are."""
        return round(seconds * self._rate)

    def advance(self) -> None:
        """Count one tick."""
        self.now += 1
        if self.active:
            self._look()

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
        if self._left == 0 or not data or not self._meant("corrupt", port) or self._random.random() >= self._share:
            return data
        self._left -= 1 if self._left > 0 else 0
        self._look()
        wrong = bytearray(data)
        wrong[self._random.randrange(len(data))] ^= self._random.randrange(1, 256)
        return bytes(wrong)

    def lasting(self) -> tuple[str, ...]:
        """Return the faults that last now, in words."""
        names = [name for name, until in self._until.items() if self.now < until]
        if self._delay != (0.0, 0.0):
            names.append("delay")
        if self._left != 0:
            names.append("corrupt")
        return tuple(names)

    def _meant(self, kind: str, port: int) -> bool:
        ports = self._ports.get(kind)
        return port not in self._spared and (not ports or port in ports)

    def _look(self) -> None:
        self.active = bool(self.lasting())
