"""Where things of the user are kept: imported robots, and files that can be made again."""

import os
from pathlib import Path

import platformdirs

__all__ = ["cache_folder", "user_robots_folder"]

HOME = "OPENPENDANT_HOME"
"""Environment variable: one folder for everything, instead of the places usual on this system."""


def user_robots_folder() -> Path:
    """Return the folder with one folder for each imported robot; it need not exist."""
    home = os.environ.get(HOME)
    return (Path(home) / "data" if home else Path(platformdirs.user_data_dir("openpendant"))) / "robots"


def cache_folder() -> Path:
    """Return the folder for what can be made again at any time; it need not exist."""
    home = os.environ.get(HOME)
    return Path(home) / "cache" if home else Path(platformdirs.user_cache_dir("openpendant"))
