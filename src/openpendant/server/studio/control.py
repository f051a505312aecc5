"""RobotControl: which of the people has control of which robot. One at a time; who leaves gives it back."""

from collections.abc import Iterable

from openpendant.errors import InputError
from openpendant.said import say


class RobotControl:
    """Control of the robots of one project, by client."""

    def __init__(self) -> None:
        """Begin without holders."""
        self._holders: dict[str, str] = {}
        self._asking: dict[str, list[str]] = {}

    def holder(self, robot: str) -> str:
        """Return the client that has control; empty: none."""
        return self._holders.get(robot, "")

    def holds(self, client: str) -> bool:
        """Return whether a client has control of any robot."""
        return client in self._holders.values()

    def asking(self, robot: str) -> tuple[str, ...]:
        """Return the clients that ask for control, the first first."""
        return tuple(self._asking.get(robot, ()))

    def grant(self, robot: str, client: str, name_of: dict[str, str], *, take_over: bool = False) -> str:
        """Give control to a client; return who has lost it.

        Args:
            robot: Which.
            client: To whom.
            name_of: Everybody who is here.
            take_over: Whether somebody else loses it.

        Raises:
            InputError: Somebody else has it; names them. Or the client has left while they waited for it.
        """
        if client not in name_of:
            raise InputError(say("control.asker_left"))
        before = self.holder(robot)
        if before and before != client and not take_over:
            name = name_of.get(before) or say("who.somebody")
            raise InputError(say("control.held_by", name=name, robot=robot))
        self._holders[robot] = client
        self._forget(robot, client)
        return before if before != client else ""

    def hand_over(self, robot: str, client: str, to: str, present: Iterable[str]) -> None:
        """Give control back, or to somebody who is there.

        Raises:
            InputError: The client does not have control, or no client of that id is present.
        """
        if self.holder(robot) != client:
            raise InputError(say("control.not_yours", robot=robot))
        if to and to not in set(present):
            raise InputError(say("control.asker_left"))
        if to:
            self._holders[robot] = to
            self._forget(robot, to)
        else:
            del self._holders[robot]

    def note_request(self, robot: str, client: str) -> None:
        """Note that a client asks for control.

        Raises:
            InputError: The client has it already.
        """
        if self.holder(robot) == client:
            raise InputError(say("control.yours_already", robot=robot))
        waiting = self._asking.setdefault(robot, [])
        if client not in waiting:
            waiting.append(client)

    def claim(self, robot: str, client: str, name_of: dict[str, str]) -> None:
        """Give a client control of a free robot; raises as `grant` if another client has it."""
        self.grant(robot, client, name_of)

    def leave(self, client: str) -> tuple[str, ...]:
        """A client has gone: return the robots that it had control of."""
        lost = tuple(robot for robot, holder in self._holders.items() if holder == client)
        for robot in lost:
            del self._holders[robot]
        for robot in tuple(self._asking):
            self._forget(robot, client)
        return lost

    def clear(self) -> None:
        """Take control from all clients."""
        self._holders.clear()
        self._asking.clear()

    def _forget(self, robot: str, client: str) -> None:
        waiting = self._asking.get(robot, [])
        if client in waiting:
            waiting.remove(client)
