"""Each module of kernels says where its mathematics comes from, read from the source so that no kernel is compiled."""

import ast
import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "openpendant"

ORIGIN = re.compile(r"^(Source|Derivation): \S", re.MULTILINE)
PUBLISHED = re.compile(r"\b(19|20)\d\d\b")


def has_kernels(module: ast.Module) -> bool:
    functions = (node for node in module.body if isinstance(node, ast.FunctionDef))
    return any(
        isinstance(one, ast.Name) and one.id in ("jit", "inlined")
        for function in functions
        for one in function.decorator_list
    )


MODULES = sorted(
    path.relative_to(SOURCE).as_posix()
    for path in SOURCE.glob("**/kernels/*.py")
    if has_kernels(ast.parse(path.read_text(encoding="utf-8")))
)


def test_the_rooms_with_kernels_are_found():
    assert {name.split("/kernels/")[0] for name in MODULES} == {
        path.parent.parent.relative_to(SOURCE).as_posix() for path in SOURCE.glob("**/kernels/compile.py")
    }


@pytest.mark.parametrize("name", MODULES)
def test_it_names_a_source_or_a_derivation(name: str):
    told = ast.get_docstring(ast.parse((SOURCE / name).read_text(encoding="utf-8"))) or ""
    origin = next((part for part in told.split("\n\n") if ORIGIN.match(part)), "")
    assert origin, f"{name}: no line `Source: …` or `Derivation: …` in its docstring"
    assert not origin.startswith("Source") or PUBLISHED.search(origin), f"{name}: a source has a year"
