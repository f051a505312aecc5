"""Speeds and zones as people write them, and back."""

import math
import re
from functools import lru_cache

from openpendant.errors import InputError
from openpendant.motion import FINE, SPEEDS, ZONES, Speed, Zone, find_speed, find_zone
from openpendant.said import say

NUMBER = r"(\d+(?:\.\d+)?)"
LENGTH_SPEED = re.compile(rf"{NUMBER}\s*mm/s(?:\s+{NUMBER}\s*(?:°/s|deg/s))?")
LENGTH = re.compile(rf"{NUMBER}\s*mm")
FASTEST_MM_S = 10_000.0
WIDEST_MM = 500.0
USUAL_TURN_DEG_S = 500.0


@lru_cache(maxsize=1024)
def parse_speed(text: str) -> Speed:
    """Return the speed that `v200`, `30%`, `120 mm/s` or `120 mm/s 90 °/s` means.

    Raises:
        InputError: No speed is written so, or it is beyond what a robot can do.
    """
    found = LENGTH_SPEED.fullmatch(text.strip())
    if found is None:
        if text in SPEEDS or text.endswith("%"):
            return find_speed(text)
        raise InputError(say("speed.not", text=text))
    mm_s, deg_s = float(found[1]), float(found[2] or USUAL_TURN_DEG_S)
    if not 0.0 < mm_s <= FASTEST_MM_S or not 0.0 < deg_s <= FASTEST_MM_S:
        raise InputError(say("speed.range", text=text, most=f"{FASTEST_MM_S:g}"))
    return Speed.from_mm_s(mm_s, deg_s)


@lru_cache(maxsize=1024)
def parse_zone(text: str) -> Zone:
    """Return the zone that `fine`, `z10` or `12 mm` means.

    Raises:
        InputError: No zone is written so, or it is wider than 500 mm.
    """
    found = LENGTH.fullmatch(text.strip())
    if found is None:
        if text in ZONES:
            return find_zone(text)
        raise InputError(say("zone.not", text=text))
    mm = float(found[1])
    if not 0.0 < mm <= WIDEST_MM:
        raise InputError(say("zone.range", text=text, most_mm=WIDEST_MM))
    return Zone(mm / 1000.0)


def scaled_speed(speed: Speed, fraction: float) -> Speed:
    """Return a speed under an override: every limit times `fraction`, 0 to 1."""
    if fraction == 1.0:
        return speed
    return Speed(speed.tool_m_s * fraction, speed.turn_rad_s * fraction, speed.joint_fraction * fraction)


def describe_speed(text: str) -> str:
    """Return a speed for people: '200 mm/s', '30 %', 'full speed'."""
    if text == "vmax" or text == "100%":
        return "full speed"
    speed = parse_speed(text)
    if speed.joint_fraction < 1.0:
        return f"{100.0 * speed.joint_fraction:g} %"
    turn = math.degrees(speed.turn_rad_s)
    return f"{1000.0 * speed.tool_m_s:g} mm/s" + ("" if abs(turn - USUAL_TURN_DEG_S) < 1e-9 else f" and {turn:g} °/s")


def describe_zone(text: str) -> str:
    """Return a zone for people: 'stop there', 'round the corner by up to 10 mm'."""
    zone = parse_zone(text)
    return "stop there" if zone == FINE else f"round the corner by up to {1000.0 * zone.radius_m:g} mm"
