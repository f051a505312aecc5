"""What people are told has a code: each is used with the values that its English has places for."""

import ast
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from openpendant.said import TEXTS

SOURCES = Path(__file__).parents[2] / "src" / "openpendant"
BY_NAME = {
    ("documents/history.py", "refusal"): {"edit", "why"},
    ("runtime/remote_port.py", "ENDED[outcome]"): {"robot", "why"},
    ("runtime/program_run.py", "done"): set[str](),
    ("said/words.py", "codes[word]"): set[str](),
}
"""Calls of `say` whose code is chosen elsewhere, with the values that they give."""


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@cache
def trees() -> list[tuple[str, ast.Module]]:
    """Return the modules that may say something, once for all tests: parsing them takes seconds."""
    found = [path for path in sorted(SOURCES.rglob("*.py")) if path.parent != SOURCES / "said" / "texts"]
    return [(path.relative_to(SOURCES).as_posix(), ast.parse(path.read_text())) for path in found]


def speaks(tree: ast.Module) -> bool:
    """Return whether a module says anything; others have functions of their own with that name."""
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return any(
        one.module in ("openpendant.said", "said") and "say" in [name.name for name in one.names] for one in imports
    )


def codes_of(node: ast.expr, local: dict[str, ast.expr]) -> list[str] | None:
    """Return the codes that an expression may be; None: they are chosen elsewhere."""
    if isinstance(node, ast.Constant):
        return [str(node.value)]
    if isinstance(node, ast.IfExp):
        both = (codes_of(node.body, local), codes_of(node.orelse, local))
        return None if None in both else [code for one in both for code in one or ()]
    return codes_of(local[node.id], local) if isinstance(node, ast.Name) and node.id in local else None


def calls_in(tree: ast.Module) -> Iterator[tuple[ast.Call, list[str] | None]]:
    """Yield each call of `say` with its codes; in nested functions, those that any function around it can name."""
    for top in (tree, *(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))):
        own = list(own_nodes(top))
        local: dict[str, ast.expr] = {}
        for node in ast.walk(top) if not isinstance(top, ast.Module) else own:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                local[node.targets[0].id] = node.value
        for node in own:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say":
                yield node, codes_of(node.args[0], local)


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Yield what is in a function or module, but not what is in functions inside."""
    for child in ast.iter_child_nodes(function):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield child
            yield from own_nodes(child)


@cache
def calls() -> list[tuple[str, ast.Call, list[str] | None]]:
    """Return where each is, the call, and its codes."""
    return [
        (f"{path}:{one.lineno}", one, codes) for path, tree in trees() if speaks(tree) for one, codes in calls_in(tree)
    ]


def test_many_sentences_have_a_code() -> None:
    assert len(calls()) > 150


def complaint(where: str, call: ast.Call, codes: list[str] | None) -> str:
    """Return what is wrong with the values that a sentence is given; "": nothing is."""
    named = {keyword.arg for keyword in call.keywords if keyword.arg is not None}
    several = any(keyword.arg is None for keyword in call.keywords)
    if codes is None:
        given = BY_NAME.get((where.split(":")[0], ast.unparse(call.args[0])))
        return "" if given == named else f"{where}: which codes can this be?"
    for code in codes:
        if code not in TEXTS:
            return f"{where}: no text for {code}"
        wanted = places(TEXTS[code])
        if not (named <= wanted if several else named == wanted):
            return f"{where}: {code} has places {sorted(wanted)}"
    return ""


def test_a_sentence_is_given_the_values_that_its_text_has_places_for() -> None:
    complaints = [why for one in calls() if (why := complaint(*one))]
    assert complaints == []


def test_every_code_is_used() -> None:
    written = {
        node.value
        for _, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert sorted(set(TEXTS) - written) == []


def test_units_of_numbers_are_in_their_names() -> None:
    units = ("_s", "_ms", "_m", "_mm", "_mm_s", "_rad", "_deg", "_percent", "_kg")
    wrong = [
        f"{code}: {name}"
        for code, text in TEXTS.items()
        for _, name, form, _ in string.Formatter().parse(text)
        if name and form and not name.endswith(units)
    ]
    assert wrong == []
