"""The old name of `openpendant.servo`; goes with the next version."""

from openpendant.servo import Keep, Obstacles, Servo, ServoSettings, ServoStep, compile_kernels, obstacle_query

__all__ = ["Keep", "Obstacles", "Servo", "ServoSettings", "ServoStep", "compile_kernels", "obstacle_query"]
