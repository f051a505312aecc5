"""`openpendant lint`: faults of makers' programs with file, line and number."""

import json
from pathlib import Path

import pytest

from openpendant.cli import main

GOOD = "MODULE good\nVAR num shared;\nENDMODULE\n"
BAD = 'MODULE bad\nPROC main()\n  shared := "text";\n  MoveL p10, v100, fine, tool0;\nENDPROC\nENDMODULE\n'


def test_faults_have_file_line_and_number(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    good, bad = tmp_path / "good.sys", tmp_path / "bad.mod"
    good.write_text(GOOD)
    bad.write_text(BAD)
    assert main(["lint", str(good)]) == 0
    assert capsys.readouterr().out == "1 file: nothing wrong\n"
    assert main(["lint", str(good), str(bad)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        f"{bad}:3:13: 40203 Type error: expected num, found string",
        f"{bad}:4:9: 40166 Reference error: unknown data p10",
    ]
    assert main(["lint", "--apart", "--json", str(good), str(bad)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [(one["line"], one["number"]) for one in found] == [(3, 40166), (4, 40166)]


def test_old_files_are_latin_1(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    file = tmp_path / "old.prg"
    file.write_bytes("MODULE old\r\n ! größer\r\nENDMODULE\r\n".encode("latin-1"))
    assert main(["lint", str(file)]) == 0
    assert "nothing wrong" in capsys.readouterr().out


def test_scripts_are_checked_too(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    file = tmp_path / "a.script"
    file.write_text("def a():\n  movej(1, vel=2)\nend\n")
    assert main(["lint", str(file)]) == 1
    assert f"{file}:2:16: movej has no parameter 'vel'" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["a.txt"], ["--language", "basic", "a.mod"], ["nothing.mod"]])
def test_misuse_ends_with_2(capsys: pytest.CaptureFixture[str], words: list[str]):
    assert main(["lint", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1
