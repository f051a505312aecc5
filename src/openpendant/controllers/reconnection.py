"""Reconnection: finds the connections to a controller again after they were lost."""

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from openpendant.errors import ControllerError

Links = TypeVar("Links")
Opened = TypeVar("Opened", covariant=True)
BACK_OFF_NS = (50_000_000, 100_000_000, 200_000_000, 400_000_000, 800_000_000, 1_500_000_000, 3_000_000_000)


class LinksOpening(Protocol[Opened]):
    """Connections on their way."""

    def poll(self, now_ns: int) -> Opened | None:
        """Return the connections once they are there; None: not yet. Raises ControllerError where they are refused."""
        ...

    def close(self) -> None:
        """Give up."""
        ...


class Reconnection(Generic[Links]):
    """Tries to reach a controller that went away, at growing intervals, until it is there again or is given up."""

    def __init__(self, open_links: Callable[[], LinksOpening[Links]], now_ns: int) -> None:
        """Begin to try.

        Args:
            open_links: Begins to open the connections again.
            now_ns: Now.
        """
        self._open_links = open_links
        self._opening: LinksOpening[Links] | None = None
        self._tries = 0
        self._due_ns = now_ns + BACK_OFF_NS[0]

    def poll(self, now_ns: int) -> Links | None:
        """Try when it is due; return the connections once they have been found."""
        if self._opening is None:
            if now_ns < self._due_ns:
                return None
            self._opening = self._open_links()
        try:
            return self._opening.poll(now_ns)
        except ControllerError:
            self._tries += 1
            self._opening = None
            self._due_ns = now_ns + BACK_OFF_NS[min(self._tries, len(BACK_OFF_NS) - 1)]
            return None

    def give_up(self) -> None:
        """Try no more."""
        if self._opening is not None:
            self._opening.close()
