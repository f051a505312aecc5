"""write_private: a file that its owner alone can read, whole or not at all."""

import os
import secrets
from pathlib import Path

__all__ = ["make_private_folder", "write_private"]


def make_private_folder(folder: Path) -> None:
    """Make a folder that its owner alone can enter; one that is there is closed to others."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.chmod(0o700)


def write_private(path: Path, data: bytes) -> None:
    """Write a file that its owner alone can read or write; who looks meanwhile sees the old or the new one."""
    coming = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    handle = os.open(coming, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        coming.replace(path)
    finally:
        coming.unlink(missing_ok=True)
