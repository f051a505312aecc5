"""check_device: hold a device and its mapping, also one's own, to what robots rely on."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from openpendant.errors import OpenPendantError
from openpendant.teleop import DeviceMapping, DeviceSample, TeleopDevice

from .report import Check, ConformanceReport

FRAME_NS = 10_000_000
MINUTE_NS = 60_000_000_000


class DevicePerson(Protocol):
    """Plays the person, or asks one, who has the device in the hand."""

    def hold(self) -> None:
        """Hold the dead-man switch, and deflect something."""
        ...

    def let_go(self) -> None:
        """Let go of everything."""
        ...

    def lose(self) -> None:
        """Take the device away: pull its plug, cover what tracks it."""
        ...

    def find(self) -> None:
        """Bring it back."""
        ...


def check_device(
    device: TeleopDevice, mapping: Callable[[], DeviceMapping], person: DevicePerson, *, found_again: bool = True
) -> ConformanceReport:
    """Hold, let go, lose and confuse a device, and see what its mapping makes of it. No robot is there.

    Args:
        device: What is checked; it is not closed.
        mapping: Makes a mapping that has seen no sample yet.
        person: Who holds the device.
        found_again: Whether the device can come back after it was lost; otherwise that is looked at last.

    Returns:
        What was found; no fault of the device raises.
    """
    trial = _Trial(device, mapping, person)
    checks: list[Check] = []
    for name, work in (
        ("names its controls", trial.names),
        ("stamps its samples", trial.stamps),
        ("gives values within bounds", trial.values),
        ("holds only what was pressed while somebody looked", trial.begins),
        ("lets go with the next sample", trial.lets_go),
        *((f"lets go after {what}, until it is pressed again", loss) for what, loss in trial.losses()),
        *((("comes back released", trial.comes_back),) if found_again else ()),
        ("is gone where it was taken away", trial.goes),
    ):
        try:
            fault = work()
        except OpenPendantError as error:
            fault = str(error)
        except Exception as error:
            # Whatever a device raises is its fault, and is reported.
            fault = f"raises {type(error).__name__}: {error}"
        checks.append(Check(name, passed=not fault, words=fault))
    return ConformanceReport(device.title, tuple(checks))


@dataclass
class _Trial:
    device: TeleopDevice
    make: Callable[[], DeviceMapping]
    person: DevicePerson
    now_ns: int = 1_000_000_000
    map: DeviceMapping = field(init=False)

    def __post_init__(self) -> None:
        self.map = self.make()

    def read(self) -> DeviceSample:
        self.now_ns += FRAME_NS
        return self.device.read(self.now_ns)

    def held(self, sample: DeviceSample | None = None) -> bool:
        wish = self.map.take(self.read() if sample is None else sample)
        return wish is not None and wish.held

    def grip(self) -> str:
        """Let go, and press again; return what is wrong with that."""
        self.person.let_go()
        self.held()
        self.person.hold()
        return "" if self.held() else "its dead-man switch cannot be held"

    def names(self) -> str:
        controls = self.device.controls
        if not self.device.title:
            return "it has no title"
        twice = sorted({name for name in controls if controls.count(name) > 1})
        return f"it names {', '.join(map(repr, twice))} twice" if twice else ""

    def stamps(self) -> str:
        sample = self.read()
        if sample.stamp_ns != self.now_ns:
            return f"a sample read at {self.now_ns} ns is stamped {sample.stamp_ns} ns"
        return "" if sample.present else "it is not there, although it was not taken away"

    def values(self) -> str:
        self.person.hold()
        for name, value in self.read().values.items():
            if name not in self.device.controls:
                return f"it names a control {name!r} that it does not list"
            if not math.isfinite(value) or abs(value) > 1.0:
                return f"its control {name!r} says {value}; allowed: -1 to 1"
        return ""

    def begins(self) -> str:
        self.person.hold()
        self.map = self.make()
        if self.held():
            return "what was held before it was looked at counts as held"
        return self.grip()

    def lets_go(self) -> str:
        fault = self.grip()
        self.person.let_go()
        return fault or ("it still holds" if self.held() else "")

    def losses(self) -> tuple[tuple[str, Callable[[], str]], ...]:
        def lost(sample: Callable[[], DeviceSample]) -> Callable[[], str]:
            return lambda: self.after(lambda: self.held(sample()))

        def release() -> bool:
            self.map.release()
            return False

        def nothing() -> DeviceSample:
            return DeviceSample(self.read().stamp_ns, present=False)

        def no_number() -> DeviceSample:
            return DeviceSample(self.read().stamp_ns, present=True, values={self.device.controls[0]: math.nan})

        def later() -> DeviceSample:
            self.now_ns += MINUTE_NS
            return self.read()

        def earlier() -> DeviceSample:
            return self.device.read(self.now_ns - MINUTE_NS // 2)

        return (
            ("a sample without it", lost(nothing)),
            ("what is not a number", lost(no_number)),
            ("a minute of silence", lost(later)),
            ("a clock that jumps back", lost(earlier)),
            ("the robot has ended the motion", lambda: self.after(release)),
        )

    def after(self, loss: Callable[[], bool]) -> str:
        fault = self.grip()
        if fault:
            return fault
        if loss():
            return "it holds on"
        return "what is still held counts without being pressed again" if self.held() else self.grip()

    def comes_back(self) -> str:
        def lose() -> bool:
            self.person.lose()
            held = self.held()
            self.person.find()
            self.person.hold()
            return held

        return self.after(lose)

    def goes(self) -> str:
        fault = self.grip()
        self.person.lose()
        if self.held():
            return "it holds on"
        return fault or ("its sample says that it is there" if self.read().present else "")
