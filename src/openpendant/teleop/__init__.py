"""Teleoperation: from what a person or a policy wants (`Intent`) to setpoints that an arm can follow.

In: intents from `openpendant.messages`. Out: joints for every tick of the robot, by `servo.Servo`.
"""

from .servo import Keep, Obstacles, Servo, ServoSettings, ServoStep, obstacle_query, warm_up

__all__ = ["Keep", "Obstacles", "Servo", "ServoSettings", "ServoStep", "obstacle_query", "warm_up"]
