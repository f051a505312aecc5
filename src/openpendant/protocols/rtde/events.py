"""What an RTDE client asked of the controller."""

from dataclasses import dataclass

from .packages import TextMessage
from .recipes import Recipe
from .wire_types import Value


@dataclass(frozen=True, slots=True)
class OutputsSetUp:
    """The client wants these variables this often."""

    recipe: Recipe
    frequency_hz: float


@dataclass(frozen=True, slots=True)
class InputsSetUp:
    """The client will write these variables."""

    recipe: Recipe


@dataclass(frozen=True, slots=True)
class InputsReceived:
    """The client wrote inputs: one value per variable of the recipe."""

    recipe: Recipe
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Started:
    """Data flow from now on."""


@dataclass(frozen=True, slots=True)
class Paused:
    """Data rest."""


@dataclass(frozen=True, slots=True)
class TextReceived:
    """The client said something."""

    message: TextMessage


@dataclass(frozen=True, slots=True)
class Closed:
    """The session is over: send what is left in the outbox and close the socket."""

    reason: str


Event = OutputsSetUp | InputsSetUp | InputsReceived | Started | Paused | TextReceived | Closed
