"""The toy maker as a user has it: a package on Python's path with entry points, and a robot in the user's catalogue."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from live_folder import mark_folder
from openpendant.plugins import load_plugins

PLUGIN = Path(__file__).parent / "plugin"

pytest_collection_modifyitems = mark_folder(__file__)


@pytest.fixture(scope="module", autouse=True)
def crane_package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Install the package for this process and those that it starts; return the home with its robot."""
    home = tmp_path_factory.mktemp("crane") / "home"
    shutil.copytree(PLUGIN / "toy_crane" / "robot", home / "data" / "robots")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENPENDANT_HOME", str(home))
        patch.setenv("PYTHONPATH", os.pathsep.join([str(PLUGIN), *filter(None, [os.environ.get("PYTHONPATH")])]))
        patch.syspath_prepend(str(PLUGIN))
        load_plugins.cache_clear()
        yield home
    load_plugins.cache_clear()
    for name in [one for one in sys.modules if one.partition(".")[0] == "toy_crane"]:
        del sys.modules[name]
