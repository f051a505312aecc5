"""Time the phases of a test run, and tell at its end what took long.

    python tools/phase.py NAME COMMAND ...              runs a command, keeps how long it took
    python tools/phase.py NAME COMMAND ... --then NAME COMMAND ... --behind NAME COMMAND ...
                                                        several, one after the other, and others in the time that these
                                                        leave free; all of them, also where one fails
    python tools/phase.py --report NAME=SECONDS ...     tells the twenty slowest tests, and the phases with budgets

Tests write their durations to the file named by OPENPENDANT_TIMES (tests/longest_first.py). A phase beyond its budget
is named and does not fail: machines are noisy.

What runs behind has idle priority, in a session of its own, one after the other from the beginning on, and its output
follows that of all others. Robots in real time mostly wait: their tests leave a part of two processors free.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / ".pytest_cache" / "phases"
TESTS = "OPENPENDANT_TIMES"
"""Environment variable: where the tests of a phase write their durations."""
SLOWEST = 20
THEN, BEHIND, IDLE = "--then", "--behind", "--idle"
NICE_BEHIND = "10"
"""Of the session behind, since Linux shares processors between sessions first: at most a tenth of what the first phase
wants, and four fifths of what is left beside the spinners of tests/awake.py."""


class Phase:
    """A command that runs, and how long it takes."""

    def __init__(self, words: list[str], *, behind: bool = False) -> None:
        """Start it; the first of the words is its name."""
        FOLDER.mkdir(parents=True, exist_ok=True)
        (self._name, *self._command), self._behind = words, behind
        tests = FOLDER / f"{self._name}.tests.json"
        tests.unlink(missing_ok=True)
        self._log = FOLDER / f"{self._name}.log"
        self._process = self._start({**os.environ, TESTS: str(tests)})
        self._began = time.monotonic()
        self._watch = threading.Thread(target=self._keep_times)
        self._watch.start()

    def wait(self) -> int:
        """Return its exit code."""
        self._watch.join()
        return self._process.wait()

    def tell(self) -> None:
        """Write what was said behind."""
        sys.stdout.write(f"Meanwhile, {self._name}:\n{self._log.read_text()}")
        sys.stdout.flush()

    def end(self) -> None:
        """End it; a session of its own hears nothing of a key that is pressed."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGTERM)

    def _start(self, env: dict[str, str]) -> subprocess.Popen:
        if not self._behind:
            return subprocess.Popen(self._command, env=env)
        idle = [sys.executable, __file__, IDLE, *self._command]
        with self._log.open("w") as log:
            return subprocess.Popen(idle, env=env, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)

    def _keep_times(self) -> None:
        self._process.wait()
        (FOLDER / f"{self._name}.json").write_text(json.dumps([self._began, time.monotonic()]))


class Behind:
    """Phases behind all others, one after the other, also where one fails."""

    def __init__(self, phases: list[list[str]]) -> None:
        """Start the first."""
        self._left, self._codes = phases, list[int]()
        self._done: list[Phase] = []
        self._now: Phase | None = None
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def wait(self) -> list[int]:
        """Return the exit codes of all, after what they have said."""
        self._thread.join()
        for phase in self._done:
            phase.tell()
        return self._codes

    def end(self) -> None:
        """End the one that runs, and begin no other."""
        with self._lock:
            self._left = []
            if self._now is not None:
                self._now.end()

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._left:
                    return
                words, *self._left = self._left
                self._now = Phase(words, behind=True)
            self._codes.append(self._now.wait())
            self._done.append(self._now)


def run_phases(words: list[str]) -> int:
    """Run commands, and perhaps others behind; return the first exit code that is not 0."""
    before, behind = split(words)
    others = Behind(behind)
    try:
        codes = [Phase(one).wait() for one in before] + others.wait()
    except KeyboardInterrupt:
        others.end()
        raise
    return next((code for code in codes if code), 0)


def split(words: list[str]) -> tuple[list[list[str]], list[list[str]]]:
    """Return the phases that run one after the other, and those behind; each begins with its name."""
    before: list[list[str]] = [[]]
    behind: list[list[str]] = []
    phase = before[0]
    for word in words:
        if word in (THEN, BEHIND):
            phase = []
            (before if word == THEN else behind).append(phase)
        else:
            phase.append(word)
    return before, behind


def run_idle(command: list[str]) -> None:
    """Become a command that runs when nobody else wants to, where the system knows such."""
    if sys.platform == "linux":
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        with suppress(OSError):
            Path("/proc/self/autogroup").write_text(NICE_BEHIND)
    else:
        os.nice(19)
    os.execvp(command[0], command)


def together(spans: list[tuple[float, float]]) -> float:
    """Return the seconds in which any of them was under way, with the first to begin first."""
    total, end = 0.0, 0.0
    for began, ended in sorted(spans):
        total += max(0.0, ended - max(began, end))
        end = max(end, ended)
    return total


def report(budgets: dict[str, float]) -> str:
    """Return what took long in the phases that are named and were run; it is told once."""
    tests: dict[str, float] = {}
    rows = [table_row("phase", "took", "budget")]
    spans: list[tuple[float, float]] = []
    for name, budget_s in budgets.items():
        path, of_tests = FOLDER / f"{name}.json", FOLDER / f"{name}.tests.json"
        if not path.exists():
            continue
        began, ended = json.loads(path.read_text())
        took_s = ended - began
        spans.append((began, ended))
        late = "  over its budget" if took_s > budget_s else ""
        rows.append(table_row(name, clock(took_s), clock(budget_s)) + late)
        path.unlink()
        if of_tests.exists():
            tests |= json.loads(of_tests.read_text())
            of_tests.unlink()
    rows.append(table_row("together", clock(together(spans)), ""))
    longest = sorted(tests.items(), key=lambda one: -one[1])[:SLOWEST]
    slow = [f"  {seconds:6.1f} s  {test}" for test, seconds in longest]
    return "\n".join([f"The {SLOWEST} slowest tests, with what was set up for them:", *slow, "", *rows])


def table_row(name: str, took: str, budget: str) -> str:
    """Return a row of the table."""
    return f"  {name:<16} {took:>7} {budget:>7}"


def clock(seconds: float) -> str:
    """Return minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def main(words: list[str]) -> int:
    """Run or report; return the exit code."""
    if len(words) > 1 and words[0] == "--report":
        budgets = dict(word.split("=", 1) for word in words[1:])
        sys.stdout.write(report({name: float(seconds) for name, seconds in budgets.items()}) + "\n")
        return 0
    if len(words) > 1 and words[0] == IDLE:
        run_idle(words[1:])
    if any(len(one) < 2 or one[0].startswith("-") for phases in split(words) for one in phases):
        sys.stderr.write(f"{__doc__}\n")
        return 2
    return run_phases(words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
