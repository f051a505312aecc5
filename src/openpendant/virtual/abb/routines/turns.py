"""Turns: instructions that take long have them, so that no program holds up the controller."""

from openpendant.dialects.rapid import HostWait

PER_TICK = 10


class Turns:
    """So many in a tick; whoever comes later waits for the next one."""

    def __init__(self) -> None:
        """Begin with all of them."""
        self._left = PER_TICK

    def tick(self) -> None:
        """Give all of them again."""
        self._left = PER_TICK

    def take(self, count: int = 1) -> HostWait:
        """Wait for so many, PER_TICK at most."""
        while self._left < count:
            yield
        self._left -= count
