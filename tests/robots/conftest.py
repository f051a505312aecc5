"""What the tests of the robots share."""

from pathlib import Path

import pytest


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home of OpenPendant, so that no test sees or touches the user's own robots."""
    monkeypatch.setenv("OPENPENDANT_HOME", str(tmp_path / "home"))
    return tmp_path / "home"
