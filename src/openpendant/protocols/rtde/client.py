"""The client's side of one RTDE connection, without its socket.

Requests go into the outbox; the controller answers in order, and the answers come out of `feed` as events.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from openpendant.protocols.error import ProtocolError

from .events import Closed, TextReceived
from .framer import Framer
from .packages import (
    ControllerVersion,
    GetVersionRequest,
    PackageType,
    PauseReply,
    PauseRequest,
    ProtocolVersionReply,
    ProtocolVersionRequest,
    SetupInputsReply,
    SetupInputsRequest,
    SetupOutputsReply,
    SetupOutputsRequest,
    StartReply,
    StartRequest,
    TextMessage,
)
from .recipes import Recipe
from .wire_types import WIRE_TYPES, Value

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class ProtocolReplied:
    """Whether the controller will speak the version asked for."""

    version: int
    accepted: bool


@dataclass(frozen=True, slots=True)
class VersionReceived:
    """The controller's software."""

    version: ControllerVersion


@dataclass(frozen=True, slots=True)
class OutputsAgreed:
    """The controller will send these variables."""

    recipe: Recipe


@dataclass(frozen=True, slots=True)
class InputsAgreed:
    """The controller will take these variables."""

    recipe: Recipe


@dataclass(frozen=True, slots=True)
class RecipeRefused:
    """The controller will not: `types` has NOT_FOUND or IN_USE where the fault is, or is empty."""

    names: tuple[str, ...]
    types: tuple[str, ...]

    @property
    def faults(self) -> dict[str, str]:
        """The names that are at fault, each with NOT_FOUND or IN_USE."""
        return {name: t for name, t in zip(self.names, self.types, strict=False) if t not in WIRE_TYPES}


@dataclass(frozen=True, slots=True)
class StartReplied:
    """Whether data flow."""

    accepted: bool


@dataclass(frozen=True, slots=True)
class PauseReplied:
    """Whether data rest."""

    accepted: bool


@dataclass(frozen=True, slots=True)
class StateReceived:
    """A data package of the controller; `recipe.group(flat)` gives one value per variable."""

    recipe: Recipe
    flat: tuple[float, ...]


ClientEvent = (
    ProtocolReplied
    | VersionReceived
    | OutputsAgreed
    | InputsAgreed
    | RecipeRefused
    | StartReplied
    | PauseReplied
    | StateReceived
    | TextReceived
    | Closed
)


