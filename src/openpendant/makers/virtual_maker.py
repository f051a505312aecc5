"""VirtualMaker: how a maker's virtual controllers are made; each runs in its own process."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from openpendant.robots import Robot
from openpendant.scene import Cell


class VirtualReady(msgspec.Struct, frozen=True):
    """Where a virtual controller that has come up can be found; the line that `openpendant virtual --json` prints."""

    model: str
    address: str
    control: int
    """Port of its control channel: one JSON object a line, see docs/virtual-ur.md."""
    panel: str
    """URL of its pendant's page; empty: it has none."""
    services: dict[str, str] = {}
    """Where its services are that another controller of the maker may have elsewhere, by name."""


@dataclass(frozen=True)
class VirtualOption:
    """An option of `openpendant virtual`, and of `start_virtual` with `_` for each `-`."""

    name: str
    """As "start-q"."""
    help: str
    metavar: str = ""
    """What its value looks like; empty: it is a switch and has none."""
    default: str = ""
    """The default, as text; empty: not worth mentioning."""


@dataclass(frozen=True)
class VirtualPlan:
    """What a virtual controller is asked to be."""

    model: str
    bind: str
    """The address that is its own; the ports are the maker's."""
    lan: bool = False
    """Whether others in the network may reach it."""
    start_q: Mapping[str, tuple[float, ...]] = field(default_factory=dict[str, tuple[float, ...]])
    """Joints at the start by arm; the only arm may be called "". Empty: as the maker likes."""
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    """The maker's own, by name; a switch that is given has an empty value."""


Serve = Callable[[VirtualPlan, Callable[[VirtualReady], None], Callable[[], None], Callable[[], bool]], None]
"""Runs a virtual controller: the plan; called once its ports answer; called where the start takes long; asked before
every tick whether it is to end. Raises OpenPendantError where the plan, a file of it or the address cannot be used."""


def no_options(_cell: Cell, _robot: str, _folder: Path | None, _address: str) -> Mapping[str, str]:
    """Return that a controller needs to know nothing of its cell."""
    return {}


@dataclass(frozen=True, kw_only=True)
class VirtualMaker:
    """The virtual controllers of one maker."""

    models: tuple[str, ...]
    """What `openpendant virtual` calls them, the usual one first."""
    model_of: Callable[[Robot], str]
    """Which of them a robot of the catalogue has; empty: it has none, and is a kinematic robot."""
    ports: tuple[int, ...]
    """All that it listens on, which must be free at its address; those that the system does not allow are not used."""
    serve: Serve
    title: Callable[[str], str] = str.upper
    """What people call a model."""
    options: tuple[VirtualOption, ...] = ()
    options_in_cell: Callable[[Cell, str, Path | None, str], Mapping[str, str]] = no_options
    """Options of the virtual controller of a robot of a cell: from the cell, the robot's name, the cell's folder and
    the address of the controller."""
    keys: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """For the pendant in a terminal: by button, its key and what it is called there; others get a key by themselves."""
    words: Mapping[str, str] = field(default_factory=dict[str, str])
    """Orders of the same pendant that are called otherwise than their buttons."""
