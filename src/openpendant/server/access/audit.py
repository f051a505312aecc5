"""AuditLog: who did what, when and from where; lines of JSON, added and never changed."""

import json
import logging
import os
import threading
import time
from pathlib import Path

from .caller import Caller
from .private_files import make_private_folder

LARGEST = 4 * 1024 * 1024
KEPT = 5
LONGEST_TEXT = 300

log = logging.getLogger("openpendant.server")


class AuditLog:
    """A file to which lines are added. At 4 MB it is put aside; five of those are kept."""

    def __init__(self, file: Path | None) -> None:
        """Write to `file`; None: nowhere."""
        self.file = file
        self._one = threading.Lock()
        self._failed = False

    def note(self, what: str, caller: Caller, **details: str | int | float | bool | None) -> None:
        """Add a line. Details hold no secrets: no codes, no tokens, no contents of documents.

        A failure to write the log is reported once; requests continue.
        """
        if self.file is None:
            return
        line = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "what": what,
            "who": caller.name,
            "role": caller.role or "",
            "from": caller.address,
        } | {key: _short(value) for key, value in details.items() if value not in (None, "")}
        data = json.dumps(line, ensure_ascii=False).encode(errors="replace") + b"\n"
        with self._one:
            try:
                self._add(self.file, data)
                self._failed = False
            except OSError as error:
                if not self._failed:
                    log.warning("the audit log cannot be written: %s", error)
                self._failed = True

    def _add(self, file: Path, data: bytes) -> None:
        make_private_folder(file.parent)
        if file.exists() and file.stat().st_size + len(data) > LARGEST:
            for number in range(KEPT - 1, 0, -1):
                older = _aside(file, number)
                if older.exists():
                    older.replace(_aside(file, number + 1))
            file.replace(_aside(file, 1))
        # One write to a file opened for appending: lines of two processes do not mix.
        handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(handle, data)
        finally:
            os.close(handle)


def read_audit(file: Path, last: int) -> list[dict[str, object]]:
    """Return the last lines of a log, the oldest first, also of what was put aside; a broken line is left out."""
    found: list[dict[str, object]] = []
    for path in (file, *(_aside(file, number) for number in range(1, KEPT + 1))):
        if len(found) >= last or not path.exists():
            break
        lines: list[dict[str, object]] = []
        for text in path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                lines.append(json.loads(text))
            except ValueError:
                continue
        found = [*lines, *found]
    return found[-last:]


def _aside(file: Path, number: int) -> Path:
    return file.with_name(f"{file.name}.{number}")


def _short(value: object) -> object:
    return value[:LONGEST_TEXT] if isinstance(value, str) else value
