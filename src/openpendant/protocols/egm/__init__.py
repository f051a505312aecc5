"""EGM: ABB's Externally Guided Motion, as protocol buffers in UDP datagrams.

The robot sends an `EgmRobot` every few milliseconds, the sensor (a PC) answers to the port it came from with an
`EgmSensor` or an `EgmSensorPathCorr`. Values are what the wire carries: degrees, millimetres, quaternions w, x, y, z.
"""

from .fields import decode_message, encode_message
from .messages import (
    EgmCartesian,
    EgmClock,
    EgmCollisionInfo,
    EgmEuler,
    EgmFeedBack,
    EgmHeader,
    EgmJoints,
    EgmMeasuredForce,
    EgmMessageType,
    EgmMotionState,
    EgmMotorState,
    EgmPathCorr,
    EgmPlanned,
    EgmPose,
    EgmQuaternion,
    EgmRapidData,
    EgmRapidState,
    EgmRobot,
    EgmRobotJoints,
    EgmSensor,
    EgmSensorPathCorr,
    EgmSpeedRef,
    decode_robot,
    decode_robot_joints,
    decode_sensor,
)

__all__ = [
    "EgmCartesian",
    "EgmClock",
    "EgmCollisionInfo",
    "EgmEuler",
    "EgmFeedBack",
    "EgmHeader",
    "EgmJoints",
    "EgmMeasuredForce",
    "EgmMessageType",
    "EgmMotionState",
    "EgmMotorState",
    "EgmPathCorr",
    "EgmPlanned",
    "EgmPose",
    "EgmQuaternion",
    "EgmRapidData",
    "EgmRapidState",
    "EgmRobot",
    "EgmRobotJoints",
    "EgmSensor",
    "EgmSensorPathCorr",
    "EgmSpeedRef",
    "decode_message",
    "decode_robot",
    "decode_robot_joints",
    "decode_sensor",
    "encode_message",
]
