"""Conformance kits: hold your own implementation to what OpenPendant expects of it.

    report = check_controller(lambda: MyDriver("192.168.1.20"), arm="arm")
    print(report)

In: something that makes the thing to be looked at. Out: a `Report`, check by check, in words.
"""

from .controllers import Breaker, check_controller
from .report import Check, Report

__all__ = ["Breaker", "Check", "Report", "check_controller"]
