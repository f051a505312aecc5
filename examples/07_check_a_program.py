"""Check a whole program before anything moves: does it run, how long, how near, and if not, why not."""

import openpendant.programs as programs
from openpendant.scene import load_demo
from openpendant.scene.demo_cells import FOLDER

cell = load_demo("pick_and_place").cell
sort = programs.read_program(FOLDER / "pick_and_place", "sort_cubes", cell)
print(programs.print_program(sort))

report = programs.check_program(cell, sort)
print(f"\n{report.summary}")

# Put the first cube down 30 mm too deep, and ask again.
document = programs.ProgramDocument(sort, lambda: cell)
put_down = next(step.id for _, step in programs.all_steps(sort) if getattr(step, "to", "") == "at slot 1")
document.apply(programs.EditStep(id=put_down, field="offset", value={"by": [0.0, 0.0, -0.03]}))
report = programs.check_program(cell, document.program)
print(report.summary)
for alternative in report.failing[0].alternatives:
    print(f"    or: {alternative.message}")

document.undo()
print(programs.check_program(cell, document.program).summary)
