"""People: what the robots of a project must know of the people in its room."""

from collections.abc import Callable

from openpendant.projects.operate import FromRobots

__all__ = ["People"]


class People:
    """The people in a room, as functions."""

    def __init__(
        self,
        names: Callable[[], dict[str, str]],
        tell: Callable[[FromRobots], None],
        stream: Callable[[bytes], None],
        drop: Callable[[str, str], None],
    ) -> None:
        """Names by client; tell everybody; send everybody the newest joints; cut off a client, and say why."""
        self.names = names
        self.tell = tell
        self.stream = stream
        self.drop = drop

    def name(self, client: str) -> str:
        """Return the name of a client; empty: it is not here."""
        return self.names().get(client, "")
