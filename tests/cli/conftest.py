"""What the tests of the command line share."""

from pathlib import Path

import pytest


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No line is broken, nothing of the user's own is touched."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("OPENPENDANT_HOME", str(tmp_path))
