"""How a controller works a tool: outputs that open and close it, inputs that confirm it, and the time it takes."""

from collections.abc import Mapping
from dataclasses import dataclass

from openpendant.errors import InputError
from openpendant.said import say, state_word

SETTLE_NS = 20_000_000
"""Inputs are read after the outputs have reached the tool."""


@dataclass(frozen=True, slots=True)
class ToolStroke:
    """Opening or closing a tool. Signals by their names in the cell."""

    outputs: tuple[tuple[str, bool], ...]
    inputs: tuple[tuple[str, bool], ...] = ()
    """All must have these values before it is done; none: it is done after `time_s`."""
    time_s: float = 0.0
    timeout_s: float = 2.0
    """How long the inputs may take."""

    def unconfirmed(self, inputs: Mapping[str, bool]) -> tuple[str, ...]:
        """Return the inputs that do not have the value they must have."""
        return tuple(name for name, value in self.inputs if inputs.get(name) != value)


@dataclass(frozen=True, slots=True)
class ToolWiring:
    """How the tool of an arm is wired."""

    name: str
    open: ToolStroke | None = None
    close: ToolStroke | None = None

    def stroke(self, *, closes: bool) -> ToolStroke:
        """Return how it is closed or opened.

        Raises:
            InputError: That is not wired; says what to do.
        """
        found = self.close if closes else self.open
        if found is None:
            state = state_word("close" if closes else "open")
            raise InputError(say("wiring.tool_missing", tool=self.name, state=state))
        return found


@dataclass(frozen=True, slots=True)
class ToolWork:
    """A stroke under way."""

    stroke: ToolStroke
    began_ns: int | None = None
    """When its outputs were set; None: no state has been received since."""

    def passed_ns(self, now_ns: int) -> int:
        """Return how long it has been under way."""
        return 0 if self.began_ns is None else now_ns - self.began_ns

    def over(self, now_ns: int, inputs: Mapping[str, bool]) -> bool:
        """Return whether it is done, or was not confirmed in time."""
        passed_ns = self.passed_ns(now_ns)
        if not self.stroke.inputs:
            return passed_ns >= self.stroke.time_s * 1e9
        if passed_ns < SETTLE_NS:
            return False
        return not self.stroke.unconfirmed(inputs) or passed_ns >= self.stroke.timeout_s * 1e9
