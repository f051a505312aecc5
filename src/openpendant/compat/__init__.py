"""The class interface of an earlier system, on the robots of today.

    with RobotOrders("ur3e") as robot:
        robot.moveJoints([0.0, -1.6, 0.0, -1.6, 0.0, 0.0])

In: joints in radians. Out: 1 or 0, joints, and the position of the arm's end in metres in `base`.
"""

from .robot_orders import RobotOrders

__all__ = ["RobotOrders"]
