"""Conformance kits: hold your own implementation to what OpenPendant expects of it.

    report = check_controller(lambda: MyDriver("192.168.1.20"), arm="arm")
    print(report)

In: something that makes the thing to be checked. Out: a `ConformanceReport`, check by check, as text.
"""

from .controllers import Breaker, check_controller
from .report import Check, ConformanceReport
from .stand import RealTime, StandClock, VirtualTime

__all__ = ["Breaker", "Check", "ConformanceReport", "RealTime", "StandClock", "VirtualTime", "check_controller"]
