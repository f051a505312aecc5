"""DashboardService: port 29999."""

from openpendant.protocols.dashboard import LineSplitter, Verb, parse_command
from openpendant.protocols.dashboard.replies import DISCONNECTED, GREETING, encode_reply
from openpendant.virtual.wire import Link

from .host_port import ControllerHost


class DashboardService:
    """A line in, a line out."""

    def __init__(self, box: ControllerHost) -> None:
        """Serve the brain of `box`."""
        self._box = box
        self._lines: dict[Link, LineSplitter] = {}

    def opened(self, link: Link) -> None:
        """Greet."""
        self._lines[link] = LineSplitter()
        link.send(encode_reply(GREETING))

    def received(self, link: Link, data: bytes) -> None:
        """Answer every line; `quit` closes."""
        splitter = self._lines[link]
        for line in splitter.feed(data):
            if parse_command(line).verb is Verb.QUIT:
                link.send(encode_reply(DISCONNECTED))
                link.close()
                return
            link.send(encode_reply(self._box.brain.dashboard(line)))
        if splitter.fault is not None:
            link.close()

    def closed(self, link: Link) -> None:
        """Forget it."""
        self._lines.pop(link, None)
