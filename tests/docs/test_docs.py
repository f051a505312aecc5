"""The documentation works by copy and paste: links lead somewhere, and what it shows can be run."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from warm_interpreter import WarmInterpreter

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)|<img[^>]+src=\"([^\"]+)\"")


def blocks(language: str) -> list[tuple[str, str]]:
    return [
        (f"{page.relative_to(ROOT)}:{page.read_text()[: match.start()].count(chr(10)) + 1}", match[2])
        for page in PAGES
        for match in FENCE.finditer(page.read_text())
        if match[1] == language
    ]


def commands() -> dict[str, list[str]]:
    """Return the `openpendant …` lines of shell blocks, but for those that need a server or the user's files.

    Several pages may show the same words; without a comment behind them.
    """
    found: dict[str, list[str]] = {}
    for _, text in blocks("sh"):
        for line in text.splitlines():
            if re.match(
                r"openpendant (?!serve|pair|virtual|pendant|jog|teleop|lint|robots import|robots remove)\w", line
            ):
                words = shlex.split(line, comments=True)
                found[shlex.join(words)] = words
    return found


@pytest.fixture(scope="module")
def interpreter() -> Iterator[WarmInterpreter]:
    made = WarmInterpreter()
    yield made
    made.close()


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path):
    for match in LINK.finditer(page.read_text()):
        target = (match[1] or match[2]).split("#")[0]
        if target and not target.startswith(("http://", "https://", "mailto:")):
            assert (page.parent / target).exists(), f"{page.name} points to {target}, which is not there"


@pytest.mark.parametrize("text", [b[1] for b in blocks("python")], ids=[b[0] for b in blocks("python")])
def test_python_blocks_run(interpreter: WarmInterpreter, text: str, tmp_path: Path):
    done = interpreter.run_text(text, tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("words", commands().values(), ids=commands())
def test_commands_run(interpreter: WarmInterpreter, words: list[str], tmp_path: Path):
    done = interpreter.run_module(words, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_make_targets_named_in_the_pages_exist():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {name for page in PAGES for name in re.findall(r"^make ([a-z-]+)", page.read_text(), re.MULTILINE)}
    assert named
    assert named <= targets


def test_tests_that_the_pages_name_exist():
    """Written as `tests/room/test_file.py::test_name`, or `::test_name` for another one of the same file."""
    named: list[tuple[str, str]] = []
    for page in PAGES:
        file = ""
        for found, name in re.findall(r"`(tests/[\w/]+\.py)?::(\w+)`", page.read_text()):
            file = found or file
            named.append((file, name))
    assert len(named) > 20
    for file, name in named:
        assert f"def {name}(" in (ROOT / file).read_text(), f"{file} has no {name}"
