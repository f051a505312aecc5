"""One holder a robot; silence ends a lease; a supervisor takes over."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openpendant.errors import InputError
from openpendant.gate import Granted, Leases, NotGranted

MS = 1_000_000


def test_one_holder_at_a_time() -> None:
    book = Leases()
    assert book.request("a", "Ann", 0.5, 0) == Granted()
    refused = book.request("b", "Bob", 0.5, MS)
    assert isinstance(refused, NotGranted)
    assert "Ann has control" in refused.reason
    assert book.request("a", "Ann", 0.5, 2 * MS) == Granted()
    assert not book.release("b")
    assert book.release("a")
    assert book.request("b", "Bob", 0.5, 3 * MS) == Granted()


def test_a_supervisor_takes_over() -> None:
    book = Leases()
    book.request("a", "Ann", 0.5, 0)
    assert book.request("s", "Sue", 0.5, MS, take_over=True) == Granted("Ann")
    assert book.name == "Sue"
    book.renew("a", 900 * MS)
    assert book.expire(600 * MS) == ("Sue", pytest.approx(0.599))


def test_silence_ends_it_and_renewal_keeps_it() -> None:
    book = Leases()
    book.request("a", "Ann", 0.3, 0)
    book.renew("a", 200 * MS)
    assert book.expire(500 * MS) is None
    assert book.expire(501 * MS) == ("Ann", pytest.approx(0.301))
    assert book.holder == ""
    assert book.expire(502 * MS) is None


def test_who_stood_still_reads_before_it_judges_but_only_once() -> None:
    book = Leases()
    book.request("a", "Ann", 0.3, 0)
    book.outlive(650 * MS)
    assert book.expire(600 * MS) is None
    book.outlive(1000 * MS)
    assert book.expire(651 * MS) == ("Ann", pytest.approx(0.651))
    book.request("a", "Ann", 0.3, 1000 * MS)
    book.outlive(1650 * MS)
    book.renew("a", 1550 * MS)
    assert book.expire(1700 * MS) is None
    assert book.expire(1851 * MS) == ("Ann", pytest.approx(0.301))


@pytest.mark.parametrize("hold_s", [0.0, -1.0, float("nan"), 6.0])
def test_bad_times_are_refused(hold_s: float) -> None:
    with pytest.raises(InputError, match="hold_s"):
        Leases().request("a", "Ann", hold_s, 0)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["ask", "take", "renew", "drop", "wait"]))))
def test_whatever_happens_nobody_moves_without_having_asked(steps: list[tuple[str, str]]) -> None:
    book, now, asked = Leases(), 0, set[str]()
    for who, what in steps:
        now += 100 * MS
        if what in ("ask", "take"):
            answer = book.request(who, who, 0.25, now, take_over=what == "take")
            asked.add(who)
            assert (book.holder == who) == isinstance(answer, Granted)
        elif what == "renew":
            book.renew(who, now)
        elif what == "drop":
            book.release(who)
            assert book.holder != who
        else:
            now += 300 * MS
        book.expire(now)
        assert book.holder in asked | {""}
