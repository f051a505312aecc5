"""Time the phases of a test run, and tell at its end what took long.

    python tools/phase.py NAME COMMAND ...              runs a command, keeps how long it took
    python tools/phase.py NAME COMMAND ... --behind NAME COMMAND ...
                                                        and another one in the time that the first leaves free
    python tools/phase.py --report NAME=SECONDS ...     tells the twenty slowest tests, and the phases with budgets

Tests write their durations to the file named by OPENPENDANT_TIMES (tests/longest_first.py). A phase beyond its budget
is named and does not fail: machines are noisy.

What runs behind has idle priority, in its own session, and its output follows that of the first. Robots in real
time mostly wait: their tests leave a part of two processors free.
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
BEHIND, IDLE = "--behind", "--idle"
NICE_BEHIND = "10"
"""Of the session behind, since Linux shares processors between sessions first: at most a tenth of what the first phase
wants, and four fifths of what is left beside the spinners of tests/awake.py."""


class Phase:
    """A command that runs, and how long it takes."""

    def __init__(self, name: str, command: list[str], *, behind: bool = False) -> None:
        """Start it."""
        FOLDER.mkdir(parents=True, exist_ok=True)
        self._name, self._command, self._behind = name, command, behind
        tests = FOLDER / f"{name}.tests.json"
        tests.unlink(missing_ok=True)
        self._log = FOLDER / f"{name}.log"
        self._process = self._start({**os.environ, TESTS: str(tests)})
        self._began = time.monotonic()
        self._watch = threading.Thread(target=self._keep_times)
        self._watch.start()

    def wait(self) -> int:
        """Return its exit code, after what was said behind."""
        self._watch.join()
        if self._behind:
            sys.stdout.write(f"Meanwhile, {self._name}:\n{self._log.read_text()}")
            sys.stdout.flush()
        return self._process.wait()

    def end(self) -> None:
        """End it; in its separate session it hears nothing of a key that is pressed."""
        if self._behind:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGTERM)

    def _start(self, env: dict[str, str]) -> subprocess.Popen:
        if not self._behind:
            return subprocess.Popen(self._command, env=env)
        words = [sys.executable, __file__, IDLE, *self._command]
        with self._log.open("w") as log:
            return subprocess.Popen(words, env=env, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)

    def _keep_times(self) -> None:
        self._process.wait()
        (FOLDER / f"{self._name}.json").write_text(json.dumps([self._began, time.monotonic()]))


def run_phases(words: list[str]) -> int:
    """Run a command, and perhaps another one behind; return the exit code."""
    first, behind = words, None
    if BEHIND in words:
        at = words.index(BEHIND)
        first = words[:at]
        behind = Phase(words[at + 1], words[at + 2 :], behind=True)
    try:
        codes = [Phase(first[0], first[1:]).wait()]
        if behind is not None:
            codes.append(behind.wait())
        return next((code for code in codes if code), 0)
    except KeyboardInterrupt:
        if behind is not None:
            behind.end()
        raise


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
    if len(words) < 2 or words[0].startswith("-"):
        sys.stderr.write(f"{__doc__}\n")
        return 2
    return run_phases(words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
