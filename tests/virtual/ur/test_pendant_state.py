"""Which buttons can be pressed, and the words where they cannot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openpendant.errors import InputError
from openpendant.virtual.pendant import CauseFault, PressButton, SetSpeedSlider, order_decoder
from openpendant.virtual.ur.orders import BUTTONS, ORDERS
from openpendant.virtual.ur.pendant_state import button_reasons

decode_order = order_decoder(*ORDERS)
MAINS = st.sampled_from(["on", "booting", "off"])
MODES = st.sampled_from(["POWER_OFF", "POWER_ON", "IDLE", "RUNNING", "BACKDRIVE", "BOOTING"])
SAFETY = st.sampled_from(["NORMAL", "REDUCED", "PROTECTIVE_STOP", "ROBOT_EMERGENCY_STOP", "VIOLATION", "FAULT"])
STATES = st.sampled_from(["STOPPED", "PLAYING", "PAUSED"])


@given(MAINS, MODES, SAFETY, STATES, st.sampled_from(["", "a.urp"]), st.booleans(), st.booleans())
def test_every_button_is_told_of(
    mains: str, mode: str, safety: str, state: str, program: str, emergency: bool, popup: bool
):
    reasons = button_reasons(mains, mode, safety, state, program, emergency=emergency, popup=popup)
    assert {*BUTTONS, "load", "freedrive", "speed", "protective_stop"} == set(reasons)
    assert all(why is None or why.endswith(".") for why in reasons.values())
    if mains == "on":
        # An emergency stop can be pressed whatever else is the case, unless it is.
        assert (reasons["emergency_stop"] is None) != emergency
        assert (reasons["play"] is None) <= (mode in ("RUNNING", "BACKDRIVE") and program != "" and not emergency)
    else:
        assert [name for name, why in reasons.items() if why is None] == (["switch_on"] if mains == "off" else [])


def test_the_usual_way_is_open():
    def can(button: str, mode: str, state: str = "STOPPED", program: str = "a.urp", safety: str = "NORMAL") -> bool:
        return button_reasons("on", mode, safety, state, program, emergency=False, popup=False)[button] is None

    assert can("power_on", "POWER_OFF")
    assert can("brake_release", "IDLE")
    assert can("brake_release", "POWER_OFF")
    assert can("play", "RUNNING")
    assert not can("play", "IDLE")
    assert not can("play", "RUNNING", program="")
    assert can("pause", "RUNNING", "PLAYING")
    assert can("stop", "RUNNING", "PAUSED")
    assert not can("load", "RUNNING", "PLAYING")
    assert can("unlock", "RUNNING", safety="PROTECTIVE_STOP")
    assert not can("power_on", "POWER_OFF", safety="FAULT")


def test_orders_are_told_apart():
    assert decode_order(b'{"do": "press", "button": "play"}') == PressButton("play")
    assert decode_order(b'{"do": "speed", "fraction": 0.5}') == SetSpeedSlider(0.5)
    assert decode_order(b'{"do": "fault", "kind": "drop", "ports": [1]}') == CauseFault("drop", ports=(1,))


@pytest.mark.parametrize(
    "data", [b"", b"x", b"[]", b'{"do": "x"}', b'{"do": "speed"}', b'{"do": "state", "extra": 1}', b"\xff"]
)
def test_others_are_refused(data: bytes):
    with pytest.raises(InputError, match="not an order"):
        decode_order(data)
