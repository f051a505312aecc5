"""ControllerHost: what the services need of the host that they live in."""

from typing import Protocol

from openpendant.virtual.ur.controller import UrController


class ControllerHost(Protocol):
    """Holds the brain, which is another one after every reboot."""

    @property
    def brain(self) -> UrController:
        """The controller."""
        ...

    @property
    def due(self) -> int:
        """Ticks that are due at once, with the present one: above 1 where the host stood still."""
        ...
