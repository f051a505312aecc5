"""Watch how far an arm is from its singular postures while it moves through one."""

import numpy as np

import openpendant as op

robot = op.load("irb120")
arm = robot.arm()
q = np.array(robot.posture())

print("axis 5      manipulability   distances")
for degrees in (40.0, 20.0, 5.0, 1.0, 0.0):
    q[4] = np.radians(degrees)
    distances = ", ".join(
        f"{s.name} {np.degrees(s.distance):.1f}°" if s.unit == "rad" else f"{s.name} {s.distance * 1000:.0f} mm"
        for s in arm.singularities(q)
    )
    print(f"{degrees:5.1f}°   {arm.manipulability(q):14.6f}   {distances}")
