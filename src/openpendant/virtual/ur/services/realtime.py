"""RealtimeService: port 30003, one packet per tick, and scripts."""

from openpendant.protocols.ur_primary import encode_real_time
from openpendant.virtual.wire import Link

from .host_port import ControllerHost
from .scripts import ScriptIntakes


class RealtimeService:
    """Sends the real-time packet to every client after every tick, and runs what they send."""

    def __init__(self, box: ControllerHost) -> None:
        """Serve the brain of `box`."""
        self._box = box
        self._clients: set[Link] = set()
        self._scripts = ScriptIntakes(box)

    def opened(self, link: Link) -> None:
        """A client is there."""
        self._clients.add(link)
        self._scripts.opened(link)

    def received(self, link: Link, data: bytes) -> None:
        """Run scripts that are complete."""
        self._scripts.received(link, data)

    def closed(self, link: Link) -> None:
        """The client is gone; what it started continues."""
        self._clients.discard(link)
        self._scripts.closed(link)

    def run_scripts(self) -> None:
        """Run scripts that have become ready."""
        self._scripts.poll()

    def close(self) -> None:
        """Forget scripts that have not been run."""
        self._scripts.close()

    def send(self) -> None:
        """Send the packet of this tick."""
        if self._clients:
            packet = encode_real_time(self._box.brain.realtime_state())
            for link in list(self._clients):
                link.offer(packet)
