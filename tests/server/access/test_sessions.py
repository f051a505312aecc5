"""Sessions: kept without their tokens, ended unused or old, and never many."""

from pathlib import Path

import pytest
from stepped_clock import Clock

from openpendant.errors import UnknownNameError
from openpendant.server.access import sessions
from openpendant.server.access.sessions import Sessions


def test_sessions_outlive_the_process_and_hold_no_token(tmp_path: Path) -> None:
    file = tmp_path / "access" / "sessions.json"
    first = Sessions(file)
    made, token = first.add("Ann", "operator", "10.0.0.7")
    first.flush()
    assert token not in file.read_text()
    assert file.stat().st_mode & 0o077 == 0
    again = Sessions(file)
    found = again.find(token, "10.0.0.8")
    assert found is not None
    assert (found.name, found.role, found.address) == ("Ann", "operator", "10.0.0.8")
    assert again.find(token + "x", "10.0.0.8") is None
    assert again.find(found.hash, "10.0.0.8") is None
    again.revoke(made.id)
    assert again.find(token, "10.0.0.8") is None
    again.flush()
    assert Sessions(file).all() == []
    with pytest.raises(UnknownNameError):
        again.revoke(made.id)


def test_sessions_end_unused_or_old_and_those_who_listen_are_told() -> None:
    clock = Clock()
    known = Sessions(None, clock)
    ended: list[str] = []
    known.on_end(ended.append)
    first, token = known.add("Ann", "viewer", "a")
    clock.now += sessions.UNUSED_S + 1
    assert known.find(token, "a") is None
    second, token = known.add("Bob", "viewer", "b")
    for _ in range(14):
        clock.now += sessions.UNUSED_S - 1
        known.find(token, "b")
    assert known.find(token, "b") is None
    assert ended == [first.id, second.id]


def test_there_are_never_many_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MOST", 3)
    clock = Clock()
    known = Sessions(None, clock)
    for number in range(5):
        clock.now += 1.0
        known.add(str(number), "viewer", "a")
    assert {one.name for one in known.all()} == {"2", "3", "4"}


@pytest.mark.parametrize("text", ["", "{", "[1]", '[{"id": 1}]', "\xff"])
def test_a_broken_file_lets_nobody_in(tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "sessions.json"
    file.write_text(text)
    assert Sessions(file).all() == []
    assert "nobody is paired any more" in caplog.text
