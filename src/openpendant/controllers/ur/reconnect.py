"""Reconnect: look for a controller that went away, less and less often, until it is there again."""

import contextlib
import threading
from dataclasses import dataclass

from openpendant.errors import ControllerError

from .message_link import MessageLink
from .state_link import StateLink

BACK_OFF_S = (0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3.0)
ANSWER_WITHIN_S = 1.0


@dataclass(frozen=True)
class Links:
    """Both connections of a driver."""

    state: StateLink
    messages: MessageLink

    def close(self) -> None:
        """End both."""
        self.state.close()
        self.messages.close()


def open_links(address: str, timeout_s: float) -> Links:
    """Connect; raises LinkError where nobody answers, ControllerError where the controller refuses."""
    state = StateLink.open(address, timeout_s)
    try:
        return Links(state, MessageLink.open(address, timeout_s))
    except BaseException:
        state.close()
        raise


class Reconnect:
    """Tries in a thread of its own until it has links, or is given up."""

    def __init__(self, address: str) -> None:
        """Begin to try."""
        self.links: Links | None = None
        """Found; None: not yet."""
        self._address = address
        self._given_up = threading.Event()
        self._lock = threading.Lock()
        threading.Thread(target=self._run, name=f"reconnect {address}", daemon=True).start()

    def give_up(self) -> None:
        """Try no more; links that are found now are closed."""
        with self._lock:
            self._given_up.set()
            if self.links is not None:
                self.links.close()

    def _run(self) -> None:
        tries = 0
        while not self._given_up.wait(BACK_OFF_S[min(tries, len(BACK_OFF_S) - 1)]):
            tries += 1
            with contextlib.suppress(OSError):
                try:
                    links = open_links(self._address, ANSWER_WITHIN_S)
                except ControllerError:
                    continue
                with self._lock:
                    if self._given_up.is_set():
                        links.close()
                    else:
                        self.links = links
                return
