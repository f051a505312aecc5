"""The controller's side of one RTDE connection, without its socket.

Replies to the client as the controller does and reports its requests to the host:

    connect ──V──▶ protocol agreed ──O/I──▶ recipes agreed ──S──▶ data flow ──P──▶ paused ──S──▶ ...

A package that is in step but wrong (unknown name, frequency out of range, wrong order) is refused in its
reply, or answered with a text message where it has none; a stream that cannot be framed is closed.
A client that never asks for a version is served protocol 1, as controllers do for their oldest clients.
"""

from openpendant.errors import InputError
from openpendant.protocols.error import ProtocolError

from .events import Closed, Event, InputsReceived, InputsSetUp, OutputsSetUp, Paused, Started, TextReceived
from .framer import Framer
from .packages import (
    HEADER_SIZE,
    ControllerVersion,
    MessageLevel,
    PackageType,
    PauseReply,
    ProtocolVersionReply,
    ProtocolVersionRequest,
    SetupInputsReply,
    SetupInputsRequest,
    SetupOutputsReply,
    SetupOutputsRequest,
    StartReply,
    TextMessage,
)
from .recipes import Recipe
from .registry import InputRegistry
from .variables import VARIABLES
from .wire_types import IN_USE, NOT_FOUND, WIRE_TYPES

MAX_NAMES_SIZE = 2048
"""Bytes that a list of names may have (RTDE guide, "Setup outputs")."""

MIN_FREQUENCY_HZ = 1.0
MAX_FREQUENCY_HZ = 500.0
"""An e-Series controller ticks at 500 Hz and sends at most once per tick."""

PROTOCOLS = (1, 2)
"""Protocol versions the controller speaks."""

DEFAULT_VERSION = ControllerVersion(5, 11, 5, 1010327)
"""Default software version of the controller."""

_PROTOCOL_1_FREQUENCY_HZ = 125.0
_MAX_OUTBOX = 256 * 1024
_MAX_RECIPES = 255
_SOURCE = "RTDE"

_Reply = ControllerVersion | ProtocolVersionReply | SetupOutputsReply | SetupInputsReply | StartReply | PauseReply


