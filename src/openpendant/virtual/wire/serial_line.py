"""SerialLine: a pseudo-terminal in place of a controller's serial port."""

import os
import termios
import tty
from pathlib import Path

from openpendant.errors import OpenPendantError

from .link import Service

CHUNK = 1 << 12


class SerialLine:
    """The controller's end; clients open `path`. There is no baud rate: bytes pass at once, and none is changed."""

    def __init__(self, number: int, alias: Path | None) -> None:
        """Make it; raises OpenPendantError where that cannot be done."""
        self.number = number
        self.service: Service | None = None
        """What answers; None: nothing does, and what comes is lost."""
        try:
            self._own, far = os.openpty()
        except OSError as error:
            raise OpenPendantError(f"no pseudo-terminal for a serial line: {error.strerror}") from None
        tty.setraw(far)
        self.path = os.ttyname(far)
        os.close(far)
        os.set_blocking(self._own, False)
        self._first = b""
        self._alias = alias
        if alias is not None:
            self._lay(alias)

    def opened(self) -> bool:
        """Return whether a client has it open, as far as can be seen now."""
        try:
            # Linux returns EIO while the far end is closed; other systems return nothing.
            self._first += os.read(self._own, CHUNK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return bool(self._first)

    def discard(self) -> None:
        """Forget what came while nothing answers."""
        self._first = b""

    def begin(self) -> tuple["LineStream", bytes]:
        """Return the bytes of the client that has just opened it, and those that came first."""
        first, self._first = self._first, b""
        return LineStream(self._own), first

    def close(self) -> None:
        """Take it away."""
        if self._alias is not None and self._alias.is_symlink() and self._alias.readlink() == Path(self.path):
            self._alias.unlink()
        os.close(self._own)

    def _lay(self, alias: Path) -> None:
        try:
            if alias.is_symlink():
                # Left over from a controller that was killed.
                alias.unlink()
            alias.symlink_to(self.path)
        except OSError as error:
            os.close(self._own)
            raise OpenPendantError(f"{alias} cannot lead to a serial line: {error.strerror}") from None


class LineStream:
    """A serial line from one opening by a client to its end."""

    def __init__(self, own: int) -> None:
        """Made by the line."""
        self._own = own

    def fileno(self) -> int:
        """Return the descriptor."""
        return self._own

    def send(self, data: bytes, /) -> int:
        """Send what the line takes."""
        return os.write(self._own, data)

    def recv(self, size: int, /) -> bytes:
        """Return what came."""
        return os.read(self._own, size)

    def finish(self) -> None:
        """Do nothing: a serial line has no such signal."""

    def end(self, *, reset: bool) -> None:
        """Leave the line open; after a reset what still waits on it is lost."""
        if reset:
            termios.tcflush(self._own, termios.TCIOFLUSH)
