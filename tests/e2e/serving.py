"""Serving: a real `openpendant serve` in a process of its own."""

import json
import subprocess
import sys

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
