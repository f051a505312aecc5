"""Ports: what each maker's controllers call their digital inputs and outputs, and which names are valid."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["PORTS", "PortKind", "PortRules", "port_rules"]

PortKind = Literal["in", "out"]

LONGEST_NAME = 32
"""Characters of an identifier of RAPID."""
RAPID_WORDS = (
    "alias and backward case connect const default div do else elseif endfor endfunc endif endmodule endproc endrecord "
    "endtest endtrap endwhile error exit false for from func goto if inout local mod module nostepin not noview or "
    "pers proc raise readonly record retry return step sysmodule test then to trap true trynext undo var viewonly "
    "while with xor"
)


@dataclass(frozen=True)
class PortRules:
    """Ports of one maker's controllers: fixed names, numbers, or names that are configured on the controller."""

    allowed: Mapping[PortKind, str]
    """Valid ports in words, for messages."""
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
        return f"{port!r} is no digital {'input' if kind == 'in' else 'output'} of this robot: use {self.allowed[kind]}"

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
        return (plain if plain[0].isalpha() else f"p{plain}")[:LONGEST_NAME]


def port_rules(convention: str) -> PortRules:
    """Return the rules of robots with this convention in their facts; any name is valid for those of unknown makers."""
    return PORTS.get(convention, PORTS["plain"])


def _ur_ports(kind: PortKind) -> tuple[str, ...]:
    groups = (("standard", 8), ("configurable", 8), ("tool", 2))
    return tuple(f"{group}_{kind}_{number}" for group, count in groups for number in range(count))


PORTS = {
    "ur": PortRules(
        allowed={
            "in": "standard_in_0 to 7, configurable_in_0 to 7, tool_in_0 or tool_in_1",
            "out": "standard_out_0 to 7, configurable_out_0 to 7, tool_out_0 or tool_out_1",
        },
        names={"in": _ur_ports("in"), "out": _ur_ports("out")},
    ),
    "abb": PortRules(
        allowed={
            "in": "its name on the controller, such as diReady: 1 to 32 letters, digits and '_', the first a letter",
            "out": "its name on the controller, such as doGrip: 1 to 32 letters, digits and '_', the first a letter",
        },
        pattern=rf"[A-Za-z][A-Za-z0-9_]{{0,{LONGEST_NAME - 1}}}",
        reserved=frozenset(RAPID_WORDS.split()),
        same_case=False,
        from_signals=True,
    ),
    "vplus": PortRules(
        allowed={
            "in": "a signal number: 1001 to 1512, or 2001 to 2512 for a soft signal",
            "out": "a signal number: 1 to 512, or 2001 to 2512 for a soft signal",
        },
        numbers={"in": (range(1001, 1513), range(2001, 2513)), "out": (range(1, 513), range(2001, 2513))},
    ),
    "plain": PortRules(allowed={"in": "1 to 64 characters", "out": "1 to 64 characters"}, pattern=r"\S(?:.{0,62}\S)?"),
}
"""By the convention in a robot's facts."""
