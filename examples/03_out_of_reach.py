"""Ask for poses that cannot be had: the answer is a value that says why, and what is nearest."""

import numpy as np

import openpendant as op

robot = op.load("irb120")
arm = robot.arm()
q = robot.posture()

wishes = {"far away": (0.8, 0.0, 0.0), "inside itself": (-0.35, 0.0, 0.1), "under the floor": (-0.4, 0.0, -0.6)}
for title, shift in wishes.items():
    T_wish = arm.fk(q)
    T_wish[:3, 3] += shift
    answer = arm.ik(T_wish, seed=q)
    if answer.unreachable is None:
        print(f"{title}: reached in {len(answer.solutions)} ways")
        continue
    missed = np.linalg.norm(answer.unreachable.T_nearest[:3, 3] - T_wish[:3, 3])
    print(f"{title}: {answer.unreachable.reason}; the nearest pose is {missed * 1000:.0f} mm away")
