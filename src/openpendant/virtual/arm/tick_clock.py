"""TickClock: the time of a virtual controller, counted in its own ticks."""


class TickClock:
    """Counts. Seconds are always computed from the count, so that nothing adds up.

    Attributes:
        ticks: Since power-up of the controller.
        ticks_per_s: 500 for a period of 2 ms, 250 for 4 ms.
    """

    def __init__(self, ticks_per_s: int) -> None:
        """Begin at zero."""
        self.ticks = 0
        self.ticks_per_s = ticks_per_s

    @property
    def tick_s(self) -> float:
        """Length of a tick."""
        return 1.0 / self.ticks_per_s

    @property
    def seconds(self) -> float:
        """Since power-up of the controller."""
        return self.ticks / self.ticks_per_s

    def ticks_in(self, seconds: float) -> int:
        """Return how many ticks fill a time in seconds; at least one for any positive time."""
        if seconds <= 0.0:
            return 0
        return max(1, round(seconds * self.ticks_per_s))
