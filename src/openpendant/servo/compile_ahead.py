"""compile_kernels: compile the kernels of the servo before a robot waits for them."""

import numpy as np

from openpendant.kinematics import Arm
from openpendant.messages import JointIntent, TwistIntent
from openpendant.motion import JointLimits

from .obstacles import Obstacles
from .servo import Servo


def compile_kernels(arm: Arm, limits: JointLimits) -> None:
    """Let a servo of this arm make some ticks in each of its modes.

    Compiling takes half a minute the first time, and a second from numba's cache.
    """
    servo = Servo(arm, limits, 0.004)
    servo.reset(np.zeros(arm.dof).clip(limits.lower, limits.upper))
    near = Obstacles(np.array([[0.05, 0.0, 0.0, 0.5, 0.0, 0.0, 1.0, arm.dof - 1]]), ("nothing",))
    intents = (
        TwistIntent(source="warm", stamp_ns=1, linear=(0.01, 0.0, 0.0)),
        JointIntent(source="warm", stamp_ns=1, velocity=(0.01,) * arm.dof),
    )
    for intent in intents:
        servo.accept(intent, 1)
        for obstacles in (None, near):
            servo.step(1, obstacles)
