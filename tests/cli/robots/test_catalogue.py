"""`openpendant robots`: the catalogue, with broken entries in it."""

from pathlib import Path

import pytest
from verbs import complained, said

import openpendant as op

pytestmark = pytest.mark.usefixtures("wide")


def test_the_catalogue(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "robots")
    assert all(name in text for name in op.names())
    assert "7 + 7" in text


def test_a_broken_entry_does_not_hide_the_others(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    broken = tmp_path / "data" / "robots" / "broken"
    broken.mkdir(parents=True)
    (broken / "facts.toml").write_text("format = 1\n")
    text = said(capsys, "robots")
    assert "cannot be used" in text
    assert "ur3e" in text
    assert "facts.toml" in complained(capsys, "robots", "show", "broken")
