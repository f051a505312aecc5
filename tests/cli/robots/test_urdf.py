"""`openpendant robots urdf`."""

from pathlib import Path

import pytest
from verbs import said

pytestmark = pytest.mark.usefixtures("wide")


def test_urdf(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = said(capsys, "robots", "urdf", "irb120", "--no-visuals")
    assert text.startswith("<?xml")
    assert '<robot name="irb120"' in text
    assert "<visual" not in text
    file = tmp_path / "arm.urdf"
    assert said(capsys, "robots", "urdf", "irb120", "--no-visuals", "-o", str(file)) == f"wrote {file}\n"
    assert file.read_text() == text
