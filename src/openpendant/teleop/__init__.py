"""Moving arms by hand: devices, what their controls mean, and the session that lets a device drive an arm.

    pad = open_gamepad()
    session = DeviceSession(pad, TwistMapping(PAD), line, arm="arm", waiter=threads)
    session.step()  # a hundred times a second

In: samples of gamepads and other devices. Out: intents, each with the time at which its sample was taken; through servo
and gate to the robot. The rest of the names are the old ones of `openpendant.servo`; they go with the next version.
"""

from openpendant.servo import Keep, Obstacles, Servo, ServoSettings, ServoStep, compile_kernels, obstacle_query

from .devices import (
    PAD,
    AxisBinding,
    ControlPress,
    DeadMan,
    DeviceMapping,
    DeviceSample,
    HandMapping,
    HandSettings,
    HandWish,
    SampleGuard,
    StickCurve,
    TeleopDevice,
    TwistMapping,
    TwistSettings,
)
from .gamepad import GamepadDevice, open_gamepad
from .session import ArmLine, DeviceSession

__all__ = [
    "PAD",
    "ArmLine",
    "AxisBinding",
    "ControlPress",
    "DeadMan",
    "DeviceMapping",
    "DeviceSample",
    "DeviceSession",
    "GamepadDevice",
    "HandMapping",
    "HandSettings",
    "HandWish",
    "Keep",
    "Obstacles",
    "SampleGuard",
    "Servo",
    "ServoSettings",
    "ServoStep",
    "StickCurve",
    "TeleopDevice",
    "TwistMapping",
    "TwistSettings",
    "compile_kernels",
    "obstacle_query",
    "open_gamepad",
]
