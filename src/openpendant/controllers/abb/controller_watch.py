"""ControllerWatch: what a controller says about itself over Robot Web Services, asked for in turn.

A subscription says at once what has changed; that is requested next. Without one everything is requested more often.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import cycle

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import LinkError
from openpendant.messages import Mode, OperatingMode, Safety
from openpendant.protocols import ProtocolError
from openpendant.protocols.rws import RwsCall, RwsInterest, RwsOperation, decode_subscribed, encode_interests

from .arm import AbbArm
from .rws_events import RwsEvents
from .rws_link import RwsExchange, RwsLink

Array = NDArray[np.float64]
EVERY_NS = 40_000_000
"""Between two questions about the controller: 25 in a second, which a real one answers beside its work."""
JOINTS_EVERY_NS = 20_000_000
"""Between two questions for joints while no other source reports where the arms are."""
SUBSCRIBE_AGAIN_NS = 5_000_000_000
"""After a subscription that was refused or was lost."""
STATE, MODE, SPEED, RUN = "pnl-ctrlstate-ev", "pnl-opmode-ev", "pnl-speedratio-ev", "rap-ctrlexecstate-ev"
LOG = "elog-message-ev"
INTERESTS = (
    RwsInterest("/rw/panel/ctrlstate"),
    RwsInterest("/rw/panel/opmode"),
    RwsInterest("/rw/panel/speedratio"),
    RwsInterest("/rw/rapid/execution;ctrlexecstate"),
    RwsInterest("/rw/elog/0"),
)
LOG_AHEAD = 3
"""Numbers of the event log that are asked for in turn: some may be missing."""
ERROR_LEVEL = 3
FULL_SPEED = 100.0
MODES: Mapping[str, tuple[Mode, Safety]] = {
    "motoron": ("ready", "normal"),
    "motoroff": ("off", "normal"),
    "init": ("booting", "normal"),
    "guardstop": ("off", "safeguard stop"),
    "emergencystop": ("off", "emergency stop"),
    "emergencystopreset": ("off", "emergency stop"),
    "sysfail": ("off", "fault"),
}
"""Words of `ctrlstate` (Robot Web Services, "Panel")."""
OPERATING: Mapping[str, OperatingMode] = {"AUTO": "automatic", "MANR": "manual", "MANF": "manual full speed"}


@dataclass(frozen=True)
class LoggedEvent:
    """An entry of the event log, in the controller's words."""

    number: int
    level: int
    code: int
    title: str
    text: str
    arguments: tuple[str, ...]

    @property
    def message(self) -> str:
        """For people."""
        more = self.text if self.text != self.title else ""
        return f"{self.code} {self.title}" + (f": {more}" if more else "")


@dataclass
class Panel:
    """How the controller is."""

    state: str = ""
    """As `ctrlstate`; empty: not reported yet."""
    operating: str = ""
    speed: float = 1.0
    execution: str = ""
    """"running" or "stopped"."""
    execution_ns: int = 0
    """When that was asked for."""
    lines: dict[str, int] = field(default_factory=dict[str, int])
    """Of the program pointers, by task; those in our own module are left out."""
    modules: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def mode(self) -> Mode:
        """In our words."""
        return MODES.get(self.state, ("unknown", "unknown"))[0]

    @property
    def safety(self) -> Safety:
        """In our words."""
        return MODES.get(self.state, ("unknown", "unknown"))[1]

    @property
    def operating_mode(self) -> OperatingMode:
        """In our words."""
        return OPERATING.get(self.operating, "unknown")

    @property
    def able(self) -> bool:
        """Whether it lets clients run programs: automatic mode, motors on."""
        return self.state == "motoron" and self.operating == "AUTO"


