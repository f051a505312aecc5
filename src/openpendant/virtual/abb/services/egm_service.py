"""EgmService: the datagrams of externally guided motion: the robot speaks first, the sensor answers."""

from collections.abc import Callable, Mapping
from contextlib import suppress

from openpendant.protocols import ProtocolError
from openpendant.protocols.egm import decode_sensor
from openpendant.virtual.abb.guidance import Guidance
from openpendant.virtual.wire import DatagramPort, Peer


class EgmService:
    """Sends each arm's messages to its sensor, and takes the answers; those of others do not count."""

    def __init__(self, guidances: Callable[[], Mapping[str, Guidance]], sensor: Peer) -> None:
        """Guide the arms that `guidances` returns, by mechanical unit.

        Args:
            guidances: Returns the guidance of each arm.
            sensor: Where the PC waits for the first arm; for each other one it waits on the next port.
        """
        self._guidances, self._sensor = guidances, sensor

    def datagram(self, port: DatagramPort, peer: Peer, data: bytes) -> None:  # noqa: ARG002
        """Take an answer; what cannot be read is dropped."""
        for place, guidance in enumerate(self._guidances().values()):
            if peer == self._peer(place):
                with suppress(ProtocolError):
                    guidance.take(decode_sensor(data))

    def tell(self, port: DatagramPort) -> None:
        """Send what is due; once per tick."""
        for place, guidance in enumerate(self._guidances().values()):
            for data in guidance.take_outbox():
                port.send(self._peer(place), data)

    def _peer(self, place: int) -> Peer:
        host, port = self._sensor
        return host, port + place
