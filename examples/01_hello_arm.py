"""Load an arm, ask where its flange is, and bring it back there."""

import numpy as np

import openpendant as op

robot = op.load("ur3e")
arm = robot.arm()
q = robot.posture()  # the posture it appears in; q is in radians, in the vendor's counting of axes

T_base_flange = arm.fk(q)
print(f"{robot.title}: flange at {np.round(T_base_flange[:3, 3] * 1000, 1)} mm in {arm.base}")

# Up by 50 mm. The answer holds every branch, the nearest to the seed first.
T_base_flange[2, 3] += 0.05
answer = arm.ik(T_base_flange, seed=q)
assert answer.nearest is not None
print(f"50 mm higher: joints {np.round(np.degrees(answer.nearest.q), 1)} °, {answer.nearest.label}")
