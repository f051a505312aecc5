"""StateLink: our own RTDE connection, for supervision: a complete state in each package, and a heartbeat."""

from collections.abc import Generator, Iterator
from typing import TypeVar

from openpendant.controllers.dialler import CHUNK, ByteLink
from openpendant.errors import ControllerError, LinkError
from openpendant.protocols.rtde import (
    ClientEvent,
    ClientSession,
    Closed,
    InputsAgreed,
    OutputsAgreed,
    ProtocolReplied,
    Recipe,
    RecipeRefused,
    StartReplied,
    StateReceived,
    TextReceived,
    VersionReceived,
)
from openpendant.said import say

T = TypeVar("T")
Exchange = Generator[None, ClientEvent, T]
"""Takes one event after the other; returns what was agreed."""

PORT = 30004
HEARTBEAT = "input_int_register_24"
"""Written many times a second. Whoever holds it owns the robot: the controller gives an input to one client only."""
OUTPUTS = (
    "timestamp",
    "actual_q",
    "actual_qd",
    "target_q",
    "robot_mode",
    "safety_mode",
    "runtime_state",
    "speed_scaling",
    "target_speed_fraction",
    "actual_digital_input_bits",
    "actual_digital_output_bits",
    "script_control_line",
    "output_int_register_24",
)
SIGNAL_INPUTS = (
    ("standard_digital_output_mask", "standard_digital_output"),
    ("configurable_digital_output_mask", "configurable_digital_output"),
    ("tool_digital_output_mask", "tool_digital_output"),
)
"""Eight outputs, eight more, and two at the tool: as the bits of actual_digital_output_bits are counted."""


class StateLink:
    """States come in, a heartbeat and outputs go out; after `agree` has said so. No call waits."""

    def __init__(self, address: str, link: ByteLink) -> None:
        """Begin on a link that is ready."""
        self.address = address
        self.version = ""
        self.flat: tuple[float, ...] = ()
        """The newest state, laid flat in the order of OUTPUTS."""
        self.stamp_ns = 0
        """When it came."""
        self.texts: list[str] = []
        """Messages of the controller that nobody has read."""
        self._link = link
        self._session = ClientSession()
        self._heart: Recipe | None = None
        self._signals: list[Recipe | None] = []
        self._outbox = b""
        self._beats = 0
        self._exchange: Exchange[None] | None = self._agree()
        next(self._exchange)

    @property
    def signals(self) -> tuple[bool, ...]:
        """Which groups of digital outputs this link may write: standard, configurable, tool."""
        return tuple(recipe is not None for recipe in self._signals)

    def agree(self, now_ns: int) -> bool:
        """Agree with the controller on what is sent; return whether that is done, and a first state is there.

        Raises:
            LinkError: The connection is broken.
            ControllerError: The controller refuses; says why.
        """
        self._send()
        for event in self._receive():
            if isinstance(event, StateReceived):
                self.stamp_ns = now_ns
            if self._exchange is None:
                self._apply(event, now_ns)
                continue
            try:
                self._exchange.send(event)
            except StopIteration:
                self._exchange = None
            self._send()
        return self._exchange is None

    def poll(self, now_ns: int) -> bool:
        """Take in what has come; return whether it was a new state.

        Raises:
            LinkError: The connection is broken.
        """
        self._send()
        fresh = False
        for event in self._receive():
            fresh = self._apply(event, now_ns) or fresh
        return fresh

    def beat(self) -> None:
        """Write the heartbeat."""
        if self._heart is not None:
            self._beats = (self._beats + 1) % 1_000_000
            self._session.write(self._heart, (self._beats,))
            self._send()

    def set_output(self, bit: int, *, value: bool) -> bool:
        """Set a digital output (0-7 standard, 8-15 configurable, 16-17 tool); return whether this link may."""
        group, place = divmod(bit, 8)
        recipe = self._signals[group] if group < len(self._signals) else None
        if recipe is None:
            return False
        self._session.write(recipe, (1 << place, int(value) << place))
        self._send()
        return True

    def close(self) -> None:
        """End the connection."""
        self._link.close()

    def _apply(self, event: ClientEvent, now_ns: int) -> bool:
        """Take in what the controller says; return whether it is a state."""
        match event:
            case StateReceived(flat=flat):
                self.flat, self.stamp_ns = flat, now_ns
                return True
            case TextReceived(message=message):
                self.texts.append(message.text)
            case Closed(reason=reason):
                raise LinkError(say("link.fault", address=self.address, why=reason))
            case _:
                pass
        return False

    def _agree(self) -> Exchange[None]:
        self._session.request_protocol(2)
        if not (yield from self._await_one(ProtocolReplied)).accepted:
            raise ControllerError(say("link.no_rtde", address=self.address))
        self._session.request_version()
        version = (yield from self._await_one(VersionReceived)).version
        self.version = f"{version.major}.{version.minor}.{version.bugfix}.{version.build}"
        heart = yield from self._request_inputs((HEARTBEAT,))
        if isinstance(heart, RecipeRefused):
            raise ControllerError(say("link.other_owner", address=self.address, faults=_faults(heart)))
        self._heart = heart
        for names in SIGNAL_INPUTS:
            reply = yield from self._request_inputs(names)
            self._signals.append(reply if isinstance(reply, Recipe) else None)
        self._session.set_up_outputs(OUTPUTS, 500.0)
        outputs = yield from self._await_either(OutputsAgreed)
        if isinstance(outputs, RecipeRefused):
            faults = _faults(outputs)
            raise ControllerError(say("link.refuses_states", address=self.address, version=self.version, faults=faults))
        self._session.start()
        if not (yield from self._await_one(StartReplied)).accepted:
            raise ControllerError(say("link.no_states", address=self.address))
        self.flat = (yield from self._await_one(StateReceived)).flat

    def _request_inputs(self, names: tuple[str, ...]) -> Exchange[Recipe | RecipeRefused]:
        self._session.set_up_inputs(names)
        reply = yield from self._await_either(InputsAgreed)
        return reply if isinstance(reply, RecipeRefused) else reply.recipe

    def _await_one(self, kind: type[T]) -> Exchange[T]:
        """Return the next event of a kind; others are left out."""
        reply = yield from self._await_either(kind)
        if isinstance(reply, RecipeRefused):
            raise ControllerError(say("link.refuses", address=self.address, faults=_faults(reply)))
        return reply

    def _await_either(self, kind: type[T]) -> Exchange[T | RecipeRefused]:
        """Return the next event of a kind, or a refusal; others are left out."""
        while True:
            event = yield
            if isinstance(event, kind | RecipeRefused):
                return event
            if isinstance(event, Closed):
                raise LinkError(say("link.fault", address=self.address, why=event.reason))

    def _receive(self) -> Iterator[ClientEvent]:
        while data := self._link.receive():
            yield from self._session.feed(data)
            if len(data) < CHUNK:
                return

    def _send(self) -> None:
        self._outbox += self._session.take_outbox()
        if self._outbox:
            sent = self._link.send(self._outbox)
            # A controller that does not read loses the older beats, not the loop its memory.
            self._outbox = self._outbox[sent:] if len(self._outbox) - sent < CHUNK else b""


def _faults(refused: RecipeRefused) -> str:
    return ", ".join(f"{name} is {fault}" for name, fault in refused.faults.items()) or ", ".join(refused.names)
