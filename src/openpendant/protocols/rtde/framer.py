"""Cuts a stream of bytes into RTDE packages."""

from openpendant.protocols.framer import SizedFramer

from .packages import HEADER, MAX_PACKAGE_SIZE


class Framer(SizedFramer):
    """Returns the packages of an RTDE stream. Holds at most 64 KiB: the size field of the wire allows no more."""

    __slots__ = ()

    def __init__(self, max_size: int = MAX_PACKAGE_SIZE) -> None:
        """Accept packages of at most `max_size` bytes, header included."""
        super().__init__(HEADER, "an RTDE package", max_size)
