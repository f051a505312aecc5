"""mark_folder: the tests of a folder run robots in real time (marker `live`), but for some (`virtual_time` too)."""

from collections.abc import Callable, Collection
from pathlib import Path

import pytest

FOLDERS: dict[Path, Collection[str]] = {}
"""Folders of tests that run robots in real time, with their files in virtual time."""


def mark_folder(conftest: str, virtual_time: Collection[str] = ()) -> Callable[[list[pytest.Item]], None]:
    """Return the hook for a folder's `conftest.py` that marks its tests.

    Args:
        conftest: Its `__file__`.
        virtual_time: Files under the folder, without `.py` (as "ur/test_modes"), whose tests
            count ticks: no stall of the machine explains a failure there.

    The hook gets the tests of all folders, and must come before `-m` selects.
    """
    folder = Path(conftest).parent
    FOLDERS[folder] = virtual_time
    unknown = {name for name in virtual_time if not (folder / f"{name}.py").exists()}
    assert not unknown, f"{conftest} names files that are not there: {sorted(unknown)}"

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
        for item in items:
            if item.path.is_relative_to(folder):
                item.add_marker(pytest.mark.live)
                if item.path.relative_to(folder).with_suffix("").as_posix() in virtual_time:
                    item.add_marker(pytest.mark.virtual_time)

    return pytest_collection_modifyitems
