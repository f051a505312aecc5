"""Print a tool pose as each vendor's own controller would."""

import numpy as np

import openpendant as op

for name in ("irb120", "rx90l", "ur3e"):
    robot = op.load(name)
    printed = robot.print_pose(robot.posture())
    print(f"{robot.title}, {printed.title}:\n    {printed.text}")

# The pose that RTDE reports is in the controller's `base`, turned by 180° against ROS' `base_link`.
ur = op.load("ur3e")
in_ros, in_controller = (ur.arm().fk(ur.posture(), base=base)[:3, 3] for base in ("base_link", "base"))
print(f"UR3e in base_link {np.round(in_ros, 4)}, in base {np.round(in_controller, 4)}")
