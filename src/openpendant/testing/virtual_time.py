"""VirtualTime: time that passes when somebody sleeps, as fast as the machine can."""

from collections.abc import Callable


class VirtualTime:
    """For a controller that has no other clock, and for what lives beside it, such as a virtual controller."""

    def __init__(self) -> None:
        """Begin at one second."""
        self._now_ns = 1_000_000_000
        self._lives: list[_Life] = []

    def now_ns(self) -> int:
        """Return the time, nanoseconds."""
        return self._now_ns

    def sleep(self, seconds: float) -> None:
        """Let some time pass, and everything happen that is due in it."""
        end_ns = self._now_ns + round(seconds * 1e9)
        while self._lives:
            life = min(self._lives, key=_due)
            if life.due_ns > end_ns:
                break
            self._now_ns = life.due_ns
            life.due_ns += life.period_ns
            life.work()
        self._now_ns = end_ns

    def every(self, period_ns: int, work: Callable[[], object]) -> None:
        """Let something happen again and again while time passes: first after one period."""
        self._lives.append(_Life(self._now_ns + period_ns, period_ns, work))


class _Life:
    """What happens at every period."""

    def __init__(self, due_ns: int, period_ns: int, work: Callable[[], object]) -> None:
        self.due_ns, self.period_ns, self.work = due_ns, period_ns, work


def _due(life: _Life) -> int:
    return life.due_ns
