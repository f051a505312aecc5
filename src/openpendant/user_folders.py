"""Where things of the user are kept: imported robots, and files that can be made again."""

import atexit
import os
import shutil
import tempfile
from functools import lru_cache
from pathlib import Path

import platformdirs

HOME = "OPENPENDANT_HOME"
"""Environment variable: one folder for everything, instead of the places usual on this system."""
CACHE = "OPENPENDANT_CACHE"
"""Environment variable: the folder of the cache. Its files are named by what they are made from: homes can share it."""


def user_robots_folder() -> Path:
    """Return the folder with one folder for each imported robot; it need not exist."""
    return _data_folder() / "robots"


def user_projects_folder() -> Path:
    """Return the folder with one folder for each project; it need not exist."""
    return _data_folder() / "projects"


def user_access_folder() -> Path:
    """Return the folder with who may come in over the network: certificates, sessions, audit log; it need not exist."""
    return _data_folder() / "access"


def _data_folder() -> Path:
    home = os.environ.get(HOME)
    return Path(home) / "data" if home else Path(platformdirs.user_data_dir("openpendant"))


def cache_folder() -> Path:
    """Return a folder that can be written, for what can be made again at any time.

    Where the user's own cannot be written (a container, a service without a home), it is one of this process that
    goes with it.
    """
    own, home = os.environ.get(CACHE), os.environ.get(HOME)
    beside = Path(home) / "cache" if home else Path(platformdirs.user_cache_dir("openpendant"))
    folder = Path(own) if own else beside
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return _own_folder()
    return folder if os.access(folder, os.W_OK | os.X_OK) else _own_folder()


@lru_cache(maxsize=1)
def _own_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="openpendant-"))
    owner = os.getpid()

    def remove() -> None:
        # A process that was forked off leaves it to the one that made it.
        if os.getpid() == owner:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder
