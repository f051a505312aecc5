"""Errors cross between processes with everything they carry, and all of them are drawn in one tree."""

import ast
import pickle
import re
from collections import defaultdict
from pathlib import Path

import pytest

from openpendant import errors
from openpendant.errors import CellFileError, InputError, OpenPendantError, RobotFileError, UnknownNameError


@pytest.mark.parametrize(
    "error",
    [
        InputError("q is nan"),
        UnknownNameError("robot", "irb121", ["irb120", "ur3e"]),
        RobotFileError(Path("arm.urdf"), "link 'a': no mass", line=7),
        CellFileError(Path("cell.json"), "/objects/3", "no such robot"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_pickle(error: OpenPendantError) -> None:
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error)
    assert str(back) == str(error)
    assert vars(back) == vars(error)


SOURCE = Path(errors.__file__).parent
LINE = re.compile(r"    (?:((?:│   |    )*)[├└]── )?(\w+)(?: +([\w, ]+): (\S.*))?")


def drawn() -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return the parent of each error in the drawing, and the rooms that raise it."""
    parents: dict[str, str] = {}
    rooms: dict[str, list[str]] = {}
    above: list[str] = []
    for line in (errors.__doc__ or "").split("\n\n")[1].splitlines():
        found = LINE.fullmatch(line)
        assert found is not None, line
        depth = 0 if found[1] is None else 1 + len(found[1]) // 4
        above = [*above[:depth], found[2]]
        if depth:
            assert found[2] not in parents
            parents[found[2]] = above[depth - 1]
            rooms[found[2]] = found[3].split(", ")
    return parents, rooms


def in_the_sources() -> tuple[dict[str, str], dict[str, set[str]]]:
    """Return the parent of each public error, and the rooms that make one; read, not imported: that takes seconds."""
    bases: dict[str, list[str]] = {}
    makers: defaultdict[str, set[str]] = defaultdict(set)
    for path in SOURCE.rglob("*.py"):
        room = path.relative_to(SOURCE).parts[0]
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                bases[node.name] = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
            elif isinstance(node, ast.Call):
                makers[ast.unparse(node.func).rpartition(".")[2]].add(room)
            elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Name):
                makers[node.exc.id].add(room)
    parents: dict[str, str] = {}
    ours = {"OpenPendantError"}
    while more := {name for name, above in bases.items() if ours & set(above)} - ours:
        parents |= {name: next(base for base in bases[name] if base in ours) for name in more}
        ours |= more
    return {name: above for name, above in parents.items() if not name.startswith("_")}, makers


def test_every_error_is_drawn():
    assert drawn()[0] == in_the_sources()[0]


def test_errors_are_raised_where_the_drawing_says():
    _, rooms = drawn()
    _, makers = in_the_sources()
    for name, listed in rooms.items():
        if listed == ["most rooms"]:
            assert len(makers[name]) > 10, name
        else:
            assert set(listed) == makers[name] - {"errors.py"}, name
