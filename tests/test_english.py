"""The English that people read: texts by code and of the page, docs, help of the command line, errors, docstrings.

The phrases are literal translations or private idioms that an engineer stumbles over.
"""

import ast
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from openpendant.said import TEXTS

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "openpendant"
PAGE = ROOT / "web" / "src" / "state" / "texts" / "en"
DOCS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')

INSTEAD = {
    r"\ballowed (?:is|are)\b": "'; allowed: 0 to 1', or 'use 0 to 1'",
    r"(?<!there )(?<!There )\bis no (?!longer\b|more\b|\w+er\b)\w+": "'invalid speed 'x': use …'",
    r"\bwritten (?:is|are)\b": "'use …'",
    r"\banew\b": "'again', 'restart'",
    r"\bso often\b": "'number of times'",
    r"\b(?:is|are|was|were) told\b": "'is reported', 'is sent', 'is commanded'",
    r"\bwhere there is (?:one|none)\b": "'if it has one', 'if available'",
    r"\bbro(?:ke|ken) off\b": "'was lost', 'was interrupted'",
    r"\bgoes on\b": "'continues', 'resumes'",
    r"\bas long as (?:it|you|the)\b": "'while'",
    r"\bnothing (?:is|was) heard\b|\bwas heard of\b": "'nothing received from'",
    r"\bin words\b": "nothing, or 'with a message'",
    r"\bfor good\b": "'permanently'",
    r"\bcannot be (?:made|had)\b": "'cannot be executed', 'is not possible'",
    r"\bcan be had\b": "'is available', 'can be reached'",
    r"\bruns already\b": "'is already running'",
    r"\b(?:met|made) an error of its own\b": "'internal error'",
}
"""What is not said, as regular expressions, with what to say in its place."""
IN_SOURCES = {
    r"\bnobody\b": "'none', 'no holder', 'without …'",
    r"\b(?:is|are|was|were|not) heard\b|\bheard of\b": "'received', 'reported', 'present'",
    r"\b[Hh]ear\b": "'receive', 'note', 'obey'",
    r"\btold\b": "'sent', 'reported', 'distinguished'",
    r"\bgo on\b": "'continue', 'resume'",
    r"\bso (?:many|long)\b": "'a number of', 'this long'",
    r"\ball the same\b": "'anyway', 'too'",
    r"\bgets? on\b": "'makes progress'",
    r"\b(?:can|could) be had\b": "'is available'",
}
"""What docstrings and comments do not say either."""
NOT_OURS = {ROOT / "docs" / "design" / "rooms.md"}


def strings(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the plain and formatted strings inside a node, values of the formatted ones left out."""
    inside: set[int] = set()
    for one in ast.walk(node):
        if isinstance(one, ast.JoinedStr):
            inside |= {id(part) for part in ast.walk(one)} - {id(one)}
            yield one.lineno, "".join(p.value if isinstance(p, ast.Constant) else "…" for p in one.values)  # type: ignore[misc]
        elif isinstance(one, ast.Constant) and isinstance(one.value, str) and id(one) not in inside:
            yield one.lineno, one.value


def raised() -> Iterator[tuple[str, str]]:
    """Yield the strings in raise statements of the package, and those that a command line prints or shows as help."""
    for path in sorted(SOURCE.rglob("*.py")):
        in_cli = path.is_relative_to(SOURCE / "cli")
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Raise) or (in_cli and isinstance(node, ast.Call)):
                for line, text in strings(node):
                    yield f"{path.relative_to(ROOT)}:{line}", text


def explained() -> Iterator[tuple[str, str]]:
    """Yield the lines of docstrings, of strings under names and of comments."""
    for path in sorted(SOURCE.rglob("*.py")):
        if path.parent.name == "kernels" or path.is_relative_to(SOURCE / "controllers" / "ur"):
            continue
        where = path.relative_to(ROOT)
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                for number, line in enumerate(node.value.value.splitlines(), node.lineno):
                    yield f"{where}:{number}", line
        with path.open("rb") as file:
            for token in tokenize.tokenize(file.readline):
                if token.type == tokenize.COMMENT:
                    yield f"{where}:{token.start[0]}", token.string


def said() -> Iterator[tuple[str, str]]:
    yield from TEXTS.items()


def page() -> Iterator[tuple[str, str]]:
    for path in sorted(PAGE.glob("*.ts")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for text in STRING.findall(line):
                yield f"{path.name}:{number}", text


def docs() -> Iterator[tuple[str, str]]:
    for path in DOCS:
        if path not in NOT_OURS:
            # Blocks of code keep their lines, so that the line of what is found is right.
            text = CODE.sub(lambda found: "\n" * found[0].count("\n"), path.read_text())
            yield from (
                (f"{path.relative_to(ROOT)}:{number}", line) for number, line in enumerate(text.splitlines(), 1)
            )


def wrong(texts: Iterator[tuple[str, str]], phrases: dict[str, str] = INSTEAD) -> list[str]:
    """Return where one of the phrases stands, with what to say."""
    found: list[str] = []
    for where, text in texts:
        for phrase, instead in phrases.items():
            hit = re.search(phrase, text, re.IGNORECASE)
            if hit:
                found.append(f"{where}: {hit[0]!r}; say {instead}: {text.strip()[:120]}")
    return found


@pytest.mark.parametrize("texts", [said, page, docs, raised], ids=lambda one: one.__name__)
def test_english_is_that_of_the_field(texts: type[Iterator[tuple[str, str]]]) -> None:
    found = list(texts())
    assert len(found) > 400
    assert wrong(iter(found)) == []


def test_sources_are_explained_in_the_english_of_the_field() -> None:
    found = list(explained())
    assert len(found) > 5000
    assert wrong(iter(found), {**INSTEAD, **IN_SOURCES}) == []


@pytest.mark.parametrize(
    "text",
    [
        "empty: nobody.",
        "nothing is heard of it",
        "Hear a key.",
        "what it was told",
        "Go on after a pause.",
        "so many ticks",
    ],
)
def test_a_phrase_that_sources_do_not_say_is_found(text: str) -> None:
    assert wrong(iter([("here", text)]), IN_SOURCES)


@pytest.mark.parametrize(
    "text",
    [
        "speed 2; allowed is 0 to 1",
        "'x' is no speed; use 'v200'",
        "'x'; written are numbers",
        "the process is started anew",
        "Run it so often.",
        "where there is one, it is used",
        "the run goes on",
    ],
)
def test_a_phrase_that_is_not_said_is_found(text: str) -> None:
    assert wrong(iter([("here", text)]))


def test_what_is_said_instead_is_not_found() -> None:
    fine = [
        "invalid speed 'x': use 'v200'",
        "it is no longer connected",
        "allowed: 0 to 1",
        "is not a mesh; supported: .stl",
    ]
    assert wrong((str(number), text) for number, text in enumerate(fine)) == []
