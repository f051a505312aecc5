"""RobotProcess: gives a `RobotLoop` its time, and joins it to the bus. One robot, one process, one thread that ticks.

Callbacks of the bus only put things where the next tick finds them. When the process that started this one has gone
(its end of standard input is closed), everything is brought to rest and the process ends.
"""

import os
import select
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from openpendant.compiling import loaded_kernels
from openpendant.errors import ControllerError
from openpendant.messages import Intent, bus, speak_plainly
from openpendant.said import say
from openpendant.stop_service import LineHalt, StopLine

from .bus import Bus, BusError, key
from .loop import RobotLoop
from .settings import RobotSettings

__all__ = ["RobotProcess"]

Array = NDArray[np.float64]

LOOK_S = 0.02
"""So often the parent is looked after."""
KERNELS_S = 0.5
"""How often to look for kernels that were loaded while the robot runs."""
LONGEST_TRY_S = 2.0
"""The longest pause between two tries to reach a controller."""
MOST_COMMANDS = 8
"""Answered in one tick; more wait for the next."""
REST_S = 3.0
"""So long a robot may take to come to rest before the process ends."""
LAST_EVENTS_S = 1.0
"""So long the last events may take before the process ends."""

_COMMAND: "msgspec.msgpack.Decoder[bus.Command]" = msgspec.msgpack.Decoder(bus.Command)
_INTENT: "msgspec.msgpack.Decoder[Intent]" = msgspec.msgpack.Decoder(Intent)
_RENEWAL = msgspec.msgpack.Decoder(bus.LeaseRenewal)
_REPORT = msgspec.msgpack.Decoder(bus.RobotReport)


