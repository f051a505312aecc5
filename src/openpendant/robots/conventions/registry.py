"""The conventions by the name that facts use: ours, and those of other packages."""

from collections.abc import Mapping
from types import MappingProxyType

from openpendant.errors import UnknownNameError
from openpendant.plugins import load_plugins

from .abb import Abb
from .convention import Convention
from .plain import Plain
from .ports import PortRules
from .ur import UniversalRobots
from .vplus import VPlus

ENTRY_POINTS = "openpendant.conventions"
CONVENTIONS: Mapping[str, Convention] = MappingProxyType(
    {"abb": Abb(), "plain": Plain(), "ur": UniversalRobots(), "vplus": VPlus()}
)
"""Those that come with OpenPendant."""


def find_convention(name: str) -> Convention:
    """Return a convention by name, of ours or of a package with an entry point; raises UnknownNameError."""
    found = _lookup(name)
    if found is None:
        raise UnknownNameError("convention", name, (*CONVENTIONS, *load_plugins(ENTRY_POINTS)))
    return found


def port_rules(convention: str) -> PortRules:
    """Return the ports of robots with this convention in their facts; any name is valid for those of unknown makers."""
    return (_lookup(convention) or CONVENTIONS["plain"]).ports


def _lookup(name: str) -> Convention | None:
    if name in CONVENTIONS:
        return CONVENTIONS[name]
    found = load_plugins(ENTRY_POINTS).get(name)
    return found if isinstance(found, Convention) else None
