"""VirtualProcess: a virtual controller as a supervised process, and the addresses that are kept for such."""

import socket
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Self

from openpendant.makers import find_maker
from openpendant.robots import load
from openpendant.scene import CellRobot

if TYPE_CHECKING:
    from openpendant.virtual.launch import VirtualHandle

FIRST_ADDRESS, LAST_ADDRESS = 20, 250
"""Virtual controllers of runtimes get 127.0.0.20 and upwards by default."""
KEEPING_PORT = 20020
"""Marks an address as in use: bound without address reuse; nothing listens on it."""


class VirtualProcess:
    """A virtual controller that is started, watched and ended as a robot's process is."""

    def __init__(self, handle: "VirtualHandle") -> None:
        """Made by `start`."""
        self.handle = handle

    @classmethod
    def start(
        cls,
        model: str,
        address: str,
        q: Mapping[str, tuple[float, ...]],
        options: Mapping[str, str] | None = None,
    ) -> Self:
        """Start the virtual controller of a robot of the catalogue; raises OpenPendantError where it does not start.

        Args:
            model: Of the robot.
            address: That is its own.
            q: Joints at the start by arm.
            options: Of its maker, by name.
        """
        from openpendant.virtual.launch import start_virtual

        robot = load(model)
        maker = find_maker(robot)
        known = "" if maker is None else maker.virtual_model(robot)
        words = [f"--{name}={value}" for name, value in (options or {}).items()]
        return cls(start_virtual(known or model, address, start_q=q, options=words))

    @property
    def pid(self) -> int:
        """Of the process."""
        return self.handle.process.pid

    def poll(self) -> int | None:
        """Return its status where it has ended."""
        return self.handle.process.poll()

    def kill(self, *, hung: bool = False) -> None:  # noqa: ARG002 - it prints no stacks
        """End it at once."""
        self.handle.kill()

    def end(self) -> None:
        """End it and wait for it."""
        self.handle.close()


class OwnAddresses:
    """Loopback addresses that this process keeps for its virtual controllers until `close`.

    A controller listens seconds after its address was chosen. Who chooses meanwhile, in this process or another, must
    not find the same one: its robot would be driven by two.
    """

    def __init__(self) -> None:
        """Keep none yet."""
        self._kept: list[socket.socket] = []

    def choose(self, robots: Iterable[CellRobot], addresses: Mapping[str, str]) -> dict[str, str]:
        """Return a free loopback address for each robot that has a virtual controller and no address.

        Args:
            robots: Of a cell.
            addresses: Of real controllers, by robot.
        """
        chosen: dict[str, str] = {}
        for one in robots:
            robot = load(one.model)
            maker = find_maker(robot)
            if one.name in addresses or maker is None or maker.virtual is None or not maker.virtual_model(robot):
                continue
            address = self.keep_free(maker.virtual.ports, addresses.values())
            if address is not None:
                chosen[one.name] = address
        return chosen

    def keep_free(self, ports: Collection[int], taken: Collection[str]) -> str | None:
        """Return an address with all ports free that is not marked as in use; None: there is none."""
        for number in range(FIRST_ADDRESS, LAST_ADDRESS):
            address = f"127.0.0.{number}"
            if address in taken or (kept := _keep(address)) is None:
                continue
            if all(_is_free(address, port) for port in ports):
                self._kept.append(kept)
                return address
            kept.close()
        return None

    def close(self) -> None:
        """Let others have them."""
        while self._kept:
            self._kept.pop().close()


def _keep(address: str) -> socket.socket | None:
    """Return a socket that keeps an address, bound where no maker's ports are; None: somebody keeps it."""
    own = socket.socket()
    try:
        own.bind((address, KEEPING_PORT))
    except OSError:
        own.close()
        return None
    return own


def _is_free(address: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except PermissionError:
            # Its controller may not use it either, and uses another of its ports.
            return True
        except OSError:
            return False
        return True
