"""The catalogue: the robots that come with OpenPendant, and those of the user."""

import shutil
from functools import lru_cache
from pathlib import Path

from openpendant.errors import InputError, UnknownNameError
from openpendant.said import say
from openpendant.user_folders import user_robots_folder

from .facts_file import read_facts
from .robot import Robot
from .validation import ROBOT_NAME

OWN = Path(__file__).parent
FACTS = "facts.toml"


def names() -> tuple[str, ...]:
    """Return the names of all robots: those that come with OpenPendant first, then the user's, each in order."""
    own = _scan(OWN)
    return (*own, *(name for name in _scan(user_robots_folder()) if name not in own))


def load(name: str) -> Robot:
    """Return a robot of the catalogue; the same object each time while its file does not change.

    Args:
        name: Name in the catalogue, as `names` lists it.

    Raises:
        UnknownNameError: No robot has that name; the nearest names are suggested.
        RobotFileError: Its file is broken; names the field.
    """
    path = _folder_of(name) / FACTS
    stat = path.stat()
    return _load(path, stat.st_mtime_ns, stat.st_size)


def is_built_in(name: str) -> bool:
    """Return True for a robot that comes with OpenPendant.

    Args:
        name: Any name; an unknown one gives False.
    """
    return name in _scan(OWN)


def remove(name: str) -> None:
    """Remove an imported robot from the catalogue, with its files.

    Args:
        name: Name in the catalogue.

    Raises:
        UnknownNameError: No robot has that name.
        InputError: It comes with OpenPendant and stays.
    """
    folder = _folder_of(name)
    if is_built_in(name):
        raise InputError(say("robot.built_in", robot=name))
    shutil.rmtree(folder)


@lru_cache(maxsize=64)
def _load(path: Path, _time: int, _size: int) -> Robot:
    return Robot(read_facts(path), path.parent, imported=path.parent.parent != OWN)


def _folder_of(name: str) -> Path:
    if ROBOT_NAME.fullmatch(name):
        for folder in (OWN / name, user_robots_folder() / name):
            if _has_facts(folder):
                return folder
    raise UnknownNameError("robot", name, names())


def _scan(folder: Path) -> tuple[str, ...]:
    try:
        found = [path.name for path in folder.iterdir() if _has_facts(path)]
    except OSError:
        # Not there yet, or in a home that is not ours to read: no robots then.
        return ()
    return tuple(sorted(name for name in found if ROBOT_NAME.fullmatch(name)))


def _has_facts(folder: Path) -> bool:
    try:
        return (folder / FACTS).is_file()
    except OSError:
        return False
