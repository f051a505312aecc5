"""Conformance kits: hold your own implementation to what OpenPendant expects of it.

    report = check_controller(lambda: MyDriver("192.168.1.20"), arm="arm")
    print(report)

    host, clock = MyHost("robot", in_process=True), VirtualTime()
    check_controller(lambda: MyDriver("robot", dialler=NullModem(host, clock)), clock=clock)

    print(check_device(MyPad(), lambda: TwistMapping(PAD), MyHands()))

In: the thing to be checked, or something that makes it. Out: a `ConformanceReport`, check by check, as text.
"""

from .controllers import Breaker, check_controller
from .devices import DevicePerson, check_device
from .null_modem import NullModem
from .report import Check, ConformanceReport
from .stand import RealTime, StandClock
from .virtual_time import VirtualTime

__all__ = [
    "Breaker",
    "Check",
    "ConformanceReport",
    "DevicePerson",
    "NullModem",
    "RealTime",
    "StandClock",
    "VirtualTime",
    "check_controller",
    "check_device",
]
