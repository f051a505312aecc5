"""UrSetup: how a virtual controller is to be, and running it."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv4Address
from pathlib import Path

from openpendant.errors import InputError

__all__ = ["UrSetup", "serve"]

COMPILES_AFTER_S = 4.0
"""A start that takes longer than this is compiling."""
MOST_TICKS_TO_RUNNING = 5000


@dataclass(frozen=True)
class UrSetup:
    """How a virtual controller is to be; see `openpendant virtual --help`."""

    model: str = "ur3e"
    bind: str = "127.0.0.2"
    power: str = "on"
    program: Path | None = None
    programs: Path | None = None
    cell: str | None = None
    robot: str | None = None
    calibration: Path | None = None
    noise: float | None = None
    elasticity: float | None = None
    seed: int = 0
    start_q: tuple[float, ...] | None = None
    boot_s: float = 1.0
    lan: bool = False

    def check(self) -> None:
        """Raise InputError where a value is not allowed."""
        try:
            address = IPv4Address(self.bind)
        except ValueError:
            raise InputError(f"--bind {self.bind!r} is not an address; write for example 127.0.0.2") from None
        if not address.is_loopback and not self.lan:
            raise InputError(
                f"--bind {self.bind} is refused: anyone on the network could operate the controller and let it open "
                "connections; allowed are addresses of this machine (127.x.x.x), others only with --lan"
            )
        if self.power not in ("on", "off"):
            raise InputError(f"--power {self.power!r}; allowed is on or off")
