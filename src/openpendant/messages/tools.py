"""Messages of the library of tools (REST, JSON)."""

import msgspec

from .wire import Wire


class ToolMeasure(Wire, frozen=True, kw_only=True):
    """One measure of a kind of tool, metres."""

    name: str
    default: float
    least: float
    most: float


class ToolKind(Wire, frozen=True, kw_only=True):
    """A kind of tool that can be made to measure."""

    name: str
    title: str
    measures: tuple[ToolMeasure, ...]
    works: bool = True
    """Whether an output works it: closes it, switches it on."""


class ToolOrder(Wire, frozen=True, kw_only=True):
    """A tool of the library that is wanted."""

    name: str
    """In the cell."""
    measures: dict[str, float] = msgspec.field(default_factory=dict[str, float])
    """Those that differ from their defaults, metres."""
    signal: str = ""
    """The output of the cell that works it; empty: it is not wired."""
