"""The same three calls for two arms of two makers, a UR3e and an IRB 120, each on its virtual controller."""

import math
import sys

from openpendant.compat import RobotOrders

# The loopback address of the virtual controllers, one after the other; that of a real one goes into the
# second place: RobotOrders("ur3e", "192.168.0.10").
VIRTUAL = sys.argv[1] if len(sys.argv) > 1 else None

for name, start in (("ur3e", (0.0, -1.6, 0.0, -1.6, 0.0, 0.0)), ("irb120", (0.0, 0.0, 0.0, 0.0, 0.5, 0.0))):
    with RobotOrders(name, virtual=VIRTUAL) as robot:
        print(f"{name} begins at", [round(math.degrees(q), 1) for q in robot.ask4RobotJoints()], "degrees")
        for base in (0.0, 0.6, -0.6):
            reached = robot.moveJoints([base, *start[1:]])
            x, y, z = robot.ask4AbsPosition()
            print(f"  moveJoints -> {reached}: the flange is at x {x:.3f}, y {y:.3f}, z {z:.3f} m in base {robot.why}")