class ServerSession:
    """One client's conversation with the controller.

    Feed it what the socket received, send what `take_outbox` gives before any data package, act on the
    events, and on each 2 ms tick send `data_package(values)` when it is `due(tick)`.
    """

    def __init__(
        self,
        inputs: InputRegistry,
        version: ControllerVersion = DEFAULT_VERSION,
        *,
        lacks: frozenset[str] = frozenset(),
    ) -> None:
        """Start a conversation.

        Args:
            inputs: Shared by all connections of one controller.
            version: Of the controller.
            lacks: Variables that came after that version.
        """
        self._inputs = inputs
        self._version = version
        self._known = {name: one for name, one in VARIABLES.items() if name not in lacks} if lacks else VARIABLES
        self._framer = Framer()
        self._outbox = bytearray()
        self._input_recipes: dict[int, Recipe] = {}
        self._outputs_agreed = 0
        self._output: Recipe | None = None
        self._frequency_hz = 0.0
        self._ticks_per_package = 0
        self._protocol = 1
        self._started = False
        self._closed = False

    @property
    def protocol(self) -> int:
        """Protocol version in force, 1 or 2."""
        return self._protocol

    @property
    def output(self) -> Recipe | None:
        """What the client wants to be sent, once agreed."""
        return self._output

    @property
    def frequency_hz(self) -> float:
        """How often it wants it; 0 while there is no recipe."""
        return self._frequency_hz

    @property
    def started(self) -> bool:
        """Whether data flow."""
        return self._started

    @property
    def closed(self) -> bool:
        """Whether the session is over."""
        return self._closed

    @property
    def outbox(self) -> bytes:
        """Answers that wait to be sent."""
        return bytes(self._outbox)

    def take_outbox(self) -> bytes:
        """Return the answers that wait to be sent and forget them."""
        taken = bytes(self._outbox)
        self._outbox.clear()
        return taken

    def feed(self, data: bytes) -> list[Event]:
        """Take bytes from the client; return what they ask of the host, in order. Never raises."""
        events: list[Event] = []
        if self._closed:
            return events
        for kind, payload in self._framer.feed(data):
            if kind == PackageType.DATA:
                self._receive_inputs(payload, events)
            else:
                self._reply_to(kind, payload, events)
            if len(self._outbox) > _MAX_OUTBOX:
                self._end(f"the client leaves more than {_MAX_OUTBOX} bytes of answers unread", events)
                return events
        if self._framer.fault is not None:
            self._end(self._framer.fault, events)
        return events

    def close(self) -> None:
        """End the session: its inputs become free. Call it when the socket is gone."""
        self._closed = True
        self._started = False
        self._inputs.release(self)

    def due(self, tick: int) -> bool:
        """Return whether a data package belongs to this tick of the 500 Hz controller."""
        if not self._started or self._output is None:
            return False
        every = self._ticks_per_package
        if every:
            return tick % every == 0
        share = self._frequency_hz / MAX_FREQUENCY_HZ
        return int(tick * share) != int((tick - 1) * share)

    def data_package(self, flat: tuple[float, ...] | list[float]) -> bytes:
        """Return the data package of these numbers (the output recipe's variables, vectors laid flat).

        Raises:
            InputError: No outputs are agreed, or the numbers do not fit the recipe.
        """
        if self._output is None:
            raise InputError("no outputs are set up on this connection; there is nothing to send")
        return self._output.pack(flat)

    def send_text(self, text: str, level: MessageLevel = MessageLevel.WARNING) -> None:
        """Put a text message to the client into the outbox."""
        self._outbox += TextMessage(text, _SOURCE, level).encode(self._protocol)

    def _reply_to(self, kind: int, payload: bytes, events: list[Event]) -> None:
        match kind:
            case PackageType.REQUEST_PROTOCOL_VERSION:
                self._agree_protocol(payload)
            case PackageType.GET_CONTROLLER_VERSION:
                self._reply(self._version)
            case PackageType.SETUP_OUTPUTS:
                self._set_up_outputs(payload, events)
            case PackageType.SETUP_INPUTS:
                self._set_up_inputs(payload, events)
            case PackageType.START:
                self._start(events)
            case PackageType.PAUSE:
                self._started = False
                self._reply(PauseReply(accepted=True))
                events.append(Paused())
            case PackageType.TEXT_MESSAGE:
                self._receive_text(payload, events)
            case _:
                self.send_text(f"package type {kind} is unknown")

    def _agree_protocol(self, payload: bytes) -> None:
        fault = None
        try:
            asked = ProtocolVersionRequest.decode(payload).version
        except ProtocolError as error:
            asked, fault = 0, str(error)
        # Agreed recipes keep the layout of the version they were agreed in.
        accepted = asked in PROTOCOLS and self._output is None and not self._input_recipes
        if accepted:
            self._protocol = asked
        self._reply(ProtocolVersionReply(accepted), fault)

    def _set_up_outputs(self, payload: bytes, events: list[Event]) -> None:
        refusal = None if self._protocol == 1 else 0
        try:
            request = SetupOutputsRequest.decode(payload, self._protocol)
        except ProtocolError as error:
            self._reply(SetupOutputsReply(refusal, ()), str(error))
            return
        frequency_hz = _PROTOCOL_1_FREQUENCY_HZ if request.frequency_hz is None else request.frequency_hz
        fault = _names_fault(payload[0 if self._protocol == 1 else 8 :])
        if fault is None and not MIN_FREQUENCY_HZ <= frequency_hz <= MAX_FREQUENCY_HZ:
            fault = f"a frequency of {frequency_hz:g} Hz; {MIN_FREQUENCY_HZ:g} to {MAX_FREQUENCY_HZ:g} Hz are allowed"
        if fault is not None:
            self._reply(SetupOutputsReply(refusal, ()), fault)
            return
        types = tuple(
            variable.type.name if (variable := self._known.get(name)) is not None and variable.readable else NOT_FOUND
            for name in request.names
        )
        if NOT_FOUND in types:
            self._reply(SetupOutputsReply(refusal, types))
            return
        self._outputs_agreed = self._outputs_agreed % _MAX_RECIPES + 1
        recipe = Recipe(self._outputs_agreed, request.names, (WIRE_TYPES[t] for t in types), tagged=self._protocol != 1)
        self._output = recipe
        self._frequency_hz = frequency_hz
        ticks = MAX_FREQUENCY_HZ / frequency_hz
        self._ticks_per_package = int(ticks) if ticks.is_integer() else 0
        self._reply(SetupOutputsReply(None if self._protocol == 1 else recipe.id, types))
        events.append(OutputsSetUp(recipe, frequency_hz))

    def _set_up_inputs(self, payload: bytes, events: list[Event]) -> None:
        fault = _names_fault(payload)
        if fault is None and len(self._input_recipes) >= _MAX_RECIPES:
            fault = f"more than {_MAX_RECIPES} input recipes on one connection"
        if fault is not None:
            self._reply(SetupInputsReply(0, ()), fault)
            return
        names = SetupInputsRequest.decode(payload).names
        taken = self._inputs.held_by_others(names, self)
        types = tuple(
            NOT_FOUND
            if (variable := self._known.get(name)) is None or not variable.writable
            else IN_USE
            if name in taken
            else variable.type.name
            for name in names
        )
        if NOT_FOUND in types or IN_USE in types:
            self._reply(SetupInputsReply(0, types))
            return
        self._inputs.hold(names, self)
        recipe = Recipe(len(self._input_recipes) + 1, names, (WIRE_TYPES[t] for t in types))
        self._input_recipes[recipe.id] = recipe
        self._reply(SetupInputsReply(recipe.id, types))
        events.append(InputsSetUp(recipe))

    def _start(self, events: list[Event]) -> None:
        # A client that only writes may start, too.
        if self._output is None and not self._input_recipes:
            self._reply(StartReply(accepted=False), "nothing is set up: neither outputs nor inputs")
            return
        self._started = True
        self._reply(StartReply(accepted=True))
        events.append(Started())

    def _receive_inputs(self, payload: bytes, events: list[Event]) -> None:
        # Inputs count from their set-up on, started or not: ur_rtde's RTDEIOInterface never asks for a start.
        recipe = self._input_recipes.get(payload[0]) if payload else None
        if recipe is None:
            self.send_text(f"a data package of recipe {payload[0] if payload else 'none'}, which is not set up")
            return
        # Of a longer package the recipe's part counts: ur_rtde sends its forward kinematics with a tool that way.
        try:
            flat = recipe.unpack(payload[: recipe.size - HEADER_SIZE])
        except ProtocolError as fault:
            self.send_text(str(fault))
            return
        events.append(InputsReceived(recipe, recipe.group(flat)))

    def _receive_text(self, payload: bytes, events: list[Event]) -> None:
        try:
            events.append(TextReceived(TextMessage.decode(payload, self._protocol)))
        except ProtocolError as fault:
            self.send_text(str(fault))

    def _reply(self, reply: _Reply, fault: str | None = None) -> None:
        # The reply goes first: clients take the next package for it (ur_rtde reads exactly one).
        self._outbox += reply.encode()
        if fault is not None:
            self.send_text(fault)

    def _end(self, reason: str, events: list[Event]) -> None:
        self.close()
        events.append(Closed(reason))


def _names_fault(names: bytes) -> str | None:
    if len(names) > MAX_NAMES_SIZE:
        return f"a list of names of {len(names)} bytes; at most {MAX_NAMES_SIZE} are allowed"
    if not names.strip(b","):
        return "an empty list of names"
    return None
