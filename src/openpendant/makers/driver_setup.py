"""DriverSetup: what a maker's driver is made from."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from openpendant.controllers import Address, Dialler, SocketDialler, ToolWiring
from openpendant.motion import JointLimits
from openpendant.robots import Robot


@dataclass(frozen=True, eq=False)
class DriverArm:
    """One arm of the robot."""

    name: str
    """What it is called in states, setpoints and jobs."""
    limits: JointLimits
    """Motion and stop limits, in the vendor's counting of joints."""
    tool: ToolWiring | None = None
    """How its tool is worked by the signals of `DriverSetup`; None: it is not wired."""


@dataclass(frozen=True, eq=False)
class DriverSetup:
    """Where the controller is, and what of the cell it needs to know."""

    address: Address
    robot: Robot
    """Of the catalogue."""
    arms: tuple[DriverArm, ...]
    inputs: Mapping[str, str] = field(default_factory=dict[str, str])
    """Ports of the digital inputs by their names in the cell, in the words of the maker's convention."""
    outputs: Mapping[str, str] = field(default_factory=dict[str, str])
    """Ports of the digital outputs, likewise."""
    dialler: Dialler = field(default_factory=SocketDialler)
    """Opens its links: over the network, or to a virtual controller in the same process and in virtual time."""
