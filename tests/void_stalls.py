"""VoidStalls: the plugin that names stalls in failures, and voids the few that a stall explains.

With `--void-stalls` a failure of a test of robots in real time is void, and the test is made again once, where

- a stall that was the host's doing ended a few seconds before the failure at most, in the same phase of the test;
- the test did not hang: one that passes its time limit has failed;
- no promise was broken that holds however late a process is (`unsafe.py`);
- the test is not one in virtual time, where nothing can be late.

A test whose second attempt fails has failed. So has a run with more void tests than `MOST_VOID` and `MOST_SHARE` allow.
At the end each void failure is printed in full, and how many tests passed although they saw a stall: where that is
most of them, stalls explain little.
"""

import time
import traceback
from collections.abc import Iterator

import pytest
import pytest_timeout
from _pytest.runner import runtestprotocol

from stalls import Stall, Stalls
from unsafe import Unsafe

NEAR_S = 5.0
"""So long before a failure a stall may have ended that explains it."""
MOST_VOID, MOST_SHARE = 2, 0.005
"""So many tests of a run may be void, or so large a share of them."""


class VoidStalls:
    """The plugin: one in each process that runs tests, and one in the process that prints."""

    def __init__(self, *, again: bool = False) -> None:
        """Nothing is watched before the first test; `again`: void what a stall explains."""
        self.stalls: Stalls | None = None
        self._again, self._began = again, 0.0
        self._excuses: list[Stall | None] = []
        """Of each phase of the test that failed, the stall that explains it."""
        self._void: dict[str, list[str]] = {}
        self._passed: dict[str, bool] = {}
        """By test, whether it passed; of those with a stall alone in `_stalled`."""
        self._stalled: set[str] = set()

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
        """Run a test; once more, with all of its fixtures made again, where a stall explains its failure."""
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        began, void = time.monotonic(), ""
        reports = self._run(item, nextitem)
        exact = item.get_closest_marker("virtual_time") is not None
        if self._again and not exact and self._excuses and all(self._excuses):
            void = "\n".join(_whole(report) for report in reports if report.failed) + _begin_again(item)
            reports = self._run(item, nextitem)
        stalled = self.stalls is not None and self.stalls.worst(began, time.monotonic(), wait=False) is not None
        for report in reports:
            if report.when == "setup":
                report.user_properties += [("void", void)] * (void != "") + [("stalled", True)] * stalled
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[None]) -> Iterator[None]:
        """Name the worst stall since the test began, and note whether one explains this failure."""
        report = yield
        if report.failed and self.stalls is not None:
            now = time.monotonic()
            if (worst := self.stalls.worst(self._began, now)) is not None:
                ago_s = max(now - worst.end, 0.0)
                told = f"the machine stood still for {worst.lost_s:.2f} s, until {ago_s:.1f} s before this"
                report.sections.append(("Stall", told))
            near = self.stalls.worst(now - min(call.duration, NEAR_S), now)
            excuses = near is not None and near.shown and call.excinfo is not None
            self._excuses.append(near if excuses and may_be_void(call.excinfo.value) else None)
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what was void and who saw a stall, also of other processes that run tests."""
        told = dict(report.user_properties) if report.when == "setup" else {}
        if "void" in told:
            self._void.setdefault(report.nodeid, []).append(str(told["void"]))
        if "stalled" in told:
            self._stalled.add(report.nodeid)
        self._passed[report.nodeid] = self._passed.get(report.nodeid, True) and not report.failed

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a run in which more was void than chance explains."""
        if self._too_many and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print every void failure in full, and how much a stall says."""
        if not self._again:
            return
        out = terminalreporter
        for test, reports in self._void.items():
            out.section(f"void, since the machine stood still: {test}", sep="-")
            for one in reports:
                out.write_line(one)
        out.section("stalls", sep="-")
        seen = self._stalled
        failed = {test for test, passed in self._passed.items() if not passed} | self._void.keys()
        out.write_line(
            f"seen in {len(seen)} of {len(self._passed)} tests: {len(seen - failed)} of these passed, "
            f"{len(seen & failed)} failed or were void; {len(failed - seen)} failed without one"
        )
        if self._too_many:
            out.write_line(f"{len(self._void)} tests were void, which is too many: the run has failed")

    @property
    def _too_many(self) -> bool:
        return len(self._void) > max(MOST_VOID, MOST_SHARE * len(self._passed))

    def _run(self, item: pytest.Item, nextitem: pytest.Item | None) -> list[pytest.TestReport]:
        self._began, self._excuses = time.monotonic(), []
        return runtestprotocol(item, nextitem=nextitem, log=False)


def may_be_void(error: BaseException) -> bool:
    """Return whether a failure may be void at all: not that of a promise, nor that of a test that hangs."""
    waiting, seen = [error], set[int]()
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, Unsafe) or (isinstance(one, pytest.fail.Exception) and str(one).startswith("Timeout")):
            return False
        waiting += [cause for cause in (one.__cause__, one.__context__) if cause is not None]
        if isinstance(one, BaseExceptionGroup):
            waiting += one.exceptions
    return True


def _whole(report: pytest.TestReport) -> str:
    """Return all that a report says."""
    return "\n".join(
        [f"in {report.when}:", report.longreprtext, *(f"{name}:\n{text}" for name, text in report.sections)]
    )


def _begin_again(item: pytest.Item) -> str:
    """Take down everything that the test stood on, since a stall may have stopped robots; return what went wrong."""
    hooks, settings = item.config.pluginmanager.hook, pytest_timeout._get_item_settings(item)
    hooks.pytest_timeout_cancel_timer(item=item)
    told = ""
    try:
        item.session._setupstate.teardown_exact(None)
    except Exception:
        # What cannot be taken down may be broken by the stall as well; the next attempt will tell.
        told = f"\nwhen it was taken down:\n{traceback.format_exc()}"
    assert isinstance(item, pytest.Function)
    item._initrequest()
    if settings.timeout:
        hooks.pytest_timeout_set_timer(item=item, settings=settings)
    return told
