"""The conventions by the name that facts use."""

from collections.abc import Mapping
from types import MappingProxyType

from openpendant.errors import UnknownNameError

from .abb import Abb
from .convention import Convention
from .plain import Plain
from .ur import UniversalRobots
from .vplus import VPlus

__all__ = ["CONVENTIONS", "find_convention"]

CONVENTIONS: Mapping[str, Convention] = MappingProxyType(
    {"abb": Abb(), "plain": Plain(), "ur": UniversalRobots(), "vplus": VPlus()}
)


def find_convention(name: str) -> Convention:
    """Return a convention by name; raises UnknownNameError."""
    try:
        return CONVENTIONS[name]
    except KeyError:
        raise UnknownNameError("convention", name, CONVENTIONS) from None
