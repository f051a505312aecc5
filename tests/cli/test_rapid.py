"""`openpendant rapid`: the modules that come with the package, listed, copied, and free of faults."""

import json
from pathlib import Path

import pytest

from openpendant.cli import main
from openpendant.dialects.rapid import check_texts, parse_module, write_module
from openpendant.rapid_modules import RAPID_SETS, rapid_set


def test_sets_are_listed(capsys: pytest.CaptureFixture[str]):
    assert main(["rapid", "list"]) == 0
    shown = capsys.readouterr().out
    assert "vr_arm: " in shown
    assert "  VrArmServer.mod into T_VR_SERVER, in the background\n" in shown
    assert "  signals: pinzaOutput0 (DO), pinzaOutput1 (DO)\n" in shown
    assert "  MotionProgramGuided.mod into T_ROB1, with option 689-1 Externally Guided Motion\n" in shown
    assert main(["rapid", "list", "--json"]) == 0
    assert [one["name"] for one in json.loads(capsys.readouterr().out)] == [one.name for one in RAPID_SETS]


@pytest.mark.parametrize("name", [one.name for one in RAPID_SETS])
def test_a_set_is_written_and_has_no_faults(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str):
    folder = tmp_path / "to" / "copy"
    assert main(["rapid", "write", name, str(folder)]) == 0
    paths = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert {path.name for path in paths} == {file.path.name for file in rapid_set(name).files}
    for file in rapid_set(name).files:
        text = (folder / file.path.name).read_text()
        assert text == file.text
        together = {one.path.name: one.text for one in rapid_set(name).files if one.task == file.task}
        assert check_texts(together) == []
        # A real controller's editor takes 7-bit text and lines of a limited length.
        assert text.isascii()
        assert max(map(len, text.splitlines())) <= 140
        module = parse_module(text)
        assert parse_module(write_module(module)) == module


def test_what_cannot_be_written_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    assert main(["rapid", "write", "vr_armm", str(tmp_path)]) == 2
    assert "vr_arm" in capsys.readouterr().err
    file = tmp_path / "file"
    file.write_text("")
    assert main(["rapid", "write", "vr_arm", str(file)]) == 2
    assert str(file) in capsys.readouterr().err
