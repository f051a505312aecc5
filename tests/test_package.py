"""What `import openpendant as op` offers."""

import subprocess
import sys
from pathlib import Path

import pytest

import openpendant as op
from openpendant.errors import CellFileError


def test_the_package_is_light_until_it_is_used() -> None:
    code = "import sys, openpendant as op; print('numpy' in sys.modules); op.load; print('numpy' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["False", "True"]


def test_the_package_refuses_unknown_names() -> None:
    with pytest.raises(AttributeError, match="no attribute 'lod'"):
        _ = op.lod
    assert set(op.__all__) <= set(dir(op))


@pytest.mark.parametrize("name", op.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(op, name) is not None


def test_a_program_is_checked_and_exported_by_one_import(tmp_path: Path) -> None:
    project = op.open_project("pick_and_place")
    program = project.program("sort_cubes").program
    assert op.check_program(project.cell, program).clear
    (text,) = op.export_as("rapid", project.cell, program)
    assert text.text.startswith("MODULE")
    with pytest.raises(CellFileError, match="no_such_cell"):
        op.open_project(tmp_path / "no_such_cell")
