"""Serving: a real `openpendant serve` in its own process."""

import json
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from openpendant import connect
from openpendant.errors import InputError
from processes import children_of

__all__ = ["Serving"]

PATIENCE_S = 60.0


class Serving:
    """Starts the server and knows its address; can be killed and started again on the same port."""

    def __init__(self) -> None:
        self._port = 0
        self._process: subprocess.Popen[str] | None = None
        self.url = ""

    def start(self) -> None:
        """Start where it does not run, and wait until it says that it is ready."""
        if self._process is not None:
            return
        command = [sys.executable, "-m", "openpendant", "serve", "--json", "--no-open", "--port", str(self._port)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, f"the server ended with status {self._process.wait()} before it was ready"
        self.url = json.loads(line)["url"]
        self._port = int(self.url.rsplit(":", 1)[1])

    def clear(self) -> None:
        """Put all projects into the trash, and end their robots: once nobody has them open any more."""
        studio, end = connect(self.url), time.monotonic() + PATIENCE_S
        while left := studio.projects():
            assert time.monotonic() < end, f"still open: {left}"
            for project in left:
                # Pages that are closed leave a moment later.
                with suppress(InputError):
                    studio.remove(project.id)
            time.sleep(0.05)

    @property
    def pid(self) -> int:
        """Of the server's process."""
        assert self._process is not None
        return self._process.pid

    def robot_pid(self) -> int:
        """Of the process of its one robot."""
        words = {pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in children_of(self.pid)}
        (found,) = (pid for pid, line in words.items() if b"openpendant.runtime.robot\0" in line)
        return found

    def kill(self) -> None:
        """End it at once, as a crash would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None

    def stop(self) -> None:
        """End it where it still runs."""
        if self._process is not None:
            self.kill()
