"""Maker: one maker of robots and their controllers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from openpendant.controllers import Address, Controller, Probed, VendorText, Way, parse_address
from openpendant.programs import Program
from openpendant.robots import Robot
from openpendant.scene import Cell

from .driver_setup import DriverSetup
from .pendant import PendantButton, PendantWindow, buttons_of_state, window_of_state
from .virtual_maker import VirtualMaker


class Export(Protocol):
    """Writes a program in a maker's language."""

    def __call__(
        self, cell: Cell, program: Program, *, programs: Mapping[str, Program] | None, folder: Path | str | None
    ) -> tuple[VendorText, ...]:
        """Return what runs on the controller, one text for each task; several start together.

        Args:
            cell: Without fault.
            program: Of the cell.
            programs: Others by name, for calls.
            folder: The cell's folder, where mesh files are looked for.

        Raises:
            InputError: The language cannot say it.
        """
        ...


@dataclass(frozen=True)
class Uploads:
    """How programs reach the maker's controllers as text."""

    dialect: str
    """As in `VendorText` and `Capabilities.dialects`."""
    export: Export


@dataclass(frozen=True, kw_only=True)
class Maker:
    """All that the rest of OpenPendant knows of a maker. Each function loads what it needs when it is called.

    What its robots' configurations, poses and ports are called is a `Convention` (`robots/conventions`): cells are
    validated where there is no controller.
    """

    name: str
    """For people: "Universal Robots"."""
    drives: Callable[[Robot], bool]
    """Whether its driver moves a robot, by the robot's facts."""
    make_driver: Callable[[DriverSetup], Controller]
    """Returns a controller that is not connected. Raises InputError where it cannot drive what is set up."""
    probe: Callable[[Address, Robot], tuple[Probed, ...]]
    """What is found at an address. Waits for the network; switches, moves and keeps nothing."""
    ways: tuple[Way, ...] = ("host",)
    """By which its controllers can be reached."""
    virtual: VirtualMaker | None = None
    uploads: Uploads | None = None
    buttons: Callable[[Mapping[str, Any], bool], tuple[PendantButton, ...]] = buttons_of_state
    """From what a virtual controller's pendant shows, and whether the robot moves, to the buttons that matter now: what
    the robot needs next comes first."""
    window: Callable[[Mapping[str, Any]], PendantWindow | None] = window_of_state
    """From the same to the window that waits for an answer."""

    def parse_address(self, text: str) -> Address:
        """Return an address of one of its controllers, taken apart.

        Raises:
            InputError: It is none; names what is allowed.
        """
        return parse_address(text, self.ways)

    def virtual_model(self, robot: Robot) -> str:
        """Return which of its virtual controllers a robot has; empty: none."""
        return "" if self.virtual is None else self.virtual.model_of(robot)