class ClientSession:
    """One conversation with a controller. Send what `take_outbox` gives; feed it what the socket received."""

    def __init__(self) -> None:
        """Start in protocol 1, as the controller does until another is agreed."""
        self._framer = Framer()
        self._outbox = bytearray()
        self._protocol = 1
        self._protocols_asked: deque[int] = deque()
        self._outputs_asked: deque[tuple[str, ...]] = deque()
        self._inputs_asked: deque[tuple[str, ...]] = deque()
        self._outputs: dict[int, Recipe] = {}
        self._output: Recipe | None = None
        self._closed = False

    @property
    def protocol(self) -> int:
        """Protocol version in force, 1 or 2."""
        return self._protocol

    def take_outbox(self) -> bytes:
        """Return the requests that wait to be sent and forget them."""
        taken = bytes(self._outbox)
        self._outbox.clear()
        return taken

    def request_protocol(self, version: int) -> None:
        """Ask to speak this protocol version. Wait for the answer before recipes: it changes their bytes."""
        self._outbox += ProtocolVersionRequest(version).encode()
        self._protocols_asked.append(version)

    def request_version(self) -> None:
        """Ask which controller software this is."""
        self._outbox += GetVersionRequest().encode()

    # Old names, for one version.
    ask_protocol, ask_version = request_protocol, request_version

    def set_up_outputs(self, names: Iterable[str], frequency_hz: float = 500.0) -> None:
        """Request these variables at a rate in Hz (protocol 1: always 125)."""
        names = tuple(names)
        self._outbox += SetupOutputsRequest(names, frequency_hz if self._protocol != 1 else None).encode()
        self._outputs_asked.append(names)

    def set_up_inputs(self, names: Iterable[str]) -> None:
        """Ask to write these variables."""
        names = tuple(names)
        self._outbox += SetupInputsRequest(names).encode()
        self._inputs_asked.append(names)

    def start(self) -> None:
        """Ask for the data to flow."""
        self._outbox += StartRequest().encode()

    def pause(self) -> None:
        """Ask for the data to stop."""
        self._outbox += PauseRequest().encode()

    def write(self, recipe: Recipe, values: Sequence[Value]) -> None:
        """Write inputs: one value per variable of the recipe. Raises InputError when they do not fit."""
        self._outbox += recipe.pack(recipe.flatten(values))

    def feed(self, data: bytes) -> list[ClientEvent]:
        """Take bytes from the controller; return what they say, in order. Never raises."""
        events: list[ClientEvent] = []
        if self._closed:
            return events
        try:
            for kind, payload in self._framer.feed(data):
                self._receive(kind, payload, events)
            fault = self._framer.fault
        except ProtocolError as error:
            fault = str(error)
        if fault is not None:
            self._closed = True
            events.append(Closed(fault))
        return events

    def _receive(self, kind: int, payload: bytes, events: list[ClientEvent]) -> None:
        match kind:
            case PackageType.DATA:
                events.append(self._state(payload))
            case PackageType.REQUEST_PROTOCOL_VERSION:
                reply = ProtocolVersionReply.decode(payload)
                version = _next(self._protocols_asked, "a protocol version")
                if reply.accepted:
                    self._protocol = version
                events.append(ProtocolReplied(version, reply.accepted))
            case PackageType.GET_CONTROLLER_VERSION:
                events.append(VersionReceived(ControllerVersion.decode(payload)))
            case PackageType.SETUP_OUTPUTS:
                events.append(self._outputs_replied(SetupOutputsReply.decode(payload, self._protocol)))
            case PackageType.SETUP_INPUTS:
                reply = SetupInputsReply.decode(payload)
                names = _next(self._inputs_asked, "inputs")
                events.append(
                    RecipeRefused(names, reply.types)
                    if _refused(reply.recipe_id, names, reply.types)
                    else InputsAgreed(Recipe(reply.recipe_id, names, (WIRE_TYPES[t] for t in reply.types)))
                )
            case PackageType.START:
                events.append(StartReplied(StartReply.decode(payload).accepted))
            case PackageType.PAUSE:
                events.append(PauseReplied(PauseReply.decode(payload).accepted))
            case PackageType.TEXT_MESSAGE:
                events.append(TextReceived(TextMessage.decode(payload, self._protocol)))
            case _:
                raise ProtocolError(f"a package of type {kind}, which no controller sends")

    def _outputs_replied(self, reply: SetupOutputsReply) -> ClientEvent:
        names = _next(self._outputs_asked, "outputs")
        if _refused(reply.recipe_id, names, reply.types):
            return RecipeRefused(names, reply.types)
        types = tuple(WIRE_TYPES[t] for t in reply.types)
        recipe = Recipe(reply.recipe_id or 1, names, types, tagged=reply.recipe_id is not None)
        self._outputs[recipe.id] = self._output = recipe
        return OutputsAgreed(recipe)

    def _state(self, payload: bytes) -> StateReceived:
        recipe = self._output if self._protocol == 1 else self._outputs.get(payload[0]) if payload else None
        if recipe is None:
            raise ProtocolError("a data package of an unknown recipe")
        return StateReceived(recipe, recipe.unpack(payload))


def _refused(recipe_id: int | None, names: tuple[str, ...], types: tuple[str, ...]) -> bool:
    # Protocol 1 has no id to refuse with, only the types.
    return recipe_id == 0 or len(types) != len(names) or any(t not in WIRE_TYPES for t in types)


def _next(asked: deque[_T], what: str) -> _T:
    if not asked:
        raise ProtocolError(f"an unrequested reply about {what}")
    return asked.popleft()
