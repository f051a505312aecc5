"""Warming runs what a drag runs, for every robot, and tells when it is done."""

import pytest

import openpendant as op
from openpendant.runtime import is_compiled
from openpendant.server.precompiler import Precompiler, compile_for_cells, compile_for_robot
from openpendant.user_folders import user_robots_folder

pytestmark = pytest.mark.live


@pytest.mark.parametrize("name", [*op.names(), "boxes"])
def test_every_robot_can_be_warmed(name: str) -> None:
    compile_for_robot(op.load(name))


def test_a_broken_entry_does_not_keep_it_from_becoming_ready(caplog: pytest.LogCaptureFixture) -> None:
    broken = user_robots_folder() / "broken_too"
    broken.mkdir()
    warmth = Precompiler()
    try:
        (broken / "facts.toml").write_text("format = 1\n")
        thread = warmth.start()
        thread.join(300)
    finally:
        (broken / "facts.toml").unlink()
        broken.rmdir()
    assert warmth.ready
    assert "left out" in caplog.text


def test_a_robot_that_is_removed_meanwhile_does_not_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openpendant.server.precompiler.names", lambda: ("gone", "ur3e"))
    warmth = Precompiler()
    warmth.start().join(300)
    assert warmth.ready


# It lets all others go first: beside two busy processes it gets a tenth of what one of them gets.
@pytest.mark.timeout(600)
def test_cells_are_compiled_by_a_process_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    compile_for_cells()
    assert is_compiled()
    assert caplog.text == ""
