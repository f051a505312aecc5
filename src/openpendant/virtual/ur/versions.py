"""Versions of PolyScope 5, and what came with which.

Sources: script manuals 5.22 ("Motion Version") and 5.25 ("direct_torque"); the maker's client library, which asks for
`optimovej` and `optimovel` from 5.21 on and for torque control from 5.23 on; release notes of 5.23
(`actual_current_as_torque`).
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from openpendant.errors import InputError

Version = tuple[int, int, int, int]
DEFAULT_VERSION: Version = (5, 11, 5, 1010327)
OLDEST, NEWEST = (5, 11), (5, 25)
ALLOWED = "allowed: 5.11 to 5.25, as in 5.22 or 5.22.1"

FUNCTIONS_SINCE: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "optimovej": (5, 21),
        "optimovel": (5, 21),
        "motion_version_get": (5, 22),
        "motion_version_set": (5, 22),
        "direct_torque": (5, 23),
    }
)
"""URScript functions that 5.11 does not have."""
VARIABLES_SINCE: Mapping[str, tuple[int, int]] = MappingProxyType({"actual_current_as_torque": (5, 23)})
"""RTDE variables that 5.11 does not have, as far as their version is published."""


def parse_version(text: str) -> Version:
    """Return a version written as 5.22, 5.22.1 or 5.22.1.1234567; what is left out is 0, and of 5.11 what it is.

    Raises:
        InputError: It is none, or one that is not known.
    """
    if re.fullmatch(r"\d{1,9}(\.\d{1,9}){1,3}", text) is None:
        raise InputError(f"PolyScope version {text!r}; {ALLOWED}")
    given = tuple(map(int, text.split(".")))
    if given == DEFAULT_VERSION[: len(given)]:
        return DEFAULT_VERSION
    major, minor, bugfix, build = (*given, 0, 0)[:4]
    version = (major, minor, bugfix, build)
    check_version(version)
    return version


def check_version(version: Version) -> None:
    """Raise InputError where a version is not one of those that are known."""
    if len(version) != 4 or min(version) < 0 or not OLDEST <= version[:2] <= NEWEST:
        raise InputError(f"PolyScope version {'.'.join(map(str, version))}; {ALLOWED}")


def build_date(version: Version) -> str:
    """Return when a version was built, as text; of most that is not published."""
    return "Jan 17 2022" if version == DEFAULT_VERSION else "date unknown"


def lacks(since: Mapping[str, tuple[int, int]], version: Version) -> frozenset[str]:
    """Return the names that came after a version."""
    return frozenset(name for name, first in since.items() if version[:2] < first)
