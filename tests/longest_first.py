"""Hands out test files longest first, by durations of an earlier run, so that no worker ends alone.

`OPENPENDANT_DURATIONS=1 make test` writes the durations anew. A file that is not among them comes first.
"""

import json
import os
from collections import defaultdict
from pathlib import Path

import pytest

RECORD = Path(__file__).parent / "durations.json"
"""Seconds by test file."""
TESTS = "OPENPENDANT_TIMES"
"""Environment variable: the file for the seconds of each test (tools/phase.py)."""


class LongestFirst:
    """The plugin: sorts files, and records how long they take where it is asked to."""

    def __init__(self) -> None:
        """Read what is known."""
        self._known = _recorded()
        self._taken: defaultdict[str, float] = defaultdict(float)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Sort by file; tests of one file stay together and in their order."""
        items.sort(key=lambda item: -self._known.get(item.nodeid.partition("::")[0], float("inf")))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up what each test takes, with what is set up and taken down for it."""
        self._taken[report.nodeid] += report.duration

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write it down, in the process that hands out the tests."""
        if hasattr(session.config, "workerinput"):
            return
        if TESTS in os.environ:
            Path(os.environ[TESTS]).write_text(json.dumps(self._taken))
        if os.environ.get("OPENPENDANT_DURATIONS"):
            files: defaultdict[str, float] = defaultdict(float)
            for test, seconds in self._taken.items():
                files[test.partition("::")[0]] += seconds
            # Another phase may have written its own meanwhile.
            newest = _recorded() | {name: round(seconds, 1) for name, seconds in files.items()}
            there = {name: newest[name] for name in sorted(newest) if (session.config.rootpath / name).exists()}
            RECORD.write_text(json.dumps(there, indent=1) + "\n")


def _recorded() -> dict[str, float]:
    return json.loads(RECORD.read_text()) if RECORD.exists() else {}