class ControllerWatch:
    """Asks one thing after the other over a link of its own; a stop goes first there."""

    def __init__(
        self, link: RwsLink, arms: Iterable[AbbArm], signals: Mapping[str, str], listen: Callable[[str], RwsEvents]
    ) -> None:
        """Begin to ask.

        Args:
            link: Over which it asks.
            arms: Of the controller.
            signals: Places of wired signals on the controller, by their names there.
            listen: Opens the websocket of a subscription, by its path.
        """
        self.panel = Panel()
        self.entries: list[LoggedEvent] = []
        """New ones in the event log, until somebody takes them."""
        self.joints: dict[str, tuple[Array, int]] = {}
        """By arm, and when they came."""
        self.signals: dict[str, bool] = {}
        """By their names on the controller."""
        self.watched: tuple[str, ...] = ()
        """Tasks whose program pointers are of interest."""
        self._link, self._arms = link, tuple(arms)
        self._places = dict(signals)
        self._turn = cycle(self._requests())
        self._quiet_turn = cycle(self._rare_requests())
        self._listen = listen
        self._events: RwsEvents | None = None
        self._subscribe_ns = 0
        self._due: dict[Callable[[], None], None] = {}
        self._arm_turn = cycle(self._arms)
        self._signal_turn = cycle(tuple(signals.items())) if signals else None
        self._open: list[tuple[RwsExchange, Callable[[RwsExchange], None]]] = []
        self._log_next: int | None = None
        self._log_ahead = 0
        self._due_ns = self._joints_due_ns = 0

    @property
    def known(self) -> bool:
        """Whether the controller has said enough to begin with."""
        panel = self.panel
        return bool(panel.state and panel.operating and panel.execution) and len(self.joints) == len(self._arms)

    def poll(self, now_ns: int, *, joints: bool) -> None:
        """Send what is due, take in answers.

        Args:
            now_ns: Now.
            joints: Whether no other source reports where the arms and signals are.

        Raises:
            LinkError: The connection is broken.
            ControllerError: The login is refused.
        """
        self._link.poll(now_ns)
        waiting = self._open
        self._open = []
        for exchange, use in waiting:
            if not exchange.over:
                self._open.append((exchange, use))
            elif exchange.refusal is None:
                use(exchange)
        self._poll_events(now_ns)
        if not self._link.idle:
            return
        if self._due:
            request = next(iter(self._due))
            del self._due[request]
            request()
        elif joints and now_ns >= self._joints_due_ns:
            self._joints_due_ns = now_ns + JOINTS_EVERY_NS
            self._request_joints(next(self._arm_turn), now_ns)
        elif now_ns >= self._due_ns:
            self._due_ns = now_ns + EVERY_NS
            if joints and self._signal_turn is not None:
                self._request_signal(*next(self._signal_turn))
            next(self._turn if self._events is None else self._quiet_turn)()

    def _poll_events(self, now_ns: int) -> None:
        """Take in what the controller says by itself; where it does not, subscribe."""
        if self._events is not None:
            requests = {
                STATE: self._state,
                MODE: self._mode,
                SPEED: self._speed,
                RUN: self._execution,
                LOG: self._new_entries,
            }
            try:
                for event in self._events.poll():
                    if event.type in requests:
                        self._due[requests[event.type]] = None
            except LinkError:
                # What has been missed is requested in turn.
                self._events.close()
                self._events, self._subscribe_ns = None, now_ns + SUBSCRIBE_AGAIN_NS
        elif self.known and self._log_next is not None and now_ns >= self._subscribe_ns:
            self._subscribe_ns = now_ns + SUBSCRIBE_AGAIN_NS
            call = RwsCall(RwsOperation.SUBSCRIBE, fields=encode_interests(INTERESTS), as_json=False)
            self._open.append((self._link.request(call), self._begin_events))

    def _begin_events(self, exchange: RwsExchange) -> None:
        try:
            self._events = self._listen(decode_subscribed(exchange.body))
        except ProtocolError:
            # Everything is requested in turn as before.
            self._events = None

    def stop(self, *, quick: bool) -> RwsExchange:
        """Stop the programs, before anything else that is asked."""
        mode = "qstop" if quick else "stop"
        return self._link.request(RwsCall(RwsOperation.STOP, fields=(("stopmode", mode),)), first=True)

    def request_execution(self) -> None:
        """Ask whether programs run, where nothing else is asked."""
        if self._link.idle:
            self._execution()

    def place_of(self, name: str) -> str:
        """Return where a signal is on the controller; the name alone where that is not known."""
        return self._places.get(name, name)

    def drain_entries(self) -> list[LoggedEvent]:
        """Return what is new in the event log, and forget it."""
        drained, self.entries = self.entries, []
        return drained

    def close(self) -> None:
        """End the links."""
        self._link.close()
        if self._events is not None:
            self._events.close()
            self._events = None

    def _requests(self) -> tuple[Callable[[], None], ...]:
        state, run, log = self._state, self._execution, self._log
        return (state, run, log, self._mode, state, run, log, self._pointers, state, run, log, self._speed)

    def _rare_requests(self) -> tuple[Callable[[], None], ...]:
        """With a subscription: program pointers, which it does not have, and everything else in case it is deaf."""
        state, run, log = self._state, self._execution, self._log
        others = (state, run, log, self._mode, state, run, log, self._speed)
        return tuple(request for one in others for request in (one, self._pointers))

    def _request(
        self,
        operation: RwsOperation,
        use: Callable[[RwsExchange], None],
        names: tuple[str, ...] = (),
        fields: tuple[tuple[str, str], ...] = (),
    ) -> RwsExchange:
        exchange = self._link.request(RwsCall(operation, names, fields))
        self._open.append((exchange, use))
        return exchange

    def _state(self) -> None:
        def use(exchange: RwsExchange) -> None:
            self.panel.state = _field(exchange, "ctrlstate") or self.panel.state

        self._request(RwsOperation.READ_CONTROLLER_STATE, use)

    def _mode(self) -> None:
        def use(exchange: RwsExchange) -> None:
            self.panel.operating = _field(exchange, "opmode") or self.panel.operating

        self._request(RwsOperation.READ_OPERATION_MODE, use)

    def _speed(self) -> None:
        def use(exchange: RwsExchange) -> None:
            found = _number(_field(exchange, "speedratio"))
            self.panel.speed = self.panel.speed if found is None else found / FULL_SPEED

        self._request(RwsOperation.READ_SPEED_RATIO, use)

    def _execution(self) -> None:
        def use(exchange: RwsExchange) -> None:
            before = self.panel.execution
            self.panel.execution = _field(exchange, "ctrlexecstate") or before
            if before == "running" != self.panel.execution and self._log_next is not None:
                # Why it stopped is known before the server, which stops with it, counts as lost.
                self._log_ahead = 0
                self._log()
            self.panel.execution_ns = exchange.sent_ns

        self._request(RwsOperation.READ_EXECUTION, use)

    def _pointers(self) -> None:
        for task in self.watched:

            def use(exchange: RwsExchange, task: str = task) -> None:
                line = _number(_field(exchange, "startline") or _field(exchange, "beginposition").partition(",")[0])
                self.panel.modules[task] = _field(exchange, "module")
                self.panel.lines[task] = 0 if line is None else int(line)

            self._request(RwsOperation.READ_POINTER, use, (task,))

    def _log(self) -> None:
        if self._log_next is None:
            self._request(RwsOperation.LIST_LOG, self._begin_log, ("0",), (("lang", "en"),))
            return
        number = self._log_next + self._log_ahead
        self._log_ahead = (self._log_ahead + 1) % LOG_AHEAD

        def use(exchange: RwsExchange) -> None:
            entry = _entry(exchange, number)
            if entry is not None and self._log_next is not None and number >= self._log_next:
                self.entries.append(entry)
                self._log_next, self._log_ahead = number + 1, 0
                self._log()

        self._request(RwsOperation.READ_LOG_ENTRY, use, ("0", str(number)), (("lang", "en"),))

    def _new_entries(self) -> None:
        self._log_ahead = 0
        self._log()

    def _begin_log(self, exchange: RwsExchange) -> None:
        numbers = [int(tail) for one in exchange.states if (tail := one.title.rpartition("/")[2]).isdecimal()]
        self._log_next = max(numbers, default=0) + 1

    def _request_joints(self, arm: AbbArm, now_ns: int) -> None:
        def use(exchange: RwsExchange) -> None:
            names = (*(f"rax_{axis}" for axis in range(1, 7)), "eax_a")[: arm.dof]
            found = [_number(_field(exchange, name)) for name in names]
            degrees = [value for value in found if value is not None]
            if len(degrees) == arm.dof:
                self.joints[arm.name] = np.radians(np.array(degrees)), now_ns

        self._request(RwsOperation.READ_JOINTS, use, (arm.unit,))

    def _request_signal(self, name: str, place: str) -> None:
        def use(exchange: RwsExchange) -> None:
            found = _number(_field(exchange, "lvalue"))
            if found is not None:
                self.signals[name] = found != 0.0

        self._request(RwsOperation.READ_SIGNAL, use, tuple(place.split("/")))


def _field(exchange: RwsExchange, name: str) -> str:
    return next((one.fields[name] for one in exchange.states if name in one.fields), "")


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if np.isfinite(value) else None


def _entry(exchange: RwsExchange, number: int) -> LoggedEvent | None:
    if not exchange.states:
        return None
    one = exchange.states[0]
    level, code = _number(one.fields.get("msgtype", "")), _number(one.fields.get("code", ""))
    title, text = one.fields.get("title", ""), one.fields.get("desc", "")
    arguments = tuple(argument.value for argument in one.arguments)
    return LoggedEvent(number, int(level or 1), int(code or 0), title, text, arguments)
