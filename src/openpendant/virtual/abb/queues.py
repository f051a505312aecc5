"""MessageQueues: what clients of Robot Web Services leave for each other (DIPC)."""

from collections import deque
from dataclasses import dataclass

from .refusal import ControllerRefusal, NotThere

MOST_QUEUES = 32
MOST_MESSAGES = 100


@dataclass(frozen=True, slots=True)
class QueuedMessage:
    """One message; its numbers are the client's own."""

    data: str
    user: str
    kind: str
    command: str
    sender: str


class MessageQueues:
    """Queues by name."""

    def __init__(self) -> None:
        """Begin without a queue."""
        self._queues: dict[str, deque[QueuedMessage]] = {}

    def create(self, name: str) -> bool:
        """Make a queue; False if there is one of that name.

        Raises:
            ControllerRefusal: There are too many.
        """
        if name in self._queues:
            return False
        if len(self._queues) >= MOST_QUEUES:
            raise ControllerRefusal(f"{len(self._queues)} queues; at most {MOST_QUEUES} are allowed")
        self._queues[name] = deque()
        return True

    def send(self, name: str, message: QueuedMessage) -> None:
        """Put a message into a queue.

        Raises:
            NotThere: There is no such queue.
            ControllerRefusal: It is full.
        """
        queue = self._of(name)
        if len(queue) >= MOST_MESSAGES:
            raise ControllerRefusal(f"queue {name} is full")
        queue.append(message)

    def pop(self, name: str) -> QueuedMessage | None:
        """Return the oldest message and forget it; None: there is none.

        Raises:
            NotThere: There is no such queue.
        """
        queue = self._of(name)
        return queue.popleft() if queue else None

    def _of(self, name: str) -> deque[QueuedMessage]:
        if name not in self._queues:
            raise NotThere(f"no queue {name[:40]!r}")
        return self._queues[name]
