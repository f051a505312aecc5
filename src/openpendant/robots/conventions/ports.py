"""PortRules: what a maker's controllers call their digital inputs and outputs, and which names are valid."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from openpendant.said import say

PortKind = Literal["in", "out"]

LONGEST_PORT = 32
"""Characters of a port that is named after its signal: identifiers of most languages may be as long."""


@dataclass(frozen=True)
class PortRules:
    """Ports of one maker's controllers: fixed names, numbers, or names that are configured on the controller."""

    allowed: Mapping[PortKind, str]
    """Valid ports as text, for messages."""
    names: Mapping[PortKind, tuple[str, ...]] = field(default_factory=dict[PortKind, tuple[str, ...]])
    """All ports where the maker fixes their names, in the order in which the controller counts them."""
    numbers: Mapping[PortKind, tuple[range, ...]] = field(default_factory=dict[PortKind, tuple[range, ...]])
    """Where ports are numbers: those that exist; the first range is the controller's own terminals."""
    pattern: str = ""
    """Where ports are configured names: what a name looks like."""
    reserved: frozenset[str] = frozenset()
    """Names that fit the pattern and are invalid, in lower case."""
    same_case: bool = True
    """Whether upper and lower case are different ports."""
    examples: Mapping[PortKind, str] = field(default_factory=dict[PortKind, str])
    """Where ports are configured names: one that a person may recognise."""
    from_signals: bool = False
    """Whether a port can be named after its signal."""

    def valid(self, kind: PortKind, port: str) -> bool:
        """Return whether a controller can have this port."""
        if self.names:
            return port in self.names[kind]
        if self.numbers:
            return port.isascii() and port.isdecimal() and any(int(port) in some for some in self.numbers[kind])
        return re.fullmatch(self.pattern, port) is not None and port.lower() not in self.reserved

    def fault(self, kind: PortKind, port: str) -> str:
        """Return why `port` is invalid for a signal of this kind; empty: it is valid."""
        if self.valid(kind, port):
            return ""
        code = "fault.port_in" if kind == "in" else "fault.port_out"
        return say(code, port=port, allowed=self.allowed[kind])

    def key(self, port: str) -> str:
        """Return what is equal for two names of the same port."""
        return port if self.same_case else port.lower()

    def at(self, kind: PortKind, place: int, name: str) -> str:
        """Return the port of the signal `name` at a place among those of its kind; empty: there is none.

        So ports were counted before signals named them.
        """
        known = self.names.get(kind) or (tuple(map(str, self.numbers[kind][0])) if self.numbers else ())
        if known:
            return known[place] if place < len(known) else ""
        if not self.from_signals:
            return ""
        plain = re.sub(r"[^0-9A-Za-z]+", "_", name).strip("_") or "x"
        return (plain if plain[0].isalpha() else f"p{plain}")[:LONGEST_PORT]


ANY_NAME = PortRules(allowed={"in": say("ports.any"), "out": say("ports.any")}, pattern=r"\S(?:.{0,62}\S)?")
"""Of controllers that we know nothing of."""
