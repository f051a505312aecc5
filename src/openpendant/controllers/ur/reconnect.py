"""Links: both connections of a driver; how they are opened, and found again where a controller went away."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TypeVar, cast

from openpendant.controllers.dialler import ByteLink, Dialler
from openpendant.errors import ControllerError, LinkError
from openpendant.protocols.ur_primary import RobotMessage, UnknownRobotMessage
from openpendant.said import say

from .message_link import PORT as MESSAGE_PORT
from .message_link import MessageLink
from .operating_watch import OperatingWatch
from .state_link import PORT as STATE_PORT
from .state_link import StateLink

BACK_OFF_NS = (50_000_000, 100_000_000, 200_000_000, 400_000_000, 800_000_000, 1_500_000_000, 3_000_000_000)
REPLY_WITHIN_S = 1.0
POLL_EVERY_S = 0.001
T = TypeVar("T")
Steps = Generator[None, None, T]
"""Yields where it has to wait; returns the result."""


@dataclass(frozen=True)
class Links:
    """Both connections of a driver, and one to the dashboard, which it can do without."""

    state: StateLink
    messages: MessageLink
    operating: OperatingWatch

    def poll_words(self, now_ns: int) -> list[RobotMessage | UnknownRobotMessage]:
        """Return the messages that have come, and ask for the operating mode; raises as `MessageLink.poll`."""
        self.operating.poll(now_ns)
        return self.messages.poll()

    def close(self) -> None:
        """End all."""
        self.state.close()
        self.messages.close()
        self.operating.close()


class LinkOpening:
    """Both connections on their way: the states are agreed on, then messages are asked for. Only `wait_for_…` waits."""

    def __init__(self, dialler: Dialler, address: str, within_s: float) -> None:
        """Get ready.

        Args:
            dialler: Opens links.
            address: Of the controller.
            within_s: How long each step may take: to answer, to agree, to answer on the second port.
        """
        self._dialler, self._address, self._within_ns = dialler, address, round(within_s * 1e9)
        self._now_ns = 0
        self._open: list[ByteLink] = []
        self._both = self._open_both()

    def poll(self, now_ns: int) -> Links | None:
        """Return both where they are there; None: not yet.

        Raises:
            LinkError: Nobody answers in time.
            ControllerError: The controller refuses; says why.
        """
        return self._go_on(self._both, now_ns)

    def close(self) -> None:
        """Give up."""
        for link in self._open:
            link.close()

    def wait_for_states(self) -> StateLink:
        """Return the first connection alone, and wait for it; raises as `poll`."""
        return self._wait_for(self._open_states())

    def wait_for_both(self) -> Links:
        """Return both, and wait for them; raises as `poll`."""
        return self._wait_for(self._both)

    def _wait_for(self, steps: Steps[T]) -> T:
        while (found := self._go_on(steps, self._dialler.now_ns())) is None:
            self._dialler.wait(POLL_EVERY_S)
        return found

    def _go_on(self, steps: Steps[T], now_ns: int) -> T | None:
        self._now_ns = now_ns
        try:
            next(steps)
        except StopIteration as end:
            return cast(T, end.value)
        except BaseException:
            self.close()
            raise
        return None

    def _open_both(self) -> Steps[Links]:
        state = yield from self._open_states()
        messages = MessageLink(self._address, (yield from self._dial(MESSAGE_PORT)))
        return Links(state, messages, OperatingWatch(self._dialler, self._address))

    def _open_states(self) -> Steps[StateLink]:
        state = StateLink(self._address, (yield from self._dial(STATE_PORT)))
        yield from self._until(lambda: state.agree(self._now_ns), STATE_PORT)
        return state

    def _dial(self, port: int) -> Steps[ByteLink]:
        link = self._dialler.dial(self._address, port)
        self._open.append(link)
        yield from self._until(link.ready, port)
        return link

    def _until(self, there: Callable[[], bool], port: int) -> Steps[None]:
        end_ns = self._now_ns + self._within_ns
        while not there():
            if self._now_ns > end_ns:
                raise LinkError(say("link.late", address=f"{self._address}:{port}"))
            yield


class Reconnect:
    """Looks for a controller that went away, less and less often, until it is there again or is given up."""

    def __init__(self, dialler: Dialler, address: str, now_ns: int) -> None:
        """Begin to try."""
        self._dialler, self._address = dialler, address
        self._opening: LinkOpening | None = None
        self._tries = 0
        self._due_ns = now_ns + BACK_OFF_NS[0]

    def poll(self, now_ns: int) -> Links | None:
        """Try where it is time to; return the links where they have been found."""
        if self._opening is None:
            if now_ns < self._due_ns:
                return None
            self._opening = LinkOpening(self._dialler, self._address, REPLY_WITHIN_S)
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
