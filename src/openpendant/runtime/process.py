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

from openpendant.errors import ControllerError
from openpendant.jit import loaded_kernels
from openpendant.messages import Intent, SampleRequest, bus, speak_plainly
from openpendant.said import say
from openpendant.stop_service import LineHalt, StopLine

from .bus import Bus, BusError, key
from .loop import RobotLoop
from .sampler import Sampler
from .settings import RobotSettings

Array = NDArray[np.float64]

POLL_S = 0.02
"""Between two checks that the parent lives."""
KERNELS_S = 0.5
"""How often to look for kernels that were loaded while the robot runs."""
LONGEST_TRY_S = 2.0
"""The longest pause between two tries to reach a controller."""
MOST_COMMANDS = 8
"""Answered in one tick; more wait for the next."""
REST_S = 3.0
"""Time a robot may take to come to rest before the process ends."""
KEPT_PRESSES = 64
"""Of STOP, to recognise those that come by the other way later."""
LAST_EVENTS_S = 1.0
"""Time the last events may take before the process ends."""

_COMMAND: "msgspec.msgpack.Decoder[bus.Command]" = msgspec.msgpack.Decoder(bus.Command)
_INTENT: "msgspec.msgpack.Decoder[Intent]" = msgspec.msgpack.Decoder(Intent)
_SAMPLES = msgspec.msgpack.Decoder(SampleRequest)
_RENEWAL = msgspec.msgpack.Decoder(bus.LeaseRenewal)
_REPORT = msgspec.msgpack.Decoder(bus.RobotReport)


