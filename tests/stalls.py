"""Stalls: moments in which the whole machine stood still, named in the report of a test that failed.

The host of a virtual machine may keep the processors for itself for most of a second. A robot whose lease is 0.8 s
then stops, as it should. A process that does nothing but sleep sees such a moment, so that the cause of a failure is
known and not guessed. No test is run again for it.
"""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

STILL_S = 0.2
"""What no test in real time allows for: a sample is stale after 0.1 to 0.3 s, a lease ends after 0.8 s."""
SLEEPER = f"""
import time
last = told = time.monotonic()
print("begun", flush=True)
while True:
    time.sleep(0.01)
    now = time.monotonic()
    if now - last > {STILL_S} or now - told > 0.05:
        print(last, now, flush=True)
        told = now
    last = now
"""


class Stalls:
    """Sees when the machine stands still, from a process of its own."""

    def __init__(self) -> None:
        """Start to watch."""
        self._seen: list[tuple[float, float]] = []
        self._news = threading.Condition()
        self._until = 0.0
        self._process = subprocess.Popen([sys.executable, "-c", SLEEPER], stdout=subprocess.PIPE, text=True)
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

    def longest_since(self, began: float) -> float:
        """Return the longest stall that ended after a moment of the monotonic clock, seconds."""
        now = time.monotonic()
        with self._news:
            # One that ends just now is written a little later, on a busy machine a good deal later.
            assert self._news.wait_for(lambda: self._until > now, 30.0), "the process that sleeps is gone"
        return max((end - start for start, end in self._seen if end > began), default=0.0)

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                start, end = map(float, line.split())
                if end - start > STILL_S:
                    self._seen.append((start, end))
                with self._news:
                    self._until = end
                    self._news.notify_all()


class NameStalls:
    """The plugin: adds the longest stall to the report of a failed test."""

    def __init__(self) -> None:
        """Nothing is watched before the first test."""
        self.stalls: Stalls | None = None
        self._began = 0.0

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self) -> Iterator[None]:
        """Watch while tests run."""
        self.stalls = Stalls()
        try:
            return (yield)
        finally:
            self.stalls.close()

    def pytest_runtest_logstart(self) -> None:
        """A test begins."""
        self._began = time.monotonic()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Iterator[None]:
        """Name the longest stall since the test began."""
        report = yield
        if report.failed and self.stalls is not None and (still_s := self.stalls.longest_since(self._began)):
            report.sections.append(("Stall", f"the machine stood still for {still_s:.2f} s during this test"))
        return report
