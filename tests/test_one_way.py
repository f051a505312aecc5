"""One way to a robot: only the room `runtime`, behind its gates, sends setpoints and programs to controllers."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from openpendant.controllers.ur import UrDriver
from openpendant.errors import InputError
from openpendant.programs.run import KinematicPort, as_port

SOURCE = Path(__file__).parents[1] / "src" / "openpendant"
ORDERS = {"servo", "run"}
"""What moves a robot: `Controller.servo` and `Controller.run`."""
ALLOWED = {"runtime", "controllers", "testing", "virtual"}
"""The room that moves robots, the controllers themselves, the kit that checks them, and what is behind their sockets:
`virtual` cannot know `controllers` (a layer of the import contract)."""
OTHERS = {
    ("programs/run/kinematic_port.py", "self._robot.run"): "a simulated robot of this process, and no other",
    ("cli/jog.py", "remote.state.capabilities.servo"): "whether a robot takes setpoints",
    ("cli/teleop_lines.py", "state.capabilities.servo"): "whether a robot takes setpoints",
    ("cli/teleop_lines.py", "status.capabilities.servo"): "whether a robot takes setpoints",
    ("client/robots.py", "now.run"): "the run of a project, as it stands",
    ("client/robots.py", "self.now.run"): "the run of a project, as it stands",
    ("client/run_requests.py", "self._operating.run"): "the run of a project, as it stands",
    ("dialects/rapid/machine.py", "task.run"): "a task of a RAPID program, some statements of it",
    ("cli/pendant.py", "Screen(control).run"): "the screen of a pendant",
    ("server/listener.py", "server.run"): "the web server",
    ("server/listener.py", "_WebServer(app, bound, on_ready, _beside(app, lan, lan_bound)).run"): "the web server",
    ("stop_service/service.py", "StopService(msgspec.json.decode(line, type=ServiceSettings)).run"): "the stop service",
}
"""What has these names and is no controller, by module and expression."""


def orders_in(source: str) -> Iterator[str]:
    """Yield what has the name of an order in a module, called or passed on; functions of libraries are none."""
    tree = ast.parse(source)
    libraries = {
        name.asname or name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for name in node.names
        if not name.name.startswith("openpendant")
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in ORDERS:
            if not (isinstance(node.value, ast.Name) and node.value.id in libraries):
                yield ast.unparse(node)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("getattr", "attrgetter", "methodcaller"):
            names = {one.value for one in node.args if isinstance(one, ast.Constant)}
            if names & ORDERS:
                yield ast.unparse(node)


def found() -> set[tuple[str, str]]:
    return {
        (str(path.relative_to(SOURCE)), text)
        for path in SOURCE.rglob("*.py")
        if path.relative_to(SOURCE).parts[0] not in ALLOWED
        for text in orders_in(path.read_text(encoding="utf-8"))
    }


def test_only_the_runtime_moves_robots() -> None:
    assert found() == set(OTHERS)


@pytest.mark.parametrize(
    ("line", "sees"),
    [
        ("controller.servo(arm, q)", True),
        ("self.controller.run(text)", True),
        ("send = self._driver.servo", True),
        ("getattr(controller, 'servo')(arm, q)", True),
        ("import asyncio\nasyncio.run(main())", False),
        ("import openpendant.controllers as c\nc.run()", True),
        ("run(main())", False),
    ],
)
def test_the_walk_sees_what_it_looks_for(line: str, sees: bool) -> None:
    assert bool(list(orders_in(line))) is sees


@pytest.mark.parametrize("make", [KinematicPort, as_port])
def test_a_program_in_this_process_moves_simulated_robots_alone(make: Callable[[object], object]) -> None:
    with pytest.raises(InputError, match="UrDriver is not a simulated robot; run it in a CellRuntime"):
        make(UrDriver("127.0.0.1"))
