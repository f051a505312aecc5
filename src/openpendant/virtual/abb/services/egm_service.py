"""EgmService: the datagrams of externally guided motion: the robot speaks first, the sensor answers."""

from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address

from openpendant.protocols import ProtocolError
from openpendant.protocols.egm import decode_sensor
from openpendant.virtual.abb.guidance import Guidance
from openpendant.virtual.wire import DatagramPort, Peer


class EgmService:
    """Sends what an arm says to its sensor, and takes the answers; those of others do not count.

    A client on this computer that listens on all addresses answers from 127.0.0.1, whichever of 127.x.x.x was meant.
    """

    def __init__(self, guidance: Callable[[], Guidance], sensor: Peer) -> None:
        """Guide the arm that `guidance` returns.

        Args:
            guidance: Returns the guidance of the arm.
            sensor: Where the PC waits.
        """
        self._guidance, self._sensor = guidance, sensor

    def datagram(self, port: DatagramPort, peer: Peer, data: bytes) -> None:  # noqa: ARG002
        """Take an answer; what cannot be read is dropped."""
        if peer == self._sensor or (peer[1] == self._sensor[1] and _is_here(peer[0]) and _is_here(self._sensor[0])):
            with suppress(ProtocolError):
                self._guidance().receive(decode_sensor(data))

    def send_due(self, port: DatagramPort) -> None:
        """Send what is due; once per tick."""
        for data in self._guidance().take_outbox():
            port.send(self._sensor, data)


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
