"""See every configuration that brings the tool to one pose, in the vendor's own words."""

import numpy as np

import openpendant as op

for name in ("irb120", "rx90l", "ur3e"):
    robot = op.load(name)
    arm = robot.arm()
    q = robot.posture()
    answer = arm.ik(arm.fk(q), seed=q, variants=True)
    print(f"\n{robot.title}: {len(answer.solutions)} ways to the same pose, ±360° variants included")
    for solution in answer.solutions[:8]:
        degrees = " ".join(f"{value:8.2f}" for value in np.degrees(solution.q))
        print(f"  {degrees}   {solution.label:<28} {np.degrees(solution.margin_rad):6.1f}° from a limit")
