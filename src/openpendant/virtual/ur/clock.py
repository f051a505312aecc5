"""Clock: the controller's own time, counted in ticks of 2 ms."""

__all__ = ["TICKS_PER_S", "Clock"]

TICKS_PER_S = 500


class Clock:
    """Counts. Seconds are always computed from the count, so that nothing adds up."""

    def __init__(self) -> None:
        self.ticks = 0

    @property
    def seconds(self) -> float:
        """Since power-up of the controller."""
        return self.ticks / TICKS_PER_S

    @staticmethod
    def ticks_in(seconds: float) -> int:
        """Return how many ticks fill so many seconds; at least one where there is any time at all."""
        if seconds <= 0.0:
            return 0
        return max(1, round(seconds * TICKS_PER_S))
