"""What people are told has a code: each is used with the values that its English has places for."""

import ast
import string
from pathlib import Path

import pytest

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


def speaks(tree: ast.Module) -> bool:
    """Return whether a module says anything; others have functions of their own with that name."""
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return any(
        one.module in ("openpendant.said", "said") and "say" in [name.name for name in one.names] for one in imports
    )


def trees() -> list[tuple[str, ast.Module]]:
    found = [path for path in sorted(SOURCES.rglob("*.py")) if path.parent != SOURCES / "said" / "texts"]
    return [(path.relative_to(SOURCES).as_posix(), ast.parse(path.read_text())) for path in found]


def codes_of(node: ast.expr, local: dict[str, ast.expr]) -> list[str] | None:
    """Return the codes that an expression may be; None: they are chosen elsewhere."""
    if isinstance(node, ast.Constant):
        return [str(node.value)]
    if isinstance(node, ast.IfExp):
        both = (codes_of(node.body, local), codes_of(node.orelse, local))
        return None if None in both else [code for one in both for code in one or ()]
    return codes_of(local[node.id], local) if isinstance(node, ast.Name) and node.id in local else None


def calls() -> list[tuple[str, ast.Call, list[str] | None]]:
    found: list[tuple[str, ast.Call, list[str] | None]] = []
    for path, tree in trees():
        for function in ast.walk(tree) if speaks(tree) else ():
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module):
                continue
            own = [node for node in ast.walk(function) if isinstance(node, ast.Assign)]
            local = {one.targets[0].id: one.value for one in own if isinstance(one.targets[0], ast.Name)}
            for node in ast.walk(function):
                said = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say"
                if said and (not isinstance(function, ast.Module) or node in top_level(tree)):
                    assert isinstance(node, ast.Call)
                    found.append((f"{path}:{node.lineno}", node, codes_of(node.args[0], local)))
    return found


def top_level(tree: ast.Module) -> list[ast.AST]:
    inside = {id(node) for one in ast.walk(tree) if isinstance(one, ast.FunctionDef) for node in ast.walk(one)}
    return [node for node in ast.walk(tree) if id(node) not in inside]


CALLS = calls()


def test_many_sentences_have_a_code() -> None:
    assert len(CALLS) > 150


@pytest.mark.parametrize(("where", "call", "codes"), CALLS, ids=[where for where, _, _ in CALLS])
def test_a_sentence_is_given_the_values_that_its_text_has_places_for(
    where: str, call: ast.Call, codes: list[str] | None
) -> None:
    named = {keyword.arg for keyword in call.keywords if keyword.arg is not None}
    several = any(keyword.arg is None for keyword in call.keywords)
    if codes is None:
        given = BY_NAME.get((where.split(":")[0], ast.unparse(call.args[0])))
        assert given == named, f"{where}: which codes can this be?"
        return
    for code in codes:
        assert code in TEXTS, f"{where}: no text for {code}"
        wanted = places(TEXTS[code])
        assert named <= wanted if several else named == wanted, f"{where}: {code} has places {sorted(wanted)}"


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
