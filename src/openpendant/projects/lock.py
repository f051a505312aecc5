"""ProjectLock: one process at a time has a project open."""

import fcntl
import os
from pathlib import Path

import msgspec

from openpendant.errors import InputError
from openpendant.said import say

LOCK_FILE = "lock"


class ProjectInUseError(InputError):
    """Another process has the project open."""


class _Owner(msgspec.Struct):
    """What the file of the lock says, for people."""

    pid: int


class ProjectLock:
    """The lock of one project. It goes when the process ends, however that happens."""

    def __init__(self, folder: Path) -> None:
        """Take the lock in the folder `folder` (that of our own files).

        Raises:
            ProjectInUseError: Another process has it; names that process.
            OSError: The folder cannot be written to.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self._file = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            owner = _read(self._file)
            os.close(self._file)
            who = say("project.other_process") if owner is None else say("project.process", pid=owner)
            raise ProjectInUseError(say("project.in_use", project=folder.parent.name, who=who)) from None
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, msgspec.json.encode(_Owner(os.getpid())), 0)

    def release(self) -> None:
        """Let others have it; again is allowed."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _read(file: int) -> int | None:
    try:
        return msgspec.json.decode(os.pread(file, 1000, 0), type=_Owner).pid
    except (OSError, msgspec.MsgspecError):
        return None
