"""Conventions: how each vendor names a configuration and prints a pose.

In: the geometry of a chain, joint values, poses. Out: words. Nothing here knows a robot by name.
"""

from .abb import Abb
from .convention import Convention, Describe, Print, PrintedPose
from .plain import Plain
from .registry import CONVENTIONS, find_convention
from .ur import UniversalRobots
from .vplus import VPlus

__all__ = [
    "CONVENTIONS",
    "Abb",
    "Convention",
    "Describe",
    "Plain",
    "Print",
    "PrintedPose",
    "UniversalRobots",
    "VPlus",
    "find_convention",
]
