"""CellLink: a client's end of the bus of a cell: newest reports, the log, commands, and the leases it keeps alive."""

import threading
import uuid
from collections import deque
from collections.abc import Callable, Iterable
from urllib.parse import unquote

import msgspec

from openpendant.errors import ControllerError, InputError, OpenPendantError
from openpendant.messages import Intent, RobotEventKind, bus, decode_said, speak_plainly
from openpendant.messages.sample_buffer import MOST_SAMPLES
from openpendant.said import say

from .bus import Bus, BusError, key
from .clock import Clock, SystemClock
from .sample_stream import SampleStream
from .stops import StopCounts, StopOutcome, StoppedError

HOLD_S = 0.8
"""A lease ends when its holder gives no sign of life for this long: a busy interpreter may be silent for tenths of a
second. With the stop itself, a robot whose holder hangs is at rest within 1.2 s. The death of a holder is seen at
once, whatever this is."""
RENEW_S = 0.08
STALE_S = 0.25
REPLY_WITHIN_S = 3.0
HALT_TRY_S = 0.5
HALT_AGAIN_S = 0.02
"""A stop without an answer is sent again after this time."""
REST_S = 2.0
"""How long a stop waits until robots are seen at rest."""
KEPT_EVENTS = 5000


class LeaseError(OpenPendantError):
    """Somebody else has control of the robot."""


