"""Every room's door tells exactly what is behind it, and no two rooms call a class the same."""

import ast
import importlib
import pkgutil
import re
from collections import defaultdict
from pathlib import Path
from types import ModuleType

import pytest

import openpendant

SOURCE = Path(openpendant.__file__).parent


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


def test_a_class_name_exists_once():
    """Private ones too: who reads a name in an error, a log or a question knows which class is meant."""
    modules: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                modules[node.name].append(str(path.relative_to(SOURCE)))
    assert {name: found for name, found in modules.items() if len(found) > 1} == {}


def test_no_module_is_named_by_a_verb():
    """A module has the name of what a reader imports from it. Nouns that end in -ing are allowed by name."""
    paths = (path for path in SOURCE.rglob("*") if path.suffix == ".py" or (path / "__init__.py").exists())
    ending = {path.stem for path in paths if path.stem.endswith("ing")}
    assert (
        ending - {"greeting", "mapping", "hand_mapping", "pairing", "testing", "timing", "tracking", "twist_mapping"}
        == set()
    )


def test_only_doors_list_their_names():
    listing = re.compile(r"^__all__\b", re.MULTILINE)
    listed = {path for path in SOURCE.rglob("*.py") if listing.search(path.read_text())}
    assert {path.name for path in listed} == {"__init__.py"}
