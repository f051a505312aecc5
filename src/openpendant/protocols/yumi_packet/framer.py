"""HandFramer: finds packets in a stream of bytes."""

from openpendant.protocols.error import ProtocolError

from .packets import HandPacket, decode_packet

LONGEST = 54
_START, _END = b"S", b"E"


class HandFramer:
    """Collects bytes as they arrive and returns whole packets. What is none is dropped, up to the next S.

    Attributes:
        dropped: Bytes that belonged to no packet.
    """

    __slots__ = ("_buffer", "dropped")

    def __init__(self) -> None:
        """Start with nothing."""
        self._buffer = bytearray()
        self.dropped = 0

    @property
    def pending(self) -> int:
        """Bytes of the packet that has not fully arrived."""
        return len(self._buffer)

    def feed(self, data: bytes) -> list[HandPacket]:
        """Return the packets that `data` completes."""
        found: list[HandPacket] = []
        self._buffer += data
        while self._buffer:
            start = self._buffer.find(_START)
            self._drop(len(self._buffer) if start < 0 else start)
            if not self._buffer:
                break
            end = self._buffer.find(_END, 0, LONGEST)
            again = self._buffer.find(_START, 1, LONGEST if end < 0 else end)
            if again > 0:
                # Neither S nor E can be inside a packet: this one was cut short.
                self._drop(again)
                continue
            if end < 0:
                if len(self._buffer) < LONGEST:
                    break
                self._drop(1)
                continue
            try:
                found.append(decode_packet(bytes(self._buffer[: end + 1])))
                del self._buffer[: end + 1]
            except ProtocolError:
                self._drop(end + 1)
        return found

    def _drop(self, count: int) -> None:
        self.dropped += count
        del self._buffer[:count]
