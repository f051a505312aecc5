"""Conformance kits: hold your own implementation to what OpenPendant expects of it.

    report = check_controller(lambda: MyDriver("192.168.1.20"), arm="arm")
    print(report)

    host, clock = MyHost("robot", in_process=True), VirtualTime()
    check_controller(lambda: MyDriver("robot", dialler=NullModem(host, clock)), clock=clock)

In: something that makes the thing to be checked. Out: a `ConformanceReport`, check by check, as text.
"""

from .controllers import Breaker, check_controller
from .null_modem import NullModem
from .report import Check, ConformanceReport
from .stand import RealTime, StandClock
from .virtual_time import VirtualTime

__all__ = [
    "Breaker",
    "Check",
    "ConformanceReport",
    "NullModem",
    "RealTime",
    "StandClock",
    "VirtualTime",
    "check_controller",
]