class CellLink:
    """What one client knows of the robots of a cell. Threads inside; every call may come from any thread."""

    def __init__(
        self,
        session: Bus,
        cell: str,
        name: str,
        hold_s: float = HOLD_S,
        alive_ns: Callable[[], int] | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Listen.

        Args:
            session: On the bus of the cell; closed by whoever opened it.
            cell: The name of the cell.
            name: Of the client, for people.
            hold_s: How long its leases outlive it.
            alive_ns: Returns when the holder last showed that it is alive, monotonic nanoseconds; leases count from
                then. Default: now, so that a lease lasts as long as this process does.
            clock: Its time; default: the machine's.
        """
        self.clock: Clock = SystemClock() if clock is None else clock
        self.id = uuid.uuid4().hex
        self.name = name
        self._bus, self._cell, self._hold_s = session, cell, hold_s
        self._alive_ns = self.clock.now_ns if alive_ns is None else alive_ns
        self._changed = threading.Condition()
        self._reports: dict[str, bus.RobotReport] = {}
        self._alive: set[str] = set()
        self._events: deque[bus.RobotEvent] = deque(maxlen=KEPT_EVENTS)
        self._leases: set[str] = set()
        self._listeners: list[Callable[[], None]] = []
        self._streams: list[SampleStream] = []
        self._sent: dict[str, int] = {}
        self._obeyed: dict[str, int] = {}
        self._encode = msgspec.msgpack.Encoder(enc_hook=speak_plainly).encode
        self._decode = msgspec.msgpack.Decoder(bus.Reply).decode
        session.listen(f"{key(cell)}/*/state", self._receive_report)
        session.listen(f"{key(cell)}/*/event", self._receive_event)
        session.watch_alive(f"{key(cell)}/*/alive", self._watch_alive)
        session.show_alive(key(cell, "client", self.id))
        self._end_renewal = self.clock.every(RENEW_S, self._renew, f"openpendant-lease-{cell}")

    def close(self) -> None:
        """Give the leases back and listen no more; what they moved comes to rest."""
        for robot in tuple(self._leases):
            try:
                self.release(robot)
            except OpenPendantError:
                continue  # It has gone, and its lease with it.
        self._end_renewal()
        for stream in self._streams:
            stream.close()

    def on_report(self, on_samples: Callable[[], None]) -> None:
        """Call a function, in a thread of the bus, whenever a report of any robot has come. It must be short."""
        with self._changed:
            self._listeners.append(on_samples)

    def samples(
        self, robot: str, most: int = MOST_SAMPLES, on_samples: Callable[[], None] | None = None
    ) -> SampleStream:
        """Return a stream of the samples of a robot, from now on; it ends with the link at the latest.

        Args:
            robot: The name of the robot.
            most: Ticks that are kept until they are read.
            on_samples: Called, in a thread of the bus, whenever samples have come; None: no call.

        Raises:
            InputError: `most` is not positive.
        """
        stream = SampleStream(self._bus, self._cell, robot, self.clock, most, on_samples)
        self._streams = [one for one in self._streams if not one.closed] + [stream]
        return stream

    def report(self, robot: str) -> bus.RobotReport | None:
        """Return how a robot is; what is old says that it is. None: nothing was received from it yet."""
        with self._changed:
            report, alive = self._reports.get(robot), robot in self._alive
        if report is None:
            return None
        age_s = (self.clock.now_ns() - report.stamp_ns) * 1e-9
        if alive and age_s < STALE_S:
            return report
        words = say("process.silent", silent_s=age_s) if alive else say("process.ended")
        return msgspec.structs.replace(report, connected=False, ready=False, reason=words)

    def newest(self, robot: str) -> bus.RobotReport | None:
        """Return the newest report of a robot as it came, however old it is; None: nothing was received from it yet."""
        with self._changed:
            return self._reports.get(robot)

    def alive(self, robot: str) -> bool:
        """Return whether a robot's process is there."""
        with self._changed:
            return robot in self._alive

    def last_report_s(self, robot: str) -> float:
        """Return when the last report of a robot was made, monotonic seconds; 0: none yet."""
        with self._changed:
            report = self._reports.get(robot)
        return 0.0 if report is None else report.stamp_ns * 1e-9

    def events(self, robot: str | None = None) -> tuple[bus.RobotEvent, ...]:
        """Return the log, oldest first: of one robot, or of all."""
        with self._changed:
            return tuple(event for event in self._events if robot in (None, event.robot))

    def log_event(self, robot: str, kind: RobotEventKind, message: str) -> None:
        """Write something of our own into the log."""
        event = bus.RobotEvent(
            robot=robot, number=0, stamp_ns=self.clock.now_ns(), kind=kind, about="", message=message
        )
        with self._changed:
            self._events.append(event)
            self._changed.notify_all()

    def wait(self, condition: Callable[[], bool], within_s: float) -> bool:
        """Wait until a condition over reports and events holds; return whether it does.

        It is evaluated at every report or event, and a few times a second.
        """
        end_ns = self.clock.now_ns() + int(within_s * 1e9)
        while not condition():
            left_s = (end_ns - self.clock.now_ns()) * 1e-9
            if left_s <= 0.0:
                return False
            with self._changed:
                self.clock.wait(self._changed, min(left_s, 0.05))
        return True

    def request(self, robot: str, command: bus.Command, deadline_s: float = REPLY_WITHIN_S) -> bus.Reply:
        """Give a command and return the answer.

        Raises:
            BusError: No answer.
            InputError: A value is not allowed.
            LeaseError: Somebody else has control.
            ControllerError: The robot cannot do it now; says why.
        """
        raw = self._bus.request(key(self._cell, robot, "command"), self._encode(command), deadline_s)
        return self._decode_reply(robot, raw)

    def stop_counts(self) -> StopCounts:
        """Return the stops known now, for something that is requested now."""
        with self._changed:
            return StopCounts(dict(self._sent), dict(self._obeyed))

    def stops_of(self, robot: str, since: StopCounts | None) -> int:
        """Return the count for a command to a robot that was requested at `since` (None: now).

        Raises:
            StoppedError: This client has sent a stop since.
        """
        with self._changed:
            if since is None:
                return self._obeyed.get(robot, 0)
            if self._sent.get(robot, 0) != since.sent.get(robot, 0):
                raise StoppedError(say("robot.stopped_since", robot=robot))
            return since.obeyed.get(robot, 0)

    def stopped_since(self, robot: str, since: StopCounts) -> bool:
        """Return whether a robot has obeyed a stop, of anybody, that came after `since`."""
        with self._changed:
            return self._obeyed.get(robot, 0) > since.obeyed.get(robot, 0)

    def halt(
        self, robots: Iterable[str], *, now: bool = False, rest_within_s: float = REST_S, press: str = ""
    ) -> dict[str, StopOutcome]:
        """Stop robots, whoever moves them; everything requested before is void. Never raises.

        It is sent to all before waiting for any reply, and again until they reply or their process has ended.

        Args:
            robots: Their names.
            now: As hard as they can, instead of along their paths.
            rest_within_s: How long to wait until they rest; 0: only until they obey.
            press: As `bus.Halt.press`.

        Returns:
            What became of it, by robot.
        """
        names = tuple(robots)
        with self._changed:
            for robot in names:
                self._sent[robot] = self._sent.get(robot, 0) + 1
        halt = self._encode(bus.Halt(who=self.name, kind="now" if now else "path", press=press))
        end_ns = self.clock.now_ns() + int(REPLY_WITHIN_S * 1e9)
        replies: dict[str, bus.Halted | str] = {}
        waiting = names
        while waiting:
            where = {key(self._cell, robot, "command"): robot for robot in waiting}
            for place, raw in self._bus.request_each(where, halt, HALT_TRY_S).items():
                replies[where[place]] = self._halted(where[place], raw)
            waiting = tuple(robot for robot in waiting if isinstance(replies[robot], str) and self.alive(robot))
            if self.clock.now_ns() >= end_ns:
                break
            if waiting:
                # A bus without a listener replies at once.
                self.wait(lambda: False, HALT_AGAIN_S)
        with self._changed:
            for robot, reply in replies.items():
                if isinstance(reply, bus.Halted):
                    self._obeyed[robot] = max(self._obeyed.get(robot, 0), reply.stops)
        obeyed = {robot: reply.stops for robot, reply in replies.items() if isinstance(reply, bus.Halted)}
        self.wait(lambda: all(self._measure(robot, stops) for robot, stops in obeyed.items()), rest_within_s)
        return {robot: self._stop_outcome(robot, replies[robot]) for robot in names}

    def _halted(self, robot: str, raw: "bytes | BusError") -> bus.Halted | str:
        """Return the answer to a Halt, or why there is none."""
        if isinstance(raw, BusError):
            return say("process.mute") if self.alive(robot) else say("process.ended")
        try:
            reply = self._decode_reply(robot, raw)
        except OpenPendantError as error:
            return error.said
        return reply if isinstance(reply, bus.Halted) else f"{robot} answers a stop with {type(reply).__name__}"

    def _measure(self, robot: str, stops: int) -> bus.StopMeasure | None:
        """Return how a robot came to rest after its Halt number `stops`; None: it has not yet."""
        with self._changed:
            report = self._reports.get(robot)
        measure = None if report is None else report.stopped
        return measure if measure is not None and measure.stops >= stops else None

    def _stop_outcome(self, robot: str, reply: bus.Halted | str) -> StopOutcome:
        if isinstance(reply, str):
            return StopOutcome(robot, reached=False, reason=reply)
        measure = self._measure(robot, reply.stops)
        if measure is None:
            reason = decode_said(reply.reason, reply.said) or say("stop.not_seen")
            return StopOutcome(robot, reached=not reply.reason, reason=reason)
        return StopOutcome(robot, reached=True, rest_s=measure.rest_s, distance_m=measure.distance_m, how=measure.how)

    def _decode_reply(self, robot: str, raw: bytes) -> bus.Reply:
        try:
            reply = self._decode(raw)
        except msgspec.MsgspecError as error:
            raise BusError(say("bus.unreadable", robot=robot, why=str(error))) from None
        if isinstance(reply, bus.Denied):
            kinds = {"input": InputError, "lease": LeaseError, "state": ControllerError, "stopped": StoppedError}
            raise kinds[reply.kind](decode_said(reply.reason, reply.said))
        return reply

    def intend(self, robot: str, intent: Intent) -> None:
        """Send an intent; the newest counts."""
        self._bus.publish(key(self._cell, robot, "intent"), self._encode(intent))

    def acquire(self, robot: str, *, take_over: bool = False) -> None:
        """Ask for control of a robot and keep it until it is released.

        Raises:
            LeaseError: Somebody else has it, or whoever asks from here gives no sign of life.
            BusError: No answer.
        """
        silent_s = (self.clock.now_ns() - self._alive_ns()) * 1e-9
        if silent_s > self._hold_s:
            raise LeaseError(say("control.no_sign_of_life", name=self.name, silent_s=silent_s))
        request = bus.LeaseRequest(holder=self.id, name=self.name, hold_s=self._hold_s, take_over=take_over)
        self.request(robot, request)
        self._leases.add(robot)

    def holds(self, robot: str) -> bool:
        """Return whether control was asked for and not given back; it may have been lost since."""
        return robot in self._leases

    def release(self, robot: str) -> None:
        """Give control back."""
        self._leases.discard(robot)
        self.request(robot, bus.DropLease(holder=self.id), 1.0)

    def _renew(self) -> bool:
        for robot in tuple(self._leases):
            renewal = bus.LeaseRenewal(holder=self.id, stamp_ns=self._alive_ns())
            try:
                self._bus.publish(key(self._cell, robot, "lease"), self._encode(renewal))
            except BusError:
                continue
        return True

    def _receive_report(self, _: str, raw: bytes) -> None:
        try:
            report = msgspec.msgpack.decode(raw, type=bus.RobotReport)
        except msgspec.MsgspecError:
            return  # Not ours; what is missing is seen as silence.
        with self._changed:
            self._reports[report.robot] = report
            self._obeyed[report.robot] = max(self._obeyed.get(report.robot, 0), report.stops)
            self._changed.notify_all()
            listeners = tuple(self._listeners)
        for on_samples in listeners:
            on_samples()

    def _receive_event(self, _: str, raw: bytes) -> None:
        try:
            event = msgspec.msgpack.decode(raw, type=bus.RobotEvent)
        except msgspec.MsgspecError:
            return
        with self._changed:
            self._events.append(event)
            self._changed.notify_all()

    def _watch_alive(self, where: str, alive: bool) -> None:
        robot = unquote(where.split("/")[-2])
        with self._changed:
            (self._alive.add if alive else self._alive.discard)(robot)
            self._changed.notify_all()
