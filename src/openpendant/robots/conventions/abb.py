"""ABB: configurations as confdata, poses as RAPID writes them (millimetres, quaternion).

cf1, cf4 and cf6 are the quarter turns in which axes 1, 4 and 6 stand: 0 for 0..90°, -1 for
-90..0°, and so on. For serial six-axis arms cfx counts the eight ways to stand (ABB, Technical
reference manual RAPID Instructions, Functions and Data types, "confdata"):

    cfx    wrist centre to axis 1    wrist centre to lower arm    axis 5
    0, 1   in front                  in front                     positive, negative
    2, 3   in front                  behind                       positive, negative
    4, 5   behind                    in front                     positive, negative
    6, 7   behind                    behind                       positive, negative

The lower arm is what axis 2 moves; its front is the side it leans to when axis 2 turns positive.
Seven-axis arms have another cfx, whose digits depend on the RobotWare version and for which we
have no public definition. There we name the signs of axes 2, 3 and 5 instead and print the pose
without confdata, rather than print a number that a controller would read differently.
"""

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from openpendant.kinematics import Chain
from openpendant.said import say
from openpendant.spatial import quaternion_from_matrix

from .convention import Describe, Print, PrintedPose
from .ports import LONGEST_PORT, PortRules
from .posture import ZERO, SphericalWrist, spherical_wrist

Array = NDArray[np.float64]
Confdata = tuple[int, int, int, int]
"""cf1, cf4, cf6 and cfx."""
SIX_AXES = 6
RAPID_WORDS = (
    "alias and backward case connect const default div do else elseif endfor endfunc endif endmodule endproc endrecord "
    "endtest endtrap endwhile error exit false for from func goto if inout local mod module nostepin not noview or "
    "pers proc raise readonly record retry return step sysmodule test then to trap true trynext undo var viewonly "
    "while with xor"
)


class Abb:
    """Words of ABB's controllers."""

    title = "ABB"
    ports = PortRules(
        allowed={
            "in": say("ports.names_in"),
            "out": say("ports.names_out"),
        },
        pattern=rf"[A-Za-z][A-Za-z0-9_]{{0,{LONGEST_PORT - 1}}}",
        reserved=frozenset(RAPID_WORDS.split()),
        same_case=False,
        examples={"in": "diReady", "out": "doGrip"},
        from_signals=True,
    )

    def describer(self, chain: Chain) -> Describe:
        """Return 'cf1=0 cf4=-1 cf6=0 cfx=1' for six-axis arms."""
        arm = spherical_wrist(chain)
        if arm is None:
            return _describe_seven
        return partial(_describe_six, arm, _front(arm))

    def printer(self, chain: Chain) -> Print:
        """Print a robtarget without external axes, or a RAPID `pose` where there is no cfx."""
        arm = spherical_wrist(chain)
        if arm is None:
            return lambda T, _: PrintedPose("RAPID pose", f"[{_place(T)},{_turn(T)}]")
        front = _front(arm)

        def print_robtarget(T: Array, q: Array) -> PrintedPose:
            configuration = ",".join(str(value) for value in _confdata(arm, front, q))
            return PrintedPose("RAPID robtarget", f"[{_place(T)},{_turn(T)},[{configuration}]]")

        return print_robtarget


def find_confdata(chain: Chain) -> Callable[[Array], Confdata] | None:
    """Return what gives the confdata of joints (n,), radians; None: the chain has no cfx that we know."""
    arm = spherical_wrist(chain)
    return None if arm is None else partial(_confdata, arm, _front(arm))


def _front(arm: SphericalWrist) -> float:
    """Return +1 where ahead is in front: ABB's arms reach to their front when all axes are zero."""
    return math.copysign(1.0, arm.posture(np.zeros(SIX_AXES)).shoulder)


def _place(T: Array) -> str:
    return f"[{','.join(_number(1000.0 * float(value), 3) for value in T[:3, 3])}]"


def _turn(T: Array) -> str:
    return f"[{','.join(_number(float(value), 6) for value in quaternion_from_matrix(T[:3, :3]))}]"


def _confdata(arm: SphericalWrist, front: float, q: Array) -> Confdata:
    posture = arm.posture(q)
    cfx = 4 * (front * posture.shoulder < -ZERO) + 2 * (front * posture.elbow < -ZERO) + (posture.wrist < -ZERO)
    return _quarter(q[0]), _quarter(q[3]), _quarter(q[5]), cfx


def _describe_six(arm: SphericalWrist, front: float, q: Array) -> str:
    return "cf1={} cf4={} cf6={} cfx={}".format(*_confdata(arm, front, q))


def _describe_seven(q: Array) -> str:
    if len(q) <= SIX_AXES:
        return f"cf1={_quarter(q[0])}"
    signs = ", ".join(f"axis {axis} {'−' if q[axis - 1] < 0.0 else '+'}" for axis in (2, 3, 5))
    return f"cf1={_quarter(q[0])} cf4={_quarter(q[3])} cf6={_quarter(q[5])}, {signs}"


def _quarter(angle: float) -> int:
    return math.floor(float(angle) / (math.pi / 2.0))


def _number(value: float, digits: int) -> str:
    """Write as RAPID does: no exponent, no trailing zeros, no minus before zero."""
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
