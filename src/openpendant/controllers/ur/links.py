"""Links: the connections of a driver, and how they are opened."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, cast

from openpendant.controllers.dialler import ByteLink, Dialler
from openpendant.controllers.steps import Steps
from openpendant.errors import LinkError
from openpendant.protocols.ur_primary import RobotMessage, UnknownRobotMessage
from openpendant.said import say

from .message_link import PORT as MESSAGE_PORT
from .message_link import MessageLink
from .operating_watch import OperatingWatch
from .state_link import PORT as STATE_PORT
from .state_link import StateLink

REPLY_WITHIN_S = 1.0
POLL_EVERY_S = 0.001
T = TypeVar("T")


@dataclass(frozen=True)
class Links:
    """Both connections of a driver, and one to the dashboard, which it can do without."""

    state: StateLink
    messages: MessageLink
    operating: OperatingWatch

    def poll_messages(self, now_ns: int) -> list[RobotMessage | UnknownRobotMessage]:
        """Return the messages that have come, and ask for the operating mode; raises as `MessageLink.poll`."""
        self.operating.poll(now_ns)
        return self.messages.poll()

    def close(self) -> None:
        """End all."""
        self.state.close()
        self.messages.close()
        self.operating.close()


class LinkOpening:
    """Opens both connections: agrees on the states, then requests messages. Only `wait_for_…` waits."""

    def __init__(self, dialler: Dialler, address: str, within_s: float = REPLY_WITHIN_S) -> None:
        """Get ready.

        Args:
            dialler: Opens links.
            address: Of the controller.
            within_s: Time for each step: to reply, to agree, to reply on the second port.
        """
        self._dialler, self._address, self._within_ns = dialler, address, round(within_s * 1e9)
        self._now_ns = 0
        self._open: list[ByteLink] = []
        self._both = self._open_both()

    def poll(self, now_ns: int) -> Links | None:
        """Return both once they are open; None: not yet.

        Raises:
            LinkError: No reply in time.
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
