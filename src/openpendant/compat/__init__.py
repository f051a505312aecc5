"""The PC's sides of earlier systems, on the robots of today.

    with RobotOrders("ur3e") as robot:
        robot.moveJoints([0.0, -1.6, 0.0, -1.6, 0.0, 0.0])

    arm = VrArmClient("192.168.125.1")
    arm.move_to_joints([0, 0, 0, 0, 30, 0], speed="medium")

In: joints, poses. Out: what the robot did, joints, positions. `RobotOrders` has radians and metres, the others degrees
and millimetres, as their robots do.
"""

from .robot_orders import RobotOrders
from .vr_arm_client import PRECISION_CODES, SPEED_CODES, VrArmClient, VrArmStream

__all__ = ["PRECISION_CODES", "SPEED_CODES", "RobotOrders", "VrArmClient", "VrArmStream"]
