"""RoomPeople: what the robots of a project must know of the people in its room."""

from collections.abc import Callable

from openpendant.messages.operation import FromRobots, RobotSamples
from openpendant.said import say


class RoomPeople:
    """The people in a room, as functions."""

    def __init__(
        self,
        names: Callable[[], dict[str, str]],
        publish: Callable[[FromRobots], None],
        stream: Callable[[bytes], None],
        drop: Callable[[str, str], None],
        sample: Callable[[str, RobotSamples], bool] = lambda _client, _samples: False,
    ) -> None:
        """Names by client; publish to everybody; stream the newest joints; disconnect a client with a reason.

        `sample` sends samples to a client; it returns False where the client has gone or does not answer.
        """
        self.names = names
        self.publish = publish
        self.stream = stream
        self.drop = drop
        self.sample = sample

    def name(self, client: str) -> str:
        """Return the name of a client; empty: it is not here."""
        return self.names().get(client, "")

    def name_or_somebody(self, client: str) -> str:
        """Return the name of a client, or a word for somebody who is not here any more."""
        return self.name(client) or say("who.somebody")
