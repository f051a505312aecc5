"""Every room's door tells exactly what is behind it."""

import importlib
import pkgutil
from types import ModuleType

import pytest

import openpendant


def rooms() -> list[str]:
    return [m.name for m in pkgutil.walk_packages(openpendant.__path__, "openpendant.") if m.ispkg]


@pytest.mark.parametrize("name", rooms())
def test_the_door_lists_its_namespace(name: str):
    room = importlib.import_module(name)
    assert room.__doc__, f"{name} has no docstring"
    listed = getattr(room, "__all__", [])
    public = {n for n, v in vars(room).items() if not n.startswith("_") and not isinstance(v, ModuleType)}
    assert set(listed) == public


def test_there_are_rooms():
    assert {"openpendant.kinematics", "openpendant.robots", "openpendant.server"} <= set(rooms())
