"""`openpendant run` with rounds and from a step: what runs is what was checked."""

from pathlib import Path

import pytest

from openpendant.cli import main
from openpendant.programs.document import write_program
from openpendant.scene import CellDocument
from walled_cell import OVER, OVER_AND_BACK, WALLED


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPENPENDANT_HOME", str(tmp_path / "home"))
    CellDocument(WALLED, tmp_path / "walled").save()
    for program in (OVER, OVER_AND_BACK):
        write_program(tmp_path / "walled", program, WALLED)
    return tmp_path / "walled"


def run(folder: Path, *words: str) -> int:
    return main(("run", str(folder), *words, "--virtual-time"))


def test_rounds_that_would_touch_something_are_not_begun(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, OVER.name) == 0
    capsys.readouterr()
    assert run(folder, OVER.name, "--loops", "2") == 1
    assert "was not run: step 1 fails in round 2: abb/link_4 touches wall" in capsys.readouterr().out
    assert run(folder, OVER_AND_BACK.name, "--loops", "2") == 0
    assert "round 2" in capsys.readouterr().out


def test_a_run_from_a_step_is_checked_from_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # From where the arm stands, the last step alone goes through the wall.
    assert run(folder, OVER.name, "--from", "s4") == 1
    assert "was not run: step 4 fails: " in capsys.readouterr().out
    assert run(folder, OVER.name, "--from", "s2") == 0
