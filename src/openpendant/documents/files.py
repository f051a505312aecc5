"""Files of a cell: read whole, written whole or not at all."""

import contextlib
import os
import secrets
import time
from pathlib import Path

from openpendant.errors import CellFileError
from openpendant.said import say

LARGEST_BYTES = 256 * 1024 * 1024
STALE_S = 3600.0


def read_text_bytes(path: Path) -> bytes:
    """Return the content of a file of a cell.

    Raises:
        CellFileError: It cannot be read, or is far too large.
    """
    try:
        size = path.stat().st_size
        if size > LARGEST_BYTES:
            raise CellFileError(path, "", say("file.too_large", size=size, most=LARGEST_BYTES))
        return path.read_bytes()
    except OSError as error:
        raise CellFileError(path, "", say("file.not_read", why=str(error.strerror))) from None


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: whatever happens, `path` holds either the old content or the new.

    The bytes go into a file beside it, reach the disk, and take its name in one step; then the folder's own entry
    reaches the disk too. A process killed on the way leaves the file beside, which a later save removes.

    Raises:
        CellFileError: The folder cannot be written to.
    """
    beside = path.with_name(f".{path.name}.{secrets.token_hex(6)}.tmp")
    try:
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            beside.chmod(path.stat().st_mode & 0o777)
        beside.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise not_written(path, error) from None
    _sweep(path)


def not_written(path: Path, error: OSError) -> CellFileError:
    """Return the error that a file or folder cannot be written to."""
    return CellFileError(path, "", say("file.not_written", why=str(error.strerror)))


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sweep(path: Path) -> None:
    """Remove what saves that were killed an hour ago or longer have left."""
    for left in path.parent.glob(f".{path.name}.*.tmp"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > STALE_S:
                left.unlink()
