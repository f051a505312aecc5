"""Serving: a real `openpendant serve` in its own process."""

import json
import subprocess
import sys
from pathlib import Path

from processes import children_of

__all__ = ["Serving"]


class Serving:
    """Starts the server and knows its address; can be killed and started again on the same port."""

    def __init__(self) -> None:
        self._port = 0
        self._process: subprocess.Popen[str] | None = None
        self.url = ""

    def start(self) -> None:
        """Start, and wait until it says that it is ready."""
        command = [sys.executable, "-m", "openpendant", "serve", "--json", "--no-open", "--port", str(self._port)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, f"the server ended with status {self._process.wait()} before it was ready"
        self.url = json.loads(line)["url"]
        self._port = int(self.url.rsplit(":", 1)[1])

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
