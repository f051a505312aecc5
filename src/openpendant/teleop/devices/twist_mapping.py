"""TwistMapping: sticks and buttons move the tool along and about axes."""

import math
from dataclasses import dataclass

from openpendant.errors import InputError
from openpendant.messages import Axis, Intent, IntentFrame, TwistIntent

from .curve import BUTTON, STICK, StickCurve
from .dead_man import CLOSES_AT
from .device import DeviceSample
from .mapping import DeviceMapping

AXES: tuple[Axis, ...] = ("x", "y", "z", "rx", "ry", "rz")
MOST_M_S = 0.25
"""By hand no tool is moved faster (ISO 10218-1, manual reduced speed)."""
MOST_RAD_S = math.radians(90.0)


@dataclass(frozen=True)
class AxisBinding:
    """A control moves the tool along or about an axis."""

    control: str
    axis: Axis
    """x, y, z: along; rx, ry, rz: about."""
    gain: float = 1.0
    """Share of the full speed at full deflection, -1 to 1; negative: the other way."""
    curve: StickCurve = BUTTON

    def __post_init__(self) -> None:
        """Refuse an unknown axis or share.

        Raises:
            InputError: Names the value, and what is allowed.
        """
        if self.axis not in AXES:
            raise InputError(f"{self.axis!r} is not an axis; allowed: {', '.join(AXES)}")
        if not -1.0 <= self.gain <= 1.0:
            raise InputError(f"the gain of {self.control!r} is {self.gain}; allowed: -1 to 1")


@dataclass(frozen=True)
class TwistSettings:
    """What the controls of a device do."""

    dead_man: tuple[str, ...]
    """Any of these has to be held for a robot to move."""
    axes: tuple[AxisBinding, ...]
    reverse: str = ""
    """While it is held, rotations go the other way; empty: none."""
    buttons: tuple[str, ...] = ()
    """Controls with another meaning than motion."""
    frame: IntentFrame = "base"
    linear_m_s: float = MOST_M_S
    """At full deflection."""
    angular_rad_s: float = math.radians(30.0)
    """At full deflection."""
    scale: float = 1.0
    """Multiplies all speeds, more than 0 and at most 1."""

    def __post_init__(self) -> None:
        """Refuse what cannot be driven by.

        Raises:
            InputError: Names the value, and what is allowed.
        """
        if not self.dead_man:
            raise InputError("no control is the dead-man switch; a device needs one")
        for what, value, most in (
            ("speed", self.linear_m_s, MOST_M_S),
            ("speed of rotation", self.angular_rad_s, MOST_RAD_S),
            ("scale", self.scale, 1.0),
        ):
            if not 0.0 < value <= most:
                raise InputError(f"the {what} is {value}; allowed: more than 0 and at most {most:.4g}")


class TwistMapping(DeviceMapping):
    """Velocity of the tool, as the settings say."""

    def __init__(self, settings: TwistSettings) -> None:
        """Begin with nothing held."""
        super().__init__()
        self.settings = settings

    @property
    def dead_man(self) -> tuple[str, ...]:
        """Any of these controls is the dead-man switch."""
        return self.settings.dead_man

    @property
    def buttons(self) -> tuple[str, ...]:
        """Controls whose presses are reported."""
        return self.settings.buttons

    def intent_of(self, sample: DeviceSample, *, held: bool) -> Intent | None:  # noqa: ARG002 - a ghost moves without it
        """Return the velocity that is asked for, in metres and radians a second; None: none."""
        of = self.settings
        shares = dict.fromkeys(AXES, 0.0)
        for binding in of.axes:
            shares[binding.axis] += binding.gain * binding.curve.share(sample.value(binding.control))
        x, y, z, rx, ry, rz = (min(1.0, max(-1.0, shares[axis])) for axis in AXES)
        if not any((x, y, z, rx, ry, rz)):
            return None
        # Two sticks at once ask for no more than one of them.
        linear = of.linear_m_s / max(1.0, math.hypot(x, y, z))
        back = of.reverse != "" and sample.value(of.reverse) >= CLOSES_AT
        turn = -of.angular_rad_s if back else of.angular_rad_s
        return TwistIntent(
            source="",
            stamp_ns=sample.stamp_ns,
            linear=(linear * x, linear * y, linear * z),
            angular=(turn * rx, turn * ry, turn * rz),
            frame=of.frame,
            scale=of.scale,
        )


PAD = TwistSettings(
    dead_man=("left trigger", "right trigger"),
    axes=(
        # As seen from behind the robot: right is -y, forward is x.
        AxisBinding("left stick y", "x", 1.0, STICK),
        AxisBinding("left stick x", "y", -1.0, STICK),
        AxisBinding("dpad up", "z"),
        AxisBinding("dpad down", "z", -1.0),
        AxisBinding("b", "rx"),
        AxisBinding("a", "ry"),
        AxisBinding("x", "rz"),
    ),
    reverse="left bumper",
    buttons=("y", "back", "right bumper", "left stick press", "right stick press", "start"),
)
"""Of a gamepad: left stick along x and y, D-pad along z, the coloured buttons about the axis of their colour."""
