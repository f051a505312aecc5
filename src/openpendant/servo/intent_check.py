"""check_intent: raise InputError for an invalid intent before anything moves."""

import math
from collections.abc import Sequence

from openpendant.errors import InputError, UnknownNameError
from openpendant.kinematics import Arm
from openpendant.messages import Intent, JointIntent, PoseIntent, TwistIntent

from .clutch import AXES

FRAMES = ("world", "base", "tool", "view")
UNIT = 1e-3
"""How far the length of a quaternion may be from 1: devices send single precision, and worse."""


def check_intent(intent: Intent, arm: Arm) -> None:
    """Raise InputError where an intent makes no sense for an arm; the message names the value and what is allowed."""
    if intent.arm and intent.arm != arm.name:
        raise UnknownNameError("arm of this servo", intent.arm, [arm.name])
    if not (math.isfinite(intent.scale) and intent.scale >= 0.0):
        raise InputError(f"scale is {intent.scale}; allowed: 0 and above")
    match intent:
        case JointIntent():
            _check_joints(intent, arm)
        case TwistIntent():
            _check_frame(intent)
            _check_numbers("linear", intent.linear, 3)
            _check_numbers("angular", intent.angular, 3)
        case PoseIntent():
            _check_frame(intent)
            _check_numbers("xyz", intent.pose.xyz, 3)
            _check_unit("wxyz", intent.pose.wxyz)
            if not intent.relative and intent.frame not in ("world", "base"):
                raise InputError(f"a pose of the tool itself in frame {intent.frame!r}; allowed: 'world' and 'base'")


def _check_joints(intent: JointIntent, arm: Arm) -> None:
    given = [values for values in (intent.velocity, intent.target) if values is not None]
    if len(given) != 1:
        raise InputError("a joint intent has either velocity or target; it has " + ("both" if given else "neither"))
    if intent.velocity is not None:
        _check_numbers("velocity", intent.velocity, arm.dof)
    else:
        _check_numbers("target", given[0], arm.dof)
        arm.check_q(given[0])


def _check_frame(intent: TwistIntent | PoseIntent) -> None:
    if intent.frame not in FRAMES:
        raise UnknownNameError("frame of intents", intent.frame, FRAMES)
    for axis in intent.locked:
        if axis not in AXES:
            raise UnknownNameError("axis to lock", axis, AXES)
    if intent.frame == "view":
        _check_unit("view", intent.view)


def _check_numbers(name: str, values: Sequence[float], count: int) -> None:
    if len(values) != count or not all(math.isfinite(value) for value in values):
        raise InputError(f"{name} is {list(values)}; allowed: {count} finite numbers")


def _check_unit(name: str, wxyz: Sequence[float]) -> None:
    _check_numbers(name, wxyz, 4)
    size = math.sqrt(sum(value * value for value in wxyz))
    if abs(size - 1.0) > UNIT:
        raise InputError(f"{name} is {list(wxyz)}, of length {size:.6g}; allowed: unit quaternions (w, x, y, z)")
