"""Drive a tool straight through a wrist singularity: the joints keep their limits, and you choose what gives way."""

import numpy as np

import openpendant as op
from openpendant.messages import TwistIntent
from openpendant.motion import joint_limits
from openpendant.servo import Servo, ServoSettings
from openpendant.spatial import matrix_from_rotation_vector, rotation_vector_from_matrix

DT = 0.004
robot = op.load("irb120")
arm, limits = robot.arm(), joint_limits(robot)

# A line that passes the singularity (axis 5 at 0°) at an angle of 3°, 80 mm below its start.
q_singular = np.array([0.0, 0.5, 0.1, 0.0, 0.0, 0.0])
T = arm.fk(q_singular)
T[:3, :3] = matrix_from_rotation_vector(np.array([0.0, 0.0, 0.05])) @ T[:3, :3]
T[2, 3] += 0.08
q_start = arm.ik(T, seed=q_singular + np.array([0, 0, 0, 0, 0.1, 0])).nearest.q

print("keep        way      aside   turned   fastest joint")
for keep in ("position", "rotation", "both"):
    servo = Servo(arm, limits, DT, settings=ServoSettings(keep=keep))
    servo.reset(q_start)
    Q, poses = [servo.q], [servo.T_world_tool]
    for tick in range(225):
        now_ns = 1 + int(tick * DT * 1e9)
        servo.accept(TwistIntent(source="example", stamp_ns=now_ns, linear=(0.0, 0.0, -0.25)), now_ns)
        Q.append(servo.step(now_ns).q)
        poses.append(servo.T_world_tool)
    P = np.array(poses)
    way = P[0, 2, 3] - P[-1, 2, 3]
    aside = np.linalg.norm(P[:, :2, 3] - P[0, :2, 3], axis=1).max()
    turned = max(np.linalg.norm(rotation_vector_from_matrix(X[:3, :3] @ P[0, :3, :3].T)) for X in P)
    fastest = (np.abs(np.diff(Q, axis=0)) / DT / limits.velocity).max()
    print(f"{keep:9}{way * 1000:5.0f} mm  {aside * 1000:6.2f} mm  {np.degrees(turned):5.2f}°   {fastest:7.0%}")
