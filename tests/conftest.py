"""What all tests share."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from awake import KeepAwake
from changed import Changed, changed_since_main
from kinds import KINDS, Kinds
from longest_first import LongestFirst
from void_stalls import VoidStalls

# How long an example takes says nothing on a busy machine; pytest-timeout ends what hangs.
settings.register_profile("openpendant", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("openpendant")

SHARED_CACHE = Path(__file__).resolve().parents[1] / ".pytest_cache" / "openpendant"


def pytest_addoption(parser: pytest.Parser) -> None:
    """For tests of robots in real time, and for work in between."""
    add = parser.addoption
    add("--changed", action="store_true", help="only tests that a change since main can reach")
    add("--void-stalls", action="store_true", help="void a failure that a stall of the host explains")
    add("--kind", choices=KINDS, help="only live, timeless or other tests; tests/kinds.py says which these are")
    add("--keep-awake", action="store_true", help="keep the processors from sleeping")


def pytest_configure(config: pytest.Config) -> None:
    """Name in each failure how long the machine stood still meanwhile; hand out long files first."""
    config.pluginmanager.register(VoidStalls(again=bool(config.getoption("--void-stalls"))), "void-stalls")
    if config.getoption("--keep-awake") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(KeepAwake(), "keep-awake")
    config.pluginmanager.register(Kinds(config.getoption("--kind")), "kinds")
    config.pluginmanager.register(LongestFirst(), "longest-first")
    if config.getoption("--changed"):
        config.pluginmanager.register(Changed(changed_since_main()), "changed")


@pytest.fixture(scope="session", autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A home for the whole run, so that no test sees the user's robots, and a cache for all runs.

    What is in the cache is named by what it is made from, so that workers, runs and tests with homes of their own share
    it. A test of making something has a cache of its own as well.
    """
    base = tmp_path_factory.getbasetemp()
    home = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "home"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENPENDANT_HOME", str(home))
        if not os.environ.get("OPENPENDANT_CACHE"):
            patch.setenv("OPENPENDANT_CACHE", str(SHARED_CACHE))
        yield


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache for one test, so that it sees things made."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("OPENPENDANT_CACHE", str(folder))
    return folder


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes too long for every run may take hours, unless it says less."""
    for item in items:
        if item.get_closest_marker("soak") is not None and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(4 * 3600))
