"""ProjectLink: what running robots need of the project that is open."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from openpendant.messages.operation import RobotStop
from openpendant.messages.project import FromClient

T = TypeVar("T")


class ProjectLink(Protocol):
    """What the robots need of the open project."""

    def done(self, make: Callable[[int], FromClient], within_s: float = ...) -> int:
        """Send a numbered request, and wait until it is done.

        Args:
            make: Returns the request with the number that it is given.
            within_s: How long to wait for the reply, seconds.

        Returns:
            The number of the newest patch then.

        Raises:
            InputError: The server refuses; the message is its own.
            LinkError: The server does not answer.
        """
        ...

    def send(self, message: FromClient) -> None:
        """Send a message that is not answered.

        Args:
            message: What is sent.

        Raises:
            LinkError: The connection is closed, or the server does not take it in time.
        """
        ...

    def stop(self) -> tuple[RobotStop, ...]:
        """Stop every robot."""
        ...

    def wait(self, find: Callable[[], T | None], within_s: float) -> T:
        """Wait until something is found, and return it.

        Args:
            find: Returns what is waited for; None: not yet.
            within_s: How long to wait, seconds.

        Raises:
            LinkError: It is not found in time, or the server has gone.
        """
        ...
