"""ControlService: orders as lines of JSON, for tests, scripts and the terminal pendant."""

from openpendant.virtual.pendant import Operator
from openpendant.virtual.wire import Link

MAX_LINE = 1 << 20


class ControlService:
    """One JSON object per line in, one per line out, in order."""

    def __init__(self, operator: Operator) -> None:
        """Give the orders to `operator`."""
        self._operator = operator
        self._partial: dict[Link, bytearray] = {}

    def opened(self, link: Link) -> None:
        """Begin a line."""
        self._partial[link] = bytearray()

    def received(self, link: Link, data: bytes) -> None:
        """Carry out every complete line."""
        waiting = self._partial[link]
        waiting += data
        *lines, rest = bytes(waiting).split(b"\n")
        waiting[:] = rest
        for line in lines:
            if line.strip():
                link.send(self._operator.reply_to(line) + b"\n")
        if len(rest) > MAX_LINE:
            link.close()

    def closed(self, link: Link) -> None:
        """Forget the line that was never finished."""
        self._partial.pop(link, None)
