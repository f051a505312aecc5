"""The parts of access: buckets, codes, sessions, the audit log; each with a clock of its own."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openpendant.errors import InputError, UnknownNameError
from openpendant.server.access import AuditLog, Caller, audit, pairing, rate_key, read_audit, sessions
from openpendant.server.access.pairing import PairingDesk
from openpendant.server.access.rates import BackOff, Bucket, Rates
from openpendant.server.access.sessions import Sessions

ANN = Caller(name="Ann", role="operator", session="s1", address="10.0.0.7", local=False)


class Clock:
    """Time that goes on when told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@given(st.lists(st.floats(0.0, 5.0), min_size=1, max_size=40))
def test_a_bucket_never_gives_more_than_its_rate(waits: list[float]) -> None:
    clock = Clock()
    bucket = Bucket(2.0, 5.0, clock)
    given = 0
    for wait in waits:
        clock.now += wait
        left = bucket.spend()
        given += left == 0.0
        assert left <= 0.5
    assert given <= 5.0 + 2.0 * sum(waits) + 1e-6


def test_an_empty_bucket_says_how_long_and_is_right() -> None:
    clock = Clock()
    rates = Rates(0.5, 1.0, clock)
    assert rates.spend("a") == 0.0
    assert rates.spend("b") == 0.0
    assert rates.spend("a") == pytest.approx(2.0)
    clock.now += 2.0
    assert rates.spend("a") == 0.0


def test_addresses_that_are_counted_are_not_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openpendant.server.access.rates.MOST_KNOWN", 3)
    rates, back_off = Rates(1.0, 1.0), BackOff(0, 1.0, 9.0)
    for number in range(50):
        rates.spend(str(number))
        back_off.failed(str(number))
    assert len(rates._buckets) == 3
    assert len(back_off._failed) == 3


def test_failures_cost_ever_more_time_and_a_success_clears_them() -> None:
    clock = Clock()
    back_off = BackOff(free=2, first_s=1.0, longest_s=5.0, clock=clock)
    waits = []
    for _ in range(6):
        back_off.failed("a")
        waits.append(back_off.wait_s("a"))
    assert waits == [0.0, 1.0, 2.0, 4.0, 5.0, 5.0]
    assert back_off.wait_s("b") == 0.0
    back_off.succeeded("a")
    assert back_off.wait_s("a") == 0.0


def test_one_machine_counts_once_however_many_addresses_it_has() -> None:
    assert rate_key("2001:db8::1") == rate_key("2001:db8::ffff:2")
    assert rate_key("2001:db8::1") != rate_key("2001:db8:1::1")
    assert rate_key("10.0.0.1") != rate_key("10.0.0.2")


def test_a_code_is_good_once_and_for_some_minutes() -> None:
    clock = Clock()
    desk = PairingDesk(clock)
    first, second = desk.offer("viewer", "Ann"), desk.offer("operator")
    assert first.code is not None
    assert first.secret not in repr(first)
    assert desk.use(first.code) is first
    assert desk.use(first.code) is None
    assert desk.use(first.secret) is None
    clock.now += pairing.GOOD_S
    assert desk.use(second.secret) is None


@given(st.text(max_size=30))
def test_no_other_word_is_taken_for_a_code(word: str) -> None:
    desk = PairingDesk()
    offer = desk.offer("viewer")
    assert word in (offer.code, offer.secret) or desk.use(word) is None


def test_guessing_ends_the_digits_and_leaves_the_link() -> None:
    desk = PairingDesk()
    offer = desk.offer("viewer")
    code = offer.code
    assert code is not None
    for _ in range(pairing.MOST_WRONG):
        assert desk.use("guess") is None
    assert desk.use(code) is None
    assert desk.use(offer.secret) is offer
    fresh = desk.offer("viewer")
    assert fresh.code is not None
    assert desk.use(fresh.code) is fresh


def test_there_are_never_many_open_codes() -> None:
    desk = PairingDesk()
    codes = {desk.offer("viewer").code for _ in range(pairing.MOST_OFFERS)}
    assert len(codes) == pairing.MOST_OFFERS
    with pytest.raises(InputError, match="codes are open"):
        desk.offer("viewer")


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
