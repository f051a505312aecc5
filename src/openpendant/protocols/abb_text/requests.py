"""The requests: `I`, `XC…`, `X…`, `AC[…]`, `A…[…]`, `YT`, `YF`, `pause`, `resume`; ASCII without an end mark."""

import math
import re
from dataclasses import dataclass

from openpendant.errors import InputError
from openpendant.protocols.error import ProtocolError

LONGEST = 80
"""Characters of a request: a RAPID string holds no more."""
LONGEST_JOINTS = 40
"""Characters of the brackets with joints: the robot's program writes 40 others behind them."""
SPEEDS = {1: 50.0, 2: 400.0, 3: 2000.0}
"""mm/s by speed digit (v50, v400, v2000)."""
PRECISIONS = {1: 0.0, 2: 50.0, 3: 200.0}
"""mm by precision digit (fine, z50, z200)."""
_COARSEST, _SLOWEST = 3, 1
_FIELDS = 10
_number = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,2})?")
Joints = tuple[float, float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class TargetPose:
    """A tool pose with the configuration of the arm: mm, degrees (about the moved z, y and x axes), quarter turns."""

    x: float
    y: float
    z: float
    rx: float
    ry: float
    rz: float
    cf1: int = 0
    cf4: int = 0
    cf6: int = 0
    cfx: int = 0


@dataclass(frozen=True, slots=True)
class Initialise:
    """Close the tool and stream joints for five seconds."""


@dataclass(frozen=True, slots=True)
class CheckPose:
    """Say with which joints the tool would reach a pose."""

    target: TargetPose


@dataclass(frozen=True, slots=True)
class MoveToPose:
    """Move the tool to a pose; speed and precision are keys of SPEEDS and PRECISIONS."""

    target: TargetPose
    speed: int = 1
    precision: int = 1
    straight: bool = False


@dataclass(frozen=True, slots=True)
class CheckJoints:
    """Say whether joints can be reached; degrees."""

    joints: Joints


@dataclass(frozen=True, slots=True)
class MoveToJoints:
    """Move to joints; degrees."""

    joints: Joints
    speed: int = 1
    precision: int = 1


@dataclass(frozen=True, slots=True)
class SetToolRequest:
    """Open (True) or close the tool."""

    opened: bool


@dataclass(frozen=True, slots=True)
class PauseMotionRequest:
    """Stop on the path."""


@dataclass(frozen=True, slots=True)
class ResumeMotionRequest:
    """Continue along the path."""


Request = (
    Initialise
    | CheckPose
    | MoveToPose
    | CheckJoints
    | MoveToJoints
    | SetToolRequest
    | PauseMotionRequest
    | ResumeMotionRequest
)
_WORDS: dict[str, Request] = {
    "I": Initialise(),
    "YT": SetToolRequest(opened=True),
    "YF": SetToolRequest(opened=False),
    "pause": PauseMotionRequest(),
    "resume": ResumeMotionRequest(),
}


def parse_request(data: bytes) -> Request:
    """Read a request. As on the robot, an invalid speed digit means the slowest, a precision digit the coarsest.

    Raises:
        ProtocolError: It is none; says why.
    """
    text = data.decode("ascii", "replace")
    if len(text) > LONGEST:
        raise ProtocolError(f"a request of {len(text)} characters; {LONGEST} are allowed")
    if text in _WORDS:
        return _WORDS[text]
    if text.startswith("XC"):
        return CheckPose(_pose(text[2:]))
    if text.startswith("X") and text[3:4] in ("J", "L"):
        speed, precision = _digits(text[1:3])
        return MoveToPose(_pose(text[4:]), speed, precision, text[3] == "L")
    if text.startswith("AC"):
        return CheckJoints(_joints(text[2:]))
    if text.startswith("A") and len(text) > 3:
        return MoveToJoints(_joints(text[3:]), *_digits(text[1:3]))
    raise ProtocolError(f"a request {text[:40]!r}; I, XC, X, AC, A, YT, YF, pause and resume are allowed")


def encode_request(request: Request) -> bytes:
    """Return a request as it goes out. Millimetres and quarter turns are whole numbers, angles have what decimals fit.

    Raises:
        InputError: A value is not finite, too long, or no digit of speed or precision.
    """
    match request:
        case CheckPose(target):
            text = f"XC{_written_pose(target)}"
        case MoveToPose(target, speed, precision, straight):
            text = f"X{_written_digits(speed, precision)}{'L' if straight else 'J'}{_written_pose(target)}"
        case CheckJoints(joints):
            text = f"AC{_written_joints(joints)}"
        case MoveToJoints(joints, speed, precision):
            text = f"A{_written_digits(speed, precision)}{_written_joints(joints)}"
        case _:
            text = next(word for word, meant in _WORDS.items() if meant == request)
    if len(text) > LONGEST:
        raise InputError(f"a request of {len(text)} characters; {LONGEST} are allowed")
    return text.encode()


def number_of(text: str) -> float:
    """Read a number with a point, whatever the computer's own habits.

    Raises:
        ProtocolError: It is none.
    """
    if _number.fullmatch(text) is None:
        raise ProtocolError(f"{text[:40]!r} is no number")
    return float(text)


def _pose(text: str) -> TargetPose:
    *fields, last = text.split(";")
    if len(fields) != _FIELDS or last:
        raise ProtocolError(f"a pose {text[:60]!r}; it has {_FIELDS} numbers, each with a semicolon behind it")
    x, y, z, rx, ry, rz, *configuration = (number_of(one) for one in fields)
    if any(one % 1.0 for one in configuration):
        raise ProtocolError(f"a configuration {';'.join(fields[6:])[:40]!r}; whole numbers are allowed")
    return TargetPose(x, y, z, rx, ry, rz, *(int(one) for one in configuration))


def _joints(text: str) -> Joints:
    if not (text.startswith("[") and text.endswith("]")) or len(text) > LONGEST_JOINTS:
        raise ProtocolError(f"joints {text[:60]!r}; they stand in brackets, {LONGEST_JOINTS} characters at most")
    values = [number_of(one.strip()) for one in text[1:-1].split(",")]
    if len(values) != 6:
        raise ProtocolError(f"{len(values)} joints; an arm has 6")
    return (values[0], values[1], values[2], values[3], values[4], values[5])


def _digits(text: str) -> tuple[int, int]:
    speed, precision = (int(one) if one in ("1", "2", "3") else 0 for one in text)
    return speed or _SLOWEST, precision or _COARSEST


def _written_digits(speed: int, precision: int) -> str:
    if speed not in SPEEDS or precision not in PRECISIONS:
        raise InputError(f"speed {speed} and precision {precision}; 1, 2 and 3 are allowed")
    return f"{speed}{precision}"


def _written_pose(pose: TargetPose) -> str:
    turns = "".join(f"{_written(value, 5)};" for value in (pose.rx, pose.ry, pose.rz))
    place = "".join(f"{_written(value, 0)};" for value in (pose.x, pose.y, pose.z))
    return f"{place}{turns}{pose.cf1};{pose.cf4};{pose.cf6};{pose.cfx};"


def _written_joints(joints: Joints) -> str:
    for decimals in range(5, -1, -1):
        text = f"[{','.join(_written(value, decimals) for value in joints)}]"
        if len(text) <= LONGEST_JOINTS:
            return text
    raise InputError(f"joints {joints}; {LONGEST_JOINTS} characters are allowed")


def _written(value: float, decimals: int) -> str:
    if not math.isfinite(value):
        raise InputError(f"{value:g} cannot be sent; finite numbers are allowed")
    text = f"{value:.{decimals}f}"
    return text.lstrip("-") if float(text) == 0.0 else text
