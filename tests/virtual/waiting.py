"""Waiting for conditions, never for time."""

import time
from collections.abc import Callable

__all__ = ["wait_until"]


def wait_until(condition: Callable[[], object], what: str, within_s: float = 15.0) -> None:
    """Return when the condition holds; fail where it does not within the time."""
    end = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < end, f"waited {within_s:g} s in vain for {what}"
        time.sleep(0.002)
