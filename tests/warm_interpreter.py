"""WarmInterpreter: runs programs as processes of their own that need not load numpy, numba and the like first.

It has loaded all libraries that OpenPendant stands on, and none of OpenPendant's modules: a program that forgets to
import one of them fails here as it does for its user. Each program is a fork with a folder and output of its own; it
ends as Python ends, with its exit functions, its traceback and its exit code.
"""

import json
import os
import runpy
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

LONGEST_S = 120
"""A program that takes longer is ended."""


@dataclass(frozen=True)
class Done:
    """What a program has said; the code is negative where a signal ended it."""

    returncode: int
    stdout: str
    stderr: str


class WarmInterpreter:
    """Starts when it is made; runs one program at a time."""

    def __init__(self) -> None:
        # With threads of its own, as for linear algebra, a process should not fork.
        alone = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **alone},
        )

    def close(self) -> None:
        """End it."""
        self._process.communicate()

    def run_text(self, text: str, folder: Path) -> Done:
        """Run the text of a program in a folder, as `python -c` does."""
        path = folder / "program.py"
        path.write_text(text)
        return self._run("file", [str(path)], folder)

    def run_file(self, path: Path, folder: Path) -> Done:
        """Run a program in a folder."""
        return self._run("file", [str(path)], folder)

    def run_module(self, words: list[str], folder: Path) -> Done:
        """Run a module with arguments in a folder, as `python -m` does."""
        return self._run("module", words, folder)

    def _run(self, kind: str, words: list[str], folder: Path) -> Done:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        said, complained = folder / "stdout.txt", folder / "stderr.txt"
        job = {"kind": kind, "words": words, "folder": str(folder), "stdout": str(said), "stderr": str(complained)}
        print(json.dumps(job), file=self._process.stdin, flush=True)
        code = self._process.stdout.readline()
        assert code, "the warm interpreter has ended"
        return Done(int(code), said.read_text(), complained.read_text())


def load_libraries() -> None:
    """Load what OpenPendant imports, and forget OpenPendant."""
    import openpendant.cli
    import openpendant.client
    import openpendant.compat
    import openpendant.runtime
    import openpendant.server
    import openpendant.testing  # noqa: F401

    for name in [name for name in sys.modules if name.partition(".")[0] == "openpendant"]:
        del sys.modules[name]


def next_job() -> dict:
    """Wait for programs; return in a fork for each, and end with the input."""
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            return json.loads(line)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()
    sys.exit()


def take_place(job: dict) -> None:
    """Go to the folder, and say everything there."""
    signal.alarm(LONGEST_S)
    os.chdir(job["folder"])
    places = {0: os.devnull, 1: job["stdout"], 2: job["stderr"]}
    for fd, path in places.items():
        opened = os.open(path, os.O_RDONLY if fd == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(opened, fd)
        os.close(opened)


if __name__ == "__main__":
    # Where this file is, a program finds nothing.
    sys.path.pop(0)
    load_libraries()
    job = next_job()
    take_place(job)
    sys.argv = job["words"]
    if job["kind"] == "file":
        runpy.run_path(job["words"][0], run_name="__main__")
    else:
        runpy.run_module(job["words"][0], run_name="__main__", alter_sys=True)