class RobotProcess:
    """Runs a loop until it is told to end."""

    def __init__(
        self,
        settings: RobotSettings,
        loop: RobotLoop,
        session: Bus,
        place: Callable[[dict[str, Array]], None],
        orphaned: Callable[[], bool],
    ) -> None:
        """Join the loop to the bus.

        Args:
            settings: Whose process this is.
            loop: Of the robot.
            session: On the bus of the cell.
            place: Told where other arms are, by robot/arm.
            orphaned: Returns whether the process that started this one has gone.
        """
        self.ending = ""
        """Why it ends; empty: it does not."""
        self._settings, self._loop, self._bus, self._place = settings, loop, session, place
        self._orphaned = orphaned
        self._report_ns = self._look_ns = self._kernels_ns = 0
        self._kernels = loaded_kernels()
        self._commands: deque[tuple[bus.Command, Callable[[bytes], None]]] = deque()
        self._renewals: deque[bus.LeaseRenewal] = deque(maxlen=64)
        self._gone: deque[str] = deque()
        self._intents: dict[str, Intent] = {}
        self._others: dict[str, bytes] = {}
        self._halts: deque[LineHalt] = deque()
        self._halted: tuple[int, int] | None = None
        """Of the newest stop over the line whose rest was not told: its number, and the loop's count of Halts."""
        line = settings.stop_line
        self._line = None if line is None else StopLine(line, settings.robot, self._halts.append)
        self._lock = threading.Lock()
        self._events: SimpleQueue[bytes | None] | None = None
        """What a thread of its own publishes: no event may be lost, and a server that hangs must not hold up a tick."""
        self._try_ns: int | None = 0
        self._tries = 0
        self._said = ""
        self._encode = msgspec.msgpack.Encoder(enc_hook=speak_plainly).encode
        here = (settings.cell, settings.robot)
        self._state_key, self._event_key = key(*here, "state"), key(*here, "event")
        session.listen(key(*here, "intent"), self._take_intent)
        session.listen(key(*here, "lease"), self._take_renewal)
        session.listen(f"{key(settings.cell)}/*/state", self._take_other)
        session.watch_alive(f"{key(settings.cell)}/client/*", self._take_client)
        session.serve(key(*here, "command"), self._take_command)
        session.show_alive(key(*here, "alive"))

    def _take_command(self, raw: bytes, reply: Callable[[bytes], None]) -> None:
        try:
            self._commands.append((_COMMAND.decode(raw), reply))
        except msgspec.MsgspecError as error:
            reply(self._encode(bus.Denied(reason=f"no command: {error}", kind="input")))

    def _take_intent(self, _: str, raw: bytes) -> None:
        try:
            intent = _INTENT.decode(raw)
        except msgspec.MsgspecError:
            return
        with self._lock:
            before = self._intents.get(intent.arm)
            # Samples may overtake each other; only the newest of a source counts. Of two with one stamp, the later one:
            # it may be the letting go.
            if before is None or before.source != intent.source or before.stamp_ns <= intent.stamp_ns:
                self._intents[intent.arm] = intent

    def _take_renewal(self, _: str, raw: bytes) -> None:
        try:
            self._renewals.append(_RENEWAL.decode(raw))
        except msgspec.MsgspecError:
            return

    def _take_client(self, where: str, alive: bool) -> None:
        if not alive:
            self._gone.append(where.rsplit("/", 1)[-1])

    def _take_other(self, where: str, raw: bytes) -> None:
        if where != self._state_key:
            self._others[where] = raw

    def run(self) -> None:
        """Tick until `end` is called or the parent has gone; then come to rest."""
        self._events = events = SimpleQueue[bytes | None]()
        teller = threading.Thread(target=self._publish_events, args=(events,), name="openpendant-events", daemon=True)
        teller.start()
        self._run()
        events.put(None)
        teller.join(LAST_EVENTS_S)

    def _publish_events(self, events: "SimpleQueue[bytes | None]") -> None:
        while (raw := events.get()) is not None:
            try:
                self._bus.publish(self._event_key, raw, newest=False)
            except BusError:
                continue  # The bus has gone, and everybody who could hear of it.

    def _run(self) -> None:
        clock, loop = time.monotonic_ns, self._loop
        rest_by_ns = 0
        while True:
            now = clock()
            wait = loop.clock.due_ns - now
            if wait > 0:
                time.sleep(wait * 1e-9)
                now = clock()
            loop.clock.begin(now)
            self.step(now)
            loop.clock.end(now, clock())
            if self.ending:
                if rest_by_ns == 0:
                    loop.halt(self.ending)
                    rest_by_ns = now + int(REST_S * 1e9)
                if loop.at_rest or now > rest_by_ns:
                    self._tell(now)
                    return

    def step(self, now: int) -> None:
        """Let one tick pass: take what has come, move, and tell."""
        self._feed(now)
        self._loop.tick(now)
        if now >= self._report_ns:
            # On a grid: counted from now, each would wait for one tick more than it should.
            every_ns = round(1e9 / self._settings.state_hz)
            self._report_ns = max(self._report_ns + every_ns, now + every_ns // 2)
            self._tell(now)
        if now >= self._look_ns:
            self._look_ns = now + int(LOOK_S * 1e9)
            self._slowly(now)

    def end(self, reason: str) -> None:
        """Come to rest and end."""
        self.ending = self.ending or reason

    def _feed(self, now: int) -> None:
        """Give the loop what has come since the last tick."""
        loop = self._loop
        while self._halts:
            self._halt(self._halts.popleft(), now)
        while self._renewals:
            loop.renew(self._renewals.popleft())
        while self._gone:
            loop.lose(self._gone.popleft())
        if self._intents:
            with self._lock:
                intents, self._intents = self._intents, {}
            for intent in intents.values():
                loop.intend(intent, now)
        for _ in range(min(len(self._commands), MOST_COMMANDS)):
            command, reply = self._commands.popleft()
            reply(self._encode(loop.command(command, now)))

    def _halt(self, halt: LineHalt, now: int) -> None:
        """Obey a stop that came over the line, and say so."""
        answer = self._loop.command(bus.Halt(who=halt.who), now)
        reason = answer.reason if isinstance(answer, bus.Halted | bus.Denied) else ""
        if self._line is not None:
            # A robot whose controller could not be told has not been reached, however willing this process is.
            self._line.reply(halt.number, obeyed=not reason, reason=reason)
        if isinstance(answer, bus.Halted):
            self._halted = (halt.number, answer.stops)

    def _tell(self, now: int) -> None:
        """Publish how the robot is, and what has happened."""
        self._bus.publish(self._state_key, self._encode(self._loop.report(now)))
        for event in self._loop.drain_events():
            raw = self._encode(event)
            if self._events is None:
                self._bus.publish(self._event_key, raw, newest=False)
            else:
                self._events.put(raw)
        measure = self._loop.meter.last
        if self._halted is not None and self._line is not None and measure is not None:
            number, stops = self._halted
            if measure.stops >= stops:
                self._line.rest(number, measure.rest_s, measure.distance_m, measure.how)
                self._halted = None

    def _connect(self, now: int) -> None:
        """Try to reach the controller for the first time; later it reconnects by itself."""
        try:
            self._loop.controller.connect()
        except ControllerError as error:
            self._tries += 1
            self._try_ns = now + int(1e9 * min(LONGEST_TRY_S, 0.1 * 2**self._tries))
            if str(error) != self._said:
                self._said = str(error)
                self._loop.tell("not connected", "", error.said)
        else:
            self._try_ns = None

    def _slowly(self, now: int) -> None:
        """Do what needs not be done at every tick."""
        if not self.ending and self._orphaned():
            self.end("the cell's runtime has gone")
        if self._try_ns is not None and now >= self._try_ns and not self.ending:
            self._connect(now)
        if now >= self._kernels_ns:
            self._kernels_ns = now + int(KERNELS_S * 1e9)
            self._look_at_kernels()
        joints: dict[str, Array] = {}
        while self._others:
            _, raw = self._others.popitem()
            try:
                report = _REPORT.decode(raw)
            except msgspec.MsgspecError:
                continue
            for name, arm in report.arms.items():
                joints[f"{report.robot}/{name}"] = np.array(arm.q)
        if len(self._loop.drives) > 1:
            own = self._loop.state.q
            joints |= {f"{self._settings.robot}/{name}": own[name] for name in self._loop.drives if name in own}
        if joints:
            self._place(joints)

    def _look_at_kernels(self) -> None:
        """Tell of kernels that the rehearsal has left out: loading them has held up a tick."""
        before, self._kernels = self._kernels, loaded_kernels()
        late = [name for name, count in self._kernels.items() if count > before.get(name, 0)]
        if late:
            self._loop.tell("warning", "", say("process.kernels", kernels=", ".join(late)))


def parent_gone() -> bool:
    """Return whether the other end of standard input is closed."""
    readable, _, _ = select.select([sys.stdin], [], [], 0.0)
    return bool(readable) and not os.read(sys.stdin.fileno(), 4096)


def end_on_signals(process: RobotProcess) -> None:
    """Come to rest on SIGTERM; SIGINT is the parent's affair."""

    def terminate(*_: Any) -> None:
        process.end("the process was told to end")

    signal.signal(signal.SIGTERM, terminate)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
