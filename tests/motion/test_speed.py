"""Speeds by RAPID's names and in percent, and what is refused."""

import math

import pytest

from openpendant.errors import InputError
from openpendant.motion import SPEEDS, Speed, find_speed


def test_speeds_are_those_of_rapid():
    assert len(SPEEDS) == 26
    assert find_speed("v400").tool_m_s == 0.4
    assert math.degrees(find_speed("v7000").turn_rad_s) == pytest.approx(500.0)
    assert find_speed("vmax") == Speed()
    assert find_speed("30%").joint_fraction == pytest.approx(0.3)
    assert Speed.from_mm_s(250.0).tool_m_s == pytest.approx(0.25)


@pytest.mark.parametrize("name", ["v401", "fast", "", "150 %"])
def test_unknown_speeds_are_refused(name):
    with pytest.raises(InputError):
        find_speed(name)


@pytest.mark.parametrize("name", ["0%", "101%", "x%", "nan%"])
def test_percentages_out_of_range_are_refused(name):
    with pytest.raises(InputError, match=r"percent|0 up to 1|0%"):
        find_speed(name)


@pytest.mark.parametrize(
    "kwargs", [{"tool_m_s": 0.0}, {"turn_rad_s": -1.0}, {"tool_m_s": math.nan}, {"joint_fraction": 1.1}]
)
def test_impossible_speeds_are_refused(kwargs):
    with pytest.raises(InputError):
        Speed(**kwargs)
