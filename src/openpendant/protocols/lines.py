"""Cuts a stream of bytes into lines of text."""

from openpendant.errors import InputError

from .error import ProtocolError


class LineSplitter:
    r"""Collects bytes as they arrive and gives back whole lines, ended by \n or \r\n.

    Holds at most one unfinished line of `max_size` bytes.
    """

    __slots__ = ("_buffer", "_fault", "_max_size")

    def __init__(self, max_size: int = 64 * 1024) -> None:
        """Take lines of at most `max_size` bytes."""
        if max_size < 1:
            raise InputError(f"lines of at most {max_size} bytes; at least 1 is allowed")
        self._buffer = bytearray()
        self._fault: str | None = None
        self._max_size = max_size

    @property
    def pending(self) -> int:
        """Bytes of the line that has not fully arrived."""
        return len(self._buffer)

    @property
    def fault(self) -> str | None:
        """Why the stream cannot be followed any more, or None: look at it after the lines of a `feed`."""
        return self._fault

    def feed(self, data: bytes) -> list[str]:
        """Return the lines that `data` completes, without their ends, up to one that is too long.

        Bytes that are no UTF-8 become replacement characters.

        Raises:
            ProtocolError: An earlier feed met a line that is too long.
        """
        if self._fault is not None:
            raise ProtocolError(self._fault)
        lines: list[str] = []
        # Only new bytes are searched: a long line that drips in must not be read again and again.
        *ends, rest = data.split(b"\n")
        for end in ends:
            self._buffer += end
            if len(self._buffer) > self._max_size:
                break
            lines.append(self._buffer.removesuffix(b"\r").decode("utf-8", "replace"))
            self._buffer.clear()
        else:
            self._buffer += rest
        if len(self._buffer) > self._max_size:
            self._fault = f"a line of more than {self._max_size} bytes"
            self._buffer.clear()
        return lines
