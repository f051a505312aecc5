"""CellLink: a client's end of the bus of a cell: newest reports, the log, commands, and the leases it keeps alive."""

import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable
from urllib.parse import unquote

import msgspec

from openpendant.errors import ControllerError, InputError, OpenPendantError
from openpendant.messages import Intent, bus

from .bus import Bus, BusError, key

__all__ = ["CellLink", "LeaseError"]

HOLD_S = 1.0
"""A lease ends when nothing is heard of its holder for so long: a busy interpreter may be silent for tenths of a
second. The death of a holder is seen at once, whatever this is."""
RENEW_S = 0.08
STALE_S = 0.25
ANSWER_S = 3.0
KEPT_EVENTS = 5000


class LeaseError(OpenPendantError):
    """Somebody else has control of the robot."""


class CellLink:
    """What one client knows of the robots of a cell. Threads inside; every call may come from any thread."""

    def __init__(self, session: Bus, cell: str, name: str, hold_s: float = HOLD_S) -> None:
        """Listen.

        Args:
            session: On the bus of the cell; closed by whoever opened it.
            cell: The name of the cell.
            name: Of the client, for people.
            hold_s: How long its leases outlive it.
        """
        self.id = uuid.uuid4().hex
        self.name = name
        self._bus, self._cell, self._hold_s = session, cell, hold_s
        self._changed = threading.Condition()
        self._reports: dict[str, bus.RobotReport] = {}
        self._alive: set[str] = set()
        self._events: deque[bus.RobotEvent] = deque(maxlen=KEPT_EVENTS)
        self._leases: set[str] = set()
        self._ended = threading.Event()
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(bus.Answer).decode
        session.listen(f"{key(cell)}/*/state", self._take_report)
        session.listen(f"{key(cell)}/*/event", self._take_event)
        session.watch_alive(f"{key(cell)}/*/alive", self._take_alive)
        session.show_alive(key(cell, "client", self.id))
        self._thread = threading.Thread(target=self._renew, name=f"openpendant-lease-{cell}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Give the leases back and listen no more; what they moved comes to rest."""
        for robot in tuple(self._leases):
            try:
                self.release(robot)
            except OpenPendantError:
                continue  # It has gone, and its lease with it.
        self._ended.set()
        self._thread.join()

    def report(self, robot: str) -> bus.RobotReport | None:
        """Return how a robot is; what is old says that it is. None: nothing was heard of it yet."""
        with self._changed:
            report, alive = self._reports.get(robot), robot in self._alive
        if report is None:
            return None
        age_s = (time.monotonic_ns() - report.stamp_ns) * 1e-9
        if alive and age_s < STALE_S:
            return report
        words = f"nothing was heard of its process for {age_s:.2f} s" if alive else "its process has ended"
        return msgspec.structs.replace(report, connected=False, ready=False, reason=words)

    def alive(self, robot: str) -> bool:
        """Return whether a robot's process is there."""
        with self._changed:
            return robot in self._alive

    def heard_s(self, robot: str) -> float:
        """Return when something was last heard of a robot, monotonic seconds; 0: never."""
        with self._changed:
            report = self._reports.get(robot)
        return 0.0 if report is None else report.stamp_ns * 1e-9

    def events(self, robot: str | None = None) -> tuple[bus.RobotEvent, ...]:
        """Return the log, oldest first: of one robot, or of all."""
        with self._changed:
            return tuple(event for event in self._events if robot in (None, event.robot))

    def tell(self, robot: str, kind: str, message: str) -> None:
        """Write something of our own into the log."""
        event = bus.RobotEvent(
            robot=robot, number=0, stamp_ns=time.monotonic_ns(), kind=kind, about="", message=message
        )
        with self._changed:
            self._events.append(event)
            self._changed.notify_all()

    def wait(self, condition: Callable[[], bool], within_s: float) -> bool:
        """Wait until a condition over reports and events holds; return whether it does.

        It is looked at whenever something is heard, and a few times a second.
        """
        end = time.monotonic() + within_s
        while not condition():
            left = end - time.monotonic()
            if left <= 0.0:
                return False
            with self._changed:
                self._changed.wait(min(left, 0.05))
        return True

    def ask(self, robot: str, command: bus.Command, deadline_s: float = ANSWER_S) -> bus.Answer:
        """Give a command and return the answer.

        Raises:
            BusError: No answer.
            InputError: A value is not allowed.
            LeaseError: Somebody else has control.
            ControllerError: The robot cannot do it now; says why.
        """
        raw = self._bus.ask(key(self._cell, robot, "command"), self._encode(command), deadline_s)
        return self._understand(robot, raw)

    def halt(self, robots: Iterable[str], *, now: bool = False) -> None:
        """Stop robots, whoever moves them. All are told before any answer is waited for.

        Args:
            robots: Their names.
            now: As hard as they can, instead of along their paths.

        Raises:
            ControllerError: Some could not be told; says which and why. The others stop.
        """
        where = {key(self._cell, robot, "command"): robot for robot in robots}
        halt = bus.Halt(who=self.name, kind="now" if now else "path")
        wrong: list[str] = []
        for place, raw in self._bus.ask_each(where, self._encode(halt), ANSWER_S).items():
            try:
                if isinstance(raw, BusError):
                    raise raw
                self._understand(where[place], raw)
            except OpenPendantError as error:
                wrong.append(f"{where[place]}: {error}")
        if wrong:
            raise ControllerError("could not be told to stop: " + "; ".join(wrong))

    def _understand(self, robot: str, raw: bytes) -> bus.Answer:
        try:
            answer = self._decode(raw)
        except msgspec.MsgspecError as error:
            raise BusError(f"{robot} answers what nobody understands: {error}") from None
        if isinstance(answer, bus.Denied):
            raise {"input": InputError, "lease": LeaseError, "state": ControllerError}[answer.kind](answer.reason)
        return answer

    def intend(self, robot: str, intent: Intent) -> None:
        """Send an intent; the newest counts."""
        self._bus.publish(key(self._cell, robot, "intent"), self._encode(intent))

    def acquire(self, robot: str, *, take_over: bool = False) -> None:
        """Ask for control of a robot and keep it until it is released.

        Raises:
            LeaseError: Somebody else has it.
            BusError: No answer.
        """
        ask = bus.AskLease(holder=self.id, name=self.name, hold_s=self._hold_s, take_over=take_over)
        self.ask(robot, ask)
        self._leases.add(robot)

    def holds(self, robot: str) -> bool:
        """Return whether control was asked for and not given back; it may have been lost since."""
        return robot in self._leases

    def release(self, robot: str) -> None:
        """Give control back."""
        self._leases.discard(robot)
        self.ask(robot, bus.DropLease(holder=self.id), 1.0)

    def _renew(self) -> None:
        while not self._ended.wait(RENEW_S):
            for robot in tuple(self._leases):
                word = bus.LeaseRenewal(holder=self.id, stamp_ns=time.monotonic_ns())
                try:
                    self._bus.publish(key(self._cell, robot, "lease"), self._encode(word))
                except BusError:
                    continue

    def _take_report(self, _: str, raw: bytes) -> None:
        try:
            report = msgspec.msgpack.decode(raw, type=bus.RobotReport)
        except msgspec.MsgspecError:
            return  # Not ours; what is missing is seen as silence.
        with self._changed:
            self._reports[report.robot] = report
            self._changed.notify_all()

    def _take_event(self, _: str, raw: bytes) -> None:
        try:
            event = msgspec.msgpack.decode(raw, type=bus.RobotEvent)
        except msgspec.MsgspecError:
            return
        with self._changed:
            self._events.append(event)
            self._changed.notify_all()

    def _take_alive(self, where: str, alive: bool) -> None:
        robot = unquote(where.split("/")[-2])
        with self._changed:
            (self._alive.add if alive else self._alive.discard)(robot)
            self._changed.notify_all()
