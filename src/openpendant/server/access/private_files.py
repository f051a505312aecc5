"""write_private: a file that its owner alone can read, whole or not at all."""

import logging
import os
import secrets
import threading
from pathlib import Path

log = logging.getLogger("openpendant.server")


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


class PrivateWriter:
    """Writes one private file again and again, in its own thread: whoever has news for it never waits."""

    def __init__(self, file: Path | None) -> None:
        """Write to `file`; None: to nowhere."""
        self._file = file
        self._changed = threading.Condition()
        self._newest: bytes | None = None
        self._busy = False

    def write(self, data: bytes) -> None:
        """Have this written; of several that wait only the newest is."""
        if self._file is None:
            return
        with self._changed:
            self._newest = data
            if not self._busy:
                self._busy = True
                threading.Thread(target=self._run, args=(self._file,), name="openpendant-sessions").start()

    def flush(self) -> None:
        """Wait until everything is written."""
        with self._changed:
            self._changed.wait_for(lambda: not self._busy)

    def _run(self, file: Path) -> None:
        while True:
            with self._changed:
                data, self._newest = self._newest, None
                if data is None:
                    self._busy = False
                    self._changed.notify_all()
                    return
            try:
                make_private_folder(file.parent)
                write_private(file, data)
            except OSError as error:
                log.warning("%s could not be written: %s", file, error)
