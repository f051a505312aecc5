"""Zones by RAPID's names, and what is refused."""

import math

import pytest

from openpendant.errors import InputError, UnknownNameError
from openpendant.motion import FINE, ZONES, Zone, find_zone

# Written down again from ABB's manual, apart from the tables under test.
RADII_MM = {
    "z0": 0.3,
    "z1": 1,
    "z5": 5,
    "z10": 10,
    "z15": 15,
    "z20": 20,
    "z30": 30,
    "z40": 40,
    "z50": 50,
    "z60": 60,
    "z80": 80,
    "z100": 100,
    "z150": 150,
    "z200": 200,
}
TURNS_DEG = (0.03, 0.1, 0.8, 1.5, 2.3, 3.0, 4.5, 6.0, 7.5, 9.0, 12.0, 15.0, 23.0, 30.0)


def test_zones_are_those_of_rapid():
    assert set(ZONES) == {"fine", *RADII_MM}
    for (name, radius), turn in zip(RADII_MM.items(), TURNS_DEG, strict=True):
        assert ZONES[name].radius_m == pytest.approx(radius / 1000.0)
        assert math.degrees(ZONES[name].turn) == pytest.approx(turn)
        assert not ZONES[name].fine
    assert find_zone("fine") is FINE
    assert FINE.fine


def test_a_zone_of_ones_own_turns_in_proportion():
    assert math.degrees(Zone(0.010).turn) == pytest.approx(1.5)


def test_unknown_zones_suggest_the_nearest():
    with pytest.raises(UnknownNameError, match="z50"):
        find_zone("z51")


@pytest.mark.parametrize("args", [(-0.01,), (math.nan,), (math.inf,), (0.01, -1.0), (0.01, 0.0)])
def test_impossible_zones_are_refused(args):
    with pytest.raises(InputError):
        Zone(*args)
