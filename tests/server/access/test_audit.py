"""The audit log: rolled over when large, safe from what people write, no obstacle when it cannot be written."""

import json
from pathlib import Path

import pytest

from openpendant.server.access import AuditLog, Caller, audit, read_audit

ANN = Caller(name="Ann", role="operator", session="s1", address="10.0.0.7", local=False)


def test_the_log_is_put_aside_when_it_is_large_and_read_across(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "LARGEST", 1000)
    log = AuditLog(tmp_path / "audit.jsonl")
    for number in range(60):
        log.note("run", ANN, number=number, text="x" * 10, nothing="")
    assert len(list(tmp_path.iterdir())) == 1 + audit.KEPT
    assert all(path.stat().st_size <= 1000 for path in tmp_path.iterdir())
    found = read_audit(tmp_path / "audit.jsonl", 20)
    assert [line["number"] for line in found] == list(range(40, 60))
    assert found[-1] | {"time": ""} == {
        "time": "",
        "what": "run",
        "who": "Ann",
        "role": "operator",
        "from": "10.0.0.7",
        "number": 59,
        "text": "x" * 10,
    }


def test_what_people_write_cannot_break_a_line(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit.jsonl")
    log.note("run", ANN, program='a\n{"what": "stop"}\ud800' + "y" * 1000)
    (line,) = (tmp_path / "audit.jsonl").read_text().splitlines()
    assert json.loads(line)["what"] == "run"
    assert len(line) < 600


def test_a_log_that_cannot_be_written_stops_nobody(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    log = AuditLog(tmp_path / "file" / "audit.jsonl")
    log.note("run", ANN)
    log.note("run", ANN)
    assert caplog.text.count("cannot be written") == 1
