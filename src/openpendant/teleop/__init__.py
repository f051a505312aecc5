"""The old name of `openpendant.servo`; goes with the next version."""

from openpendant.servo import Keep, Obstacles, Servo, ServoSettings, ServoStep, obstacle_query, warm_up

__all__ = ["Keep", "Obstacles", "Servo", "ServoSettings", "ServoStep", "obstacle_query", "warm_up"]
