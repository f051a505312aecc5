"""Run a program on the kinematic robot in virtual time: pause it, change its speed, read its log."""

import openpendant.programs as programs
from openpendant.scene import CollisionWorld, Scene, load_demo
from openpendant.scene.demo_cells import FOLDER

cell = load_demo("bench").cell
fill = programs.read_program(FOLDER / "bench", "fill_bin", cell)
world = CollisionWorld(Scene(cell))
runner = programs.Runner(cell, fill, programs.make_kinematic_robots(world.scene), world=world)

runner.start()
while runner.time_s < 2.0:
    runner.tick()
runner.pause()
while runner.status != "paused":
    runner.tick()
print(f"paused after {runner.time_s:.2f} s, in step {runner.step_id}")
runner.resume()
runner.set_speed(0.5)
print(runner.run_to_end(), f"after {runner.time_s:.2f} s")
for event in runner.events:
    if event.kind in ("tool", "part", "pause", "speed", "end"):
        print(f"{event.time_s:8.3f} s  {event.kind:5}  {event.message}")
