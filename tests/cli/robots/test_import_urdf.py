"""`openpendant robots import`: a robot is imported, shown, solved for and removed."""

from pathlib import Path

import pytest
from verbs import complained, said

from openpendant.cli import main

pytestmark = pytest.mark.usefixtures("wide")


def test_import_show_solve_and_remove(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "arm.urdf"
    assert main(["robots", "urdf", "ur3e", "--no-visuals", "-o", str(file)]) == 0
    capsys.readouterr()
    assert "imported mine" in said(capsys, "robots", "import", str(file), "--name", "mine")
    assert "(imported)" in said(capsys, "robots")
    assert "mine" in said(capsys, "robots", "show", "mine")
    assert "mine" in complained(capsys, "robots", "import", str(file), "--name", "mine")
    assert "imported mine" in said(capsys, "robots", "import", str(file), "--name", "mine", "--replace")
    assert said(capsys, "robots", "remove", "mine") == "removed mine\n"
    assert "no robot named 'mine'" in complained(capsys, "robots", "show", "mine")
