"""Conventions: how each vendor names a configuration, prints a pose and calls the ports of its controllers.

In: the geometry of a chain, joint values, poses. Out: words. Nothing here knows a robot by name. Other packages add
conventions by the entry point `openpendant.conventions`.
"""

from .abb import Abb, Confdata, find_confdata
from .convention import Convention, Describe, Print, PrintedPose
from .plain import Plain
from .ports import ANY_NAME, LONGEST_PORT, PortKind, PortRules
from .registry import CONVENTIONS, find_convention, port_rules
from .ur import UniversalRobots
from .vplus import VPlus

__all__ = [
    "ANY_NAME",
    "CONVENTIONS",
    "LONGEST_PORT",
    "Abb",
    "Confdata",
    "Convention",
    "Describe",
    "Plain",
    "PortKind",
    "PortRules",
    "Print",
    "PrintedPose",
    "UniversalRobots",
    "VPlus",
    "find_confdata",
    "find_convention",
    "port_rules",
]
