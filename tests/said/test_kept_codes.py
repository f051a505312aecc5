"""Codes are kept on their way to a page: `str(error)`, and an error in an f-string, leave its English alone."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from openpendant import errors

SOURCES = Path(errors.__file__).parent
ERRORS = {"OpenPendantError", *re.findall(r"── (\w+)", errors.__doc__ or "")}
OWN_WORDS = ("cli", "compat", "dialects", "protocols", "testing", "virtual")
"""Rooms that speak to a terminal, to Python, or as a maker's controller does."""
SINKS = ("log", "sys.exit", "socket.close")
"""Calls that take no code: the server's log, the last line of a process, the reason of a closed socket."""


def lost(tree: ast.Module) -> Iterator[str]:
    """Yield where an error is caught and only its English is used."""
    for handler in ast.walk(tree):
        if not isinstance(handler, ast.ExceptHandler) or handler.name is None or handler.type is None:
            continue
        caught = {getattr(one, "id", getattr(one, "attr", "")) for one in ast.walk(handler.type)}
        if caught & ERRORS:
            inside = {id(part) for call in sinks(handler) for part in ast.walk(call)}
            for node in ast.walk(handler):
                if isinstance(node, ast.expr) and english_of(node) == handler.name and id(node) not in inside:
                    yield f"line {node.lineno}: {ast.unparse(node)}"


def sinks(handler: ast.ExceptHandler) -> Iterator[ast.Call]:
    for node in ast.walk(handler):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called in SINKS or called.split(".")[0] in SINKS:
                yield node


def english_of(node: ast.expr) -> str:
    """Return the name whose English alone a node is; empty: none."""
    match node:
        case ast.Call(func=ast.Name(id="str"), args=[ast.Name(id=name)]):
            return name
        case ast.FormattedValue(value=ast.Name(id=name)):
            return name
        case _:
            return ""


def test_a_caught_error_is_passed_on_with_its_code() -> None:
    found: list[str] = []
    for path in sorted(SOURCES.rglob("*.py")):
        file = path.relative_to(SOURCES)
        if file.parts[0] not in OWN_WORDS:
            found += [f"{file}, {one}" for one in lost(ast.parse(path.read_text()))]
    assert found == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("fail(str(error))", 1),
        ("raise InputError(f'{name}: {error}')", 1),
        ("fail(error.said)", 0),
        ("log.warning('not checked: %s', f'{error}')", 0),
        ("fail(str(name))", 0),
    ],
)
@pytest.mark.parametrize(
    ("kind", "ours"), [("InputError", True), ("(OSError, errors.BusError)", True), ("OSError", False)]
)
def test_what_loses_a_code_is_found(text: str, count: int, kind: str, ours: bool) -> None:
    source = f"try:\n    act()\nexcept {kind} as error:\n    {text}\n"
    assert len(list(lost(ast.parse(source)))) == (count if ours else 0)
