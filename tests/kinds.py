"""Kinds: which tests need time. `--kind` runs those of one kind, and imports no file that holds none of it.

    live        robots in real time (marker `live`): they run apart from tests that load the machine
    timeless    they calculate, or count ticks (marker `timeless`): they may be held up for any time
    other       all others

Which kinds a file may hold is told by its place and its text, before it is imported: importing all files takes longer
than many tests do. Each test that is collected is held to it, and each file is collected for some kind.
"""

import re
from pathlib import Path

import pytest

from live_folder import FOLDERS

KINDS = ("live", "timeless", "other")
TESTS = Path(__file__).parent
TIMELESS = {
    "dialects",
    "documents",
    "gate",
    "kinematics",
    "messages",
    "motion",
    "programs",
    "projects",
    "protocols",
    "robots",
    "said",
    "scene",
    "servo",
    "shapes",
    "spatial",
}
"""Rooms that calculate."""
HURRIED = {"dialects/urscript/test_control_script.py"}
"""Not this one: it gets the script from ur_rtde, which loses its patience."""
ALL_LIVE = re.compile(r"^pytestmark\b.*\bmark\.live\b", re.MULTILINE)


class Kinds:
    """The plugin."""

    def __init__(self, wanted: str | None) -> None:
        """Take the kind that is wanted; None: all."""
        self._wanted = wanted

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Leave a file out before anything of it is imported."""
        if self._wanted is None or not collection_path.name.startswith("test_") or collection_path.is_dir():
            return None
        return None if self._wanted in kinds_of(collection_path) else True

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Mark what knows no clock, and keep what is wanted. Folders have marked their tests before."""
        for item in items:
            if is_timeless(item):
                item.add_marker(pytest.mark.timeless)
            if kind_of(item) not in kinds_of(item.path):
                raise pytest.UsageError(f"{item.nodeid} is {kind_of(item)}, which tests/kinds.py does not see")
        if self._wanted is not None:
            config.hook.pytest_deselected(items=[one for one in items if kind_of(one) != self._wanted])
            items[:] = [one for one in items if kind_of(one) == self._wanted]


def is_timeless(item: pytest.Item) -> bool:
    """Return whether a test may be held up for any time."""
    place = item.path.relative_to(TESTS)
    return (place.parts[0] in TIMELESS and place.as_posix() not in HURRIED) or has(item, "virtual_time")


def kind_of(item: pytest.Item) -> str:
    """Return the kind of a test."""
    return "timeless" if has(item, "timeless") else "live" if has(item, "live") else "other"


def has(item: pytest.Item, marker: str) -> bool:
    """Return whether a test has a marker."""
    return item.get_closest_marker(marker) is not None


def kinds_of(path: Path) -> set[str]:
    """Return the kinds of which a file may hold tests."""
    place = path.relative_to(TESTS)
    if place.parts[0] in TIMELESS and place.as_posix() not in HURRIED:
        return {"timeless"}
    folder = next((one for one in FOLDERS if path.is_relative_to(one)), None)
    if folder is not None and path.relative_to(folder).with_suffix("").as_posix() in FOLDERS[folder]:
        return {"timeless"}
    text = path.read_text()
    kinds = {"live"} if folder is not None or ALL_LIVE.search(text) else {"other"}
    kinds |= {"live"} if "mark.live" in text else set()
    return kinds | ({"timeless"} if "virtual_time" in text or "mark.timeless" in text else set())
