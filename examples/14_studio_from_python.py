"""The studio from Python: what the page does, here against its own server in a folder that goes away.

With the address of a running studio (`openpendant serve` prints it) as the only word, it works in that one.
"""

import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import openpendant as op
from openpendant.programs import MoveAxis, Program
from openpendant.scene import SetField
from openpendant.server import create_app, serving

with ExitStack() as stack:
    if len(sys.argv) > 1:
        url = sys.argv[1]
    else:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        url = stack.enter_context(serving(create_app(projects=Path(folder))))

    studio = op.connect(url, name="Ann")
    print("demos:", ", ".join(demo.title for demo in studio.demos()))
    project = stack.enter_context(studio.open(studio.create("Example", "bench")))

    # Edits are seen by everybody who has the project open, and undone by who made them.
    project.edit_cell(SetField(name="puck 1", field="color", value="#3fb37f"))
    project.undo()
    print("to redo:", project.history.redo)

    print(project.check("fill_bin").summary)
    print(studio.export(project.id, "fill_bin", "urscript")[0].text.splitlines()[0])

    # The cell's UR3e on a virtual controller; a stop would need no control.
    robots = project.robots
    stack.callback(robots.end)
    robots.start()
    robots.wait_ready("ur3e")
    robots.take_control("ur3e")
    q = robots.joints().measured["ur3e/arm"]
    nod = MoveAxis(id="s1", q=(q[0] + 0.3, *q[1:]), speed="30%")
    project.add_program(Program(name="nod", robot="ur3e", steps=(nod,)))
    robots.run("nod")
    end = robots.wait_for_end()
    print(f"{end.program}: {end.status} {end.message}")
    print(f"axis 1 has turned by {robots.joints().measured['ur3e/arm'][0] - q[0]:.3f} rad")
