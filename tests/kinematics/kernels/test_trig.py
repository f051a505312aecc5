"""Sine, cosine and angles of the solvers."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openpendant.kinematics.kernels.planar import nearest_turn
from openpendant.kinematics.kernels.trig import angle_of, sine_cosine

number = st.floats(-1e3, 1e3)


@given(st.floats(-1e9, 1e9))
def test_sine_and_cosine_are_right_to_the_last_digit(angle: float) -> None:
    sine, cosine = sine_cosine(angle)
    assert abs(sine - math.sin(angle)) <= 2.3e-16
    assert abs(cosine - math.cos(angle)) <= 2.3e-16


def test_sine_and_cosine_around_the_quarter_turns() -> None:
    for quarter in range(-40, 41):
        for off in (-1e-9, -1e-16, 0.0, 1e-16, 1e-9, math.pi / 4):
            angle = quarter * math.pi / 2 + off
            assert sine_cosine(angle) == pytest.approx((math.sin(angle), math.cos(angle)), abs=2.3e-16)
    assert all(math.isnan(value) for value in sine_cosine(math.nan))


@given(number, number)
def test_angle_is_that_of_atan2(y: float, x: float) -> None:
    if y == 0.0 and x == 0.0:
        assert angle_of(y, x) == 0.0
        return
    assert abs(math.remainder(angle_of(y, x) - math.atan2(y, x), math.tau)) <= 4.5e-16


@given(number, st.floats(-20, 20), st.floats(-10, 10), st.floats(0, 20))
def test_nearest_turn_is_the_best_of_all_turns(value: float, seed: float, lower: float, span: float) -> None:
    upper = lower + span
    found = nearest_turn(value, seed, lower, upper)
    assert math.remainder(found - value, math.tau) == pytest.approx(0.0, abs=1e-9)
    turns = value + math.tau * np.arange(-200, 201)
    beyond = np.maximum(np.maximum(lower - turns, turns - upper), 0.0)
    if (beyond <= 0.0).any():
        assert lower - 2e-9 <= found <= upper + 2e-9
        assert abs(found - seed) <= np.abs(turns[beyond <= 0.0] - seed).min() + 1e-6
    else:
        assert max(lower - found, found - upper) <= beyond.min() + 2e-9
