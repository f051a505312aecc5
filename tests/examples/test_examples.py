"""Every numbered example runs as a user would run it, and says something."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from warm_interpreter import WarmInterpreter

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("[0-9][0-9]_*.py"))


@pytest.fixture(scope="module")
def interpreter() -> Iterator[WarmInterpreter]:
    made = WarmInterpreter()
    yield made
    made.close()


@pytest.mark.timeout(180)
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_example_runs(interpreter: WarmInterpreter, path: Path, tmp_path: Path):
    done = interpreter.run_file(path, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_the_first_example_runs_in_an_interpreter_of_its_own(tmp_path: Path):
    done = subprocess.run([sys.executable, EXAMPLES[0]], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_what_a_program_gets_wrong_is_seen(interpreter: WarmInterpreter, tmp_path: Path):
    forgotten = interpreter.run_text("import openpendant\nopenpendant.robots.load", tmp_path)
    assert forgotten.returncode == 1
    assert "has no attribute 'robots'" in forgotten.stderr
    assert interpreter.run_text("raise SystemExit(3)", tmp_path).returncode == 3
    said = interpreter.run_text("import atexit\natexit.register(print, 'at last')\nprint('first')", tmp_path)
    assert (said.returncode, said.stdout) == (0, "first\nat last\n")


def test_there_are_examples():
    assert len(EXAMPLES) >= 4
