"""Box: what the services need of the host that they live in."""

from typing import Protocol

from openpendant.virtual.ur.controller import UrController

__all__ = ["Box"]


class Box(Protocol):
    """Holds the brain, which is another one after every reboot."""

    @property
    def brain(self) -> UrController:
        """The controller."""
        ...
