"""Two links in a plane."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openpendant.kinematics.kernels.planar import two_links


@given(st.floats(0.01, 2.0), st.floats(0.01, 2.0), st.floats(0.0, 5.0))
def test_two_links_span_the_distance(first: float, second: float, distance: float) -> None:
    cosine, sine = two_links(distance, first, second)
    if abs(first - second) <= distance <= first + second:
        assert math.hypot(first + second * cosine, second * sine) == pytest.approx(distance, abs=1e-7)
        assert sine >= 0.0
    elif distance > first + second + 1e-9 or distance < abs(first - second) - 1e-9:
        assert math.isnan(cosine)
        assert math.isnan(sine)
