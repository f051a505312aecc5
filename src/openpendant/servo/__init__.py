"""Servo: from intents to setpoints at the robot's rate, through singularities and along limits and obstacles.

    servo = Servo(arm, joint_limits(robot), 0.004)
    servo.reset(q)
    servo.accept(TwistIntent(source="stick", stamp_ns=now, linear=(0.1, 0.0, 0.0)), now)
    step = servo.step(now)   # step.q goes to the gate, and from there to the controller

No joint ever leaves its limits of position, velocity, acceleration and jerk, whatever is wanted.
"""

from .compile_ahead import compile_kernels
from .obstacles import Obstacles, obstacle_query
from .servo import Servo
from .settings import Keep, ServoSettings
from .step import ServoStep

__all__ = ["Keep", "Obstacles", "Servo", "ServoSettings", "ServoStep", "compile_kernels", "obstacle_query"]