class RobotProcess:
    """Runs a loop until `end` is called."""

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
            place: Called with where other arms are, by robot/arm.
            orphaned: Returns whether the process that started this one has gone.
        """
        self.ending = ""
        """Why it ends; empty: it does not."""
        self._settings, self._loop, self._bus, self._place = settings, loop, session, place
        self._orphaned = orphaned
        self._report_ns = self._poll_ns = self._kernels_ns = 0
        self._kernels = loaded_kernels()
        self._commands: deque[tuple[bus.Command, Callable[[bytes], None]]] = deque()
        self._bus_halts: deque[tuple[bus.Halt, Callable[[bytes], None]]] = deque()
        """Halts over the bus: they wait behind no other command."""
        self._renewals: deque[bus.LeaseRenewal] = deque(maxlen=64)
        self._gone: deque[str] = deque()
        self._requests: deque[SampleRequest] = deque(maxlen=256)
        self._sampler = Sampler(settings.robot, loop.controller.capabilities.tick_ns)
        self._number = 0
        """Of this tick; counted on from a number that no process of this robot had before."""
        self._intents: dict[str, Intent] = {}
        self._others: dict[str, bytes] = {}
        self._halts: deque[LineHalt] = deque()
        self._halted: tuple[int, int] | None = None
        """Of the newest stop over the line whose rest was not reported: its number, and the loop's count of Halts."""
        self._presses: dict[str, tuple[str, bus.Halted]] = {}
        """The last presses of STOP that were obeyed: by which way each came first, and the answer."""
        line = settings.stop_line
        self._line = None if line is None else StopLine(line, settings.robot, self._halts.append)
        self._lock = threading.Lock()
        self._events: SimpleQueue[bytes | None] | None = None
        """What a separate thread publishes: no event may be lost, and a server that hangs must not hold up a tick."""
        self._try_ns: int | None = 0
        self._tries = 0
        self._said = ""
        self._encode = msgspec.msgpack.Encoder(enc_hook=speak_plainly).encode
        here = (settings.cell, settings.robot)
        self._state_key, self._event_key = key(*here, "state"), key(*here, "event")
        self._sample_key = key(*here, "sample")
        session.listen(key(*here, "watch"), self._receive_sample_request)
        session.listen(key(*here, "intent"), self._receive_intent)
        session.listen(key(*here, "lease"), self._receive_renewal)
        session.listen(f"{key(settings.cell)}/*/state", self._receive_surroundings)
        session.watch_alive(f"{key(settings.cell)}/client/*", self._watch_client)
        session.serve(key(*here, "command"), self._receive_command)
        session.show_alive(key(*here, "alive"))

    def _receive_command(self, raw: bytes, reply: Callable[[bytes], None]) -> None:
        try:
            command = _COMMAND.decode(raw)
        except msgspec.MsgspecError as error:
            reply(self._encode(bus.Denied(reason=f"no command: {error}", kind="input")))
            return
        if isinstance(command, bus.Halt):
            self._bus_halts.append((command, reply))
        else:
            self._commands.append((command, reply))

    def _receive_intent(self, _: str, raw: bytes) -> None:
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

    def _receive_renewal(self, _: str, raw: bytes) -> None:
        try:
            self._renewals.append(_RENEWAL.decode(raw))
        except msgspec.MsgspecError:
            return

    def _receive_sample_request(self, _: str, raw: bytes) -> None:
        try:
            self._requests.append(_SAMPLES.decode(raw))
        except msgspec.MsgspecError:
            return

    def _watch_client(self, where: str, alive: bool) -> None:
        if not alive:
            self._gone.append(where.rsplit("/", 1)[-1])

    def _receive_surroundings(self, where: str, raw: bytes) -> None:
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
                continue  # The bus has gone, and all receivers with it.

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
                    self._publish_report(now)
                    return

    def step(self, now: int) -> None:
        """Let one tick pass: process what was received, move, and report."""
        self._feed(now)
        loop = self._loop
        loop.tick(now)
        self._number = self._number + 1 if self._number else now // loop.controller.capabilities.tick_ns
        if self._sampler.is_requested:
            batch = self._sampler.add_tick(self._number, now, loop.state, loop.drives)
            if batch is not None:
                self._bus.publish(self._sample_key, self._encode(batch))
        if now >= self._report_ns:
            # On a grid: counted from now, each would wait for one tick more than it should.
            every_ns = round(1e9 / self._settings.state_hz)
            self._report_ns = max(self._report_ns + every_ns, now + every_ns // 2)
            self._publish_report(now)
        if now >= self._poll_ns:
            self._poll_ns = now + int(POLL_S * 1e9)
            self._slowly(now)

    def end(self, reason: str) -> None:
        """Come to rest and end."""
        self.ending = self.ending or reason

    def _feed(self, now: int) -> None:
        """Give the loop what has come since the last tick."""
        loop = self._loop
        self._obey_line(now)
        for _ in range(len(self._bus_halts)):
            halt, reply = self._bus_halts.popleft()
            reply(self._encode(self._obeyed("bus", halt.press) or self._halt("bus", halt, (halt.press,), now)))
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

    def _obey_line(self, now: int) -> None:
        """Obey the stops that came over the line, and say so; those of one tick are one, however many there are."""
        halts = [self._halts.popleft() for _ in range(len(self._halts))]
        if not halts:
            return
        newest = halts[-1]
        answers = [self._obeyed("line", halt.press) for halt in halts]
        if None in answers:
            presses = tuple(halt.press for halt in halts)
            reply = self._halt("line", bus.Halt(who=newest.who), presses, now)
        else:
            reply = answers[-1]
        if not isinstance(reply, bus.Halted):
            return
        for number in dict.fromkeys(halt.number for halt in halts):
            if self._line is not None:
                # A robot whose controller did not get the stop has not been reached, even if this process has.
                self._line.reply(number, obeyed=not reply.reason, reason=reply.reason)
        self._halted = (newest.number, reply.stops)

    def _halt(self, channel: str, halt: bus.Halt, presses: tuple[str, ...], now: int) -> bus.Reply:
        """Obey a stop, and remember by which way it came."""
        reply = self._loop.command(halt, now)
        if isinstance(reply, bus.Halted) and not reply.reason:
            self._presses |= {press: (channel, reply) for press in presses if press}
            while len(self._presses) > KEPT_PRESSES:
                del self._presses[next(iter(self._presses))]
        return reply

    def _obeyed(self, channel: str, press: str) -> bus.Halted | None:
        """Return the answer to a stop that was obeyed when it came by the other way; None: it is to be obeyed.

        A press of STOP comes over the bus and over the line. The later of the two would hit what was requested after
        the first was answered. What comes twice by one way is obeyed twice.
        """
        before, reply = self._presses.get(press, (channel, None))
        return reply if before != channel else None

    def _publish_report(self, now: int) -> None:
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
                self._line.report_rest(number, measure.rest_s, measure.distance_m, measure.how)
                self._halted = None

    def _connect(self, now: int) -> None:
        """Try to reach the controller for the first time; later it reconnects by itself."""
        try:
            self._loop.controller.connect()
        except ControllerError as error:
            self._tries += 1
            self._try_ns = now + int(1e9 * min(LONGEST_TRY_S, 0.1 * 2**self._tries))
            if error.said != self._said:
                self._said = error.said
                self._loop.report_event("not connected", "", error.said)
        else:
            self._try_ns = None

    def _slowly(self, now: int) -> None:
        """Do what needs not be done at every tick."""
        if not self.ending and self._orphaned():
            self.end("the cell's runtime has gone")
        while self._requests:
            self._sampler.request(self._requests.popleft(), now)
        if self._sampler.is_requested:
            self._sampler.expire(now)
        if self._try_ns is not None and now >= self._try_ns and not self.ending:
            self._connect(now)
        if now >= self._kernels_ns:
            self._kernels_ns = now + int(KERNELS_S * 1e9)
            self._log_late_kernels()
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

    def _log_late_kernels(self) -> None:
        """Log kernels that the rehearsal has left out: loading them has held up a tick."""
        before, self._kernels = self._kernels, loaded_kernels()
        late = [name for name, count in self._kernels.items() if count > before.get(name, 0)]
        if late:
            self._loop.report_event("warning", "", say("process.kernels", kernels=", ".join(late)))


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
