"""PendantLog: the lines that a pendant shows of what happened."""

from collections import deque

from .state import MessageRow

KEPT_MESSAGES = 200
SHOWN_MESSAGES = 60


class PendantLog:
    """Keeps the newest lines; numbers count up from 1 and outlive reboots of the controller."""

    def __init__(self) -> None:
        """Begin empty."""
        self._rows: deque[MessageRow] = deque(maxlen=KEPT_MESSAGES)
        self._count = 0

    def write(self, level: str, text: str, time_s: float) -> None:
        """Add a line; `level` is "info", "warning" or "error", `time_s` the controller's own time."""
        self._count += 1
        self._rows.append(MessageRow(self._count, time_s, level, text))

    def newest(self) -> tuple[MessageRow, ...]:
        """Return the lines that are shown, the newest last."""
        return tuple(self._rows)[-SHOWN_MESSAGES:]
