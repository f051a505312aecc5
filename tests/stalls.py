"""Stalls: moments in which the host of a virtual machine kept its processors for itself.

The host may do so for tenths of a second. A robot whose state is stale after 0.25 s then stops, as it should, and a
test that wants it to move on measures nothing. On each processor a process that does nothing but sleep, with real-time
priority where that is allowed, sees such moments, so that the cause of a failure is known and not guessed: it is named
in the report. With `--void-stalls`, for tests of robots in real time, such a test is void and is made again from the
beginning; each is named at the end of the run. A test that failed on a machine that ran is never made again.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest
import pytest_timeout
from _pytest.runner import runtestprotocol

STILL_S, WITHIN_S = 0.2, 0.5
"""What no test in real time allows for: so much time lost on all processors together, within so much. A sample is stale
after 0.1 to 0.3 s, a state after 0.25 s, and what is late goes from one processor to the other."""
NAP_S, LATE_S = 0.02, 0.02
"""A sleeper wakes so often; being later than this is told."""
MOST_VOID = 3
"""How often a test may be void; the next failure counts."""
SLEEPER = f"""
import os, sys, time
os.sched_setaffinity(0, {{int(sys.argv[1])}})
try:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(90))
except PermissionError:
    pass
last = told = time.monotonic()
print("begun", flush=True)
while True:
    time.sleep({NAP_S})
    now = time.monotonic()
    late = now - last - {NAP_S}
    if late > {LATE_S} or now - told > 0.1:
        print(now, late, flush=True)
        told = now
    last = now
"""


class Sleeper:
    """Sees when one processor stands still, from a process of its own."""

    def __init__(self, processor: int) -> None:
        """Start to watch."""
        self._late: list[tuple[float, float]] = []
        self._news = threading.Condition()
        self._until = 0.0
        command = [sys.executable, "-c", SLEEPER, str(processor)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "begun\n"
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def pid(self) -> int:
        """The process that sleeps."""
        return self._process.pid

    def close(self) -> None:
        """Stop watching."""
        self._process.kill()
        self._process.wait()

    def late_since(self, began: float) -> list[tuple[float, float]]:
        """Return when it woke up late after a moment of the monotonic clock, and how late, seconds."""
        now = time.monotonic()
        with self._news:
            # One that ends just now is written a little later, on a busy machine a good deal later.
            assert self._news.wait_for(lambda: self._until > now, 30.0), "the process that sleeps is gone"
        return [(end, late_s) for end, late_s in self._late if end > began]

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                end, late_s = map(float, line.split())
                if late_s > LATE_S:
                    self._late.append((end, late_s))
                with self._news:
                    self._until = end
                    self._news.notify_all()


class Stalls:
    """Sees when any processor stands still: what runs on it then is not moved to another one."""

    def __init__(self) -> None:
        """Start to watch."""
        self.sleepers = [Sleeper(processor) for processor in sorted(os.sched_getaffinity(0))]

    def close(self) -> None:
        """Stop watching."""
        for one in self.sleepers:
            one.close()

    def lost_s(self, began: float) -> float:
        """Return the most time that was lost at once after a moment of the monotonic clock, seconds; 0: too little."""
        late = sorted(one for sleeper in self.sleepers for one in sleeper.late_since(began))
        most = max((sum(one for at, one in late if end - WITHIN_S < at <= end) for end, _ in late), default=0.0)
        return most if most >= STILL_S else 0.0


class NameStalls:
    """The plugin: adds the worst stall to the report of a failed test, and makes it again where that is asked for."""

    def __init__(self, *, again: bool = False) -> None:
        """Nothing is watched before the first test."""
        self.stalls: Stalls | None = None
        self._again, self._began = again, 0.0
        self._void: list[str] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Iterator[None]:
        """Watch while tests run, in each process that runs some."""
        if session.config.pluginmanager.hasplugin("dsession"):
            return (yield)
        self.stalls = Stalls()
        try:
            return (yield)
        finally:
            self.stalls.close()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        """Run a test; again, with all of its fixtures made again, where it failed while the machine stood still."""
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        void: list[str] = []
        while True:
            self._began = time.monotonic()
            reports = runtestprotocol(item, nextitem=nextitem, log=False)
            lost_s = self._lost_s() if any(report.failed for report in reports) else 0.0
            if not (self._again and lost_s) or len(void) == MOST_VOID:
                break
            why = next(report for report in reports if report.failed).longreprtext.strip().splitlines()[-1:]
            void.append(f"{item.nodeid}: {lost_s:.2f} s; {' '.join(why)}")
            _begin_again(item)
        for report in reports:
            report.user_properties += [("void", one) for one in (void if report.when == "call" else ())]
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Iterator[None]:
        """Name the worst stall since the test began."""
        report = yield
        if report.failed and (lost_s := self._lost_s()):
            report.sections.append(("Stall", f"the machine stood still for {lost_s:.2f} s within {WITHIN_S} s"))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what was void, also of other processes that run tests."""
        self._void += [str(value) for name, value in report.user_properties if name == "void"]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name all that was void."""
        if self._void:
            terminalreporter.section("made again, since the machine stood still", sep="-")
            for one in self._void:
                terminalreporter.write_line(one)

    def _lost_s(self) -> float:
        return 0.0 if self.stalls is None else self.stalls.lost_s(self._began)


def _begin_again(item: pytest.Item) -> None:
    """Take down everything that the test stood on: a stall may have stopped robots or cut connections."""
    hooks, settings = item.config.pluginmanager.hook, pytest_timeout._get_item_settings(item)
    hooks.pytest_timeout_cancel_timer(item=item)
    # What cannot be taken down any more was broken by the stall as well.
    with suppress(Exception):
        item.session._setupstate.teardown_exact(None)
    assert isinstance(item, pytest.Function)
    item._initrequest()
    if settings.timeout:
        hooks.pytest_timeout_set_timer(item=item, settings=settings)
