"""Faults last as long as they were told to, and can be repeated."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openpendant.errors import InputError
from openpendant.virtual.faults import Fault, Faults


def after(faults: Faults, ticks: int) -> Faults:
    for _ in range(ticks):
        faults.advance()
    return faults


def test_a_healthy_link_has_no_faults():
    faults = Faults(500)
    assert not faults.active
    assert not faults.silent(1)
    assert not faults.refuses(1)
    assert faults.delay_ticks(1) == 0
    assert faults.spoil(1, b"abc") == b"abc"


@pytest.mark.parametrize("kind", ["drop", "freeze", "silence"])
def test_what_lasts_ends_by_itself(kind: str):
    faults = Faults(500)
    faults.set(Fault(kind, seconds=0.1))
    assert after(faults, 49).lasting() == (kind,)
    assert after(faults, 1).lasting() == ()
    assert not faults.active


def test_faults_can_be_meant_for_one_port():
    faults = Faults(500)
    faults.set(Fault("silence", seconds=1.0, ports=(30004,)))
    faults.set(Fault("drop", seconds=1.0, ports=(29999,)))
    assert faults.silent(30004)
    assert not faults.silent(29999)
    assert faults.refuses(29999)
    assert not faults.refuses(30004)


def test_a_frozen_controller_is_silent_everywhere():
    faults = Faults(500)
    faults.set(Fault("freeze", seconds=1.0, ports=(1,)))
    assert faults.frozen()
    assert faults.silent(2)


def test_ports_beside_the_controller_are_spared():
    faults = Faults(500, spared=(9,))
    for fault in (Fault("freeze", seconds=1), Fault("drop", seconds=1), Fault("delay", ms=50), Fault("corrupt")):
        faults.set(fault)
    assert not faults.silent(9)
    assert not faults.refuses(9)
    assert faults.delay_ticks(9) == 0
    assert faults.spoil(9, b"abc") == b"abc"
    assert faults.silent(1)


def test_delay_and_jitter_are_counted_in_ticks():
    faults = Faults(500)
    faults.set(Fault("delay", ms=20.0, jitter_ms=10.0))
    seen = {faults.delay_ticks(1) for _ in range(500)}
    assert min(seen) >= 10
    assert max(seen) <= 15
    assert len(seen) > 3


@given(st.binary(min_size=1, max_size=64), st.integers(0, 1000))
def test_a_spoiled_package_differs_in_one_byte_and_only_so_often(data: bytes, seed: int):
    faults = Faults(500, seed)
    faults.set(Fault("corrupt", count=1))
    wrong = faults.spoil(1, data)
    assert sum(a != b for a, b in zip(data, wrong, strict=True)) == 1
    assert not faults.active
    assert faults.spoil(1, data) == data
    again = Faults(500, seed)
    again.set(Fault("corrupt", count=1))
    assert again.spoil(1, data) == wrong


def test_clear_ends_all():
    faults = Faults(500)
    for fault in (Fault("drop", seconds=9), Fault("delay", ms=5), Fault("corrupt"), Fault("silence", seconds=9)):
        faults.set(fault)
    assert len(faults.lasting()) == 4
    faults.set(Fault("clear"))
    assert faults.lasting() == ()


@pytest.mark.parametrize(
    "fault",
    [
        Fault("flood"),
        Fault("drop", seconds=-1.0),
        Fault("drop", seconds=float("nan")),
        Fault("delay", ms=1e9),
        Fault("corrupt", share=1.5),
        Fault("corrupt", count=-1),
    ],
    ids=str,
)
def test_nonsense_is_refused(fault: Fault):
    with pytest.raises(InputError, match=r"allowed|known"):
        Faults(500).set(fault)
