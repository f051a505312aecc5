"""Bring in your own robot from its URDF; it then stands in the catalogue like the others."""

import os
import tempfile
from pathlib import Path

URDF = """
<robot name="scara">
  <link name="base"><visual><geometry><cylinder radius="0.06" length="0.3"/></geometry></visual></link>
  <link name="inner"><visual><origin xyz="0.1 0 0"/><geometry><box size="0.25 0.08 0.06"/></geometry></visual></link>
  <link name="outer"><visual><origin xyz="0.1 0 0"/><geometry><box size="0.22 0.07 0.05"/></geometry></visual></link>
  <link name="quill"><visual><geometry><cylinder radius="0.012" length="0.2"/></geometry></visual></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="inner"/>
    <origin xyz="0 0 0.2"/><axis xyz="0 0 1"/><limit lower="-2.2" upper="2.2" velocity="4" effort="50"/></joint>
  <joint name="elbow" type="revolute"><parent link="inner"/><child link="outer"/>
    <origin xyz="0.2 0 0"/><axis xyz="0 0 1"/><limit lower="-2.5" upper="2.5" velocity="4" effort="30"/></joint>
  <joint name="lift" type="prismatic"><parent link="outer"/><child link="quill"/>
    <origin xyz="0.18 0 0"/><axis xyz="0 0 1"/><limit lower="-0.1" upper="0.05" velocity="1" effort="30"/></joint>
</robot>
"""

with tempfile.TemporaryDirectory() as home:
    os.environ["OPENPENDANT_HOME"] = home  # leave this out to keep the robot
    from openpendant import robots

    path = Path(home) / "scara.urdf"
    path.write_text(URDF)
    robot = robots.import_urdf(path)
    arm = robot.arm()
    q = [0.3, 0.8, -0.05]
    print(f"{robot.title}: {arm.dof} joints, {arm.solver.title}")
    print(f"tool at {arm.fk(q)[:3, 3].round(4)} m; catalogue: {', '.join(robots.names())}")
