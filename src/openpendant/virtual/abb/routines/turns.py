"""Turns: instructions that take long have them, so that no program holds up the controller."""

from openpendant.dialects.rapid import HostWait

PER_TICK = 10


class Turns:
    """A number of turns per tick; later callers wait for the next tick."""

    def __init__(self) -> None:
        """Begin with all of them."""
        self._left = PER_TICK

    def tick(self) -> None:
        """Give all of them again."""
        self._left = PER_TICK

    def wait(self, count: int = 1) -> HostWait:
        """Wait for `count` turns, PER_TICK at most."""
        while self._left < count:
            yield
        self._left -= count
