"""The docstrings of the public calls: Args names every parameter, and Raises is there where an error is raised.

Read from the source, so that nothing is imported and no kernel compiled.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import openpendant

SOURCE = Path(__file__).parents[1] / "src" / "openpendant"

PUBLIC = {
    "client/joints.py": ["Joints"],
    "client/presence.py": ["PresenceThread"],
    "client/project.py": ["ClientProject"],
    "client/robots.py": ["ClientRobots"],
    "client/project_link.py": ["ProjectLink"],
    "client/run_requests.py": ["RunRequests"],
    "client/socket.py": ["ClientSocket"],
    "client/stop_socket.py": ["StopSocket"],
    "client/studio.py": ["Studio", "connect", "pair"],
    "client/samples.py": ["ClientSamples"],
    "controllers/port.py": ["Controller"],
    "gate/facts.py": ["GateFacts", "facts_in_cell", "facts_of"],
    "gate/gate.py": ["Gate"],
    "kinematics/arm.py": ["Arm"],
    "makers/exports.py": ["export_as"],
    "programs/check/program_check.py": ["check_program"],
    "programs/document/cell_project.py": ["open_project"],
    "programs/export/forms.py": ["export_program"],
    "programs/run/runner.py": ["Runner"],
    "programs/run/simulate.py": ["simulate_program"],
    "robots/catalogue.py": ["is_built_in", "load", "names", "remove"],
    "robots/robot.py": ["Robot"],
    "robots/urdf_import/bundle.py": ["import_robot_file"],
    "robots/urdf_import/importer.py": ["import_urdf"],
    "runtime/cell_runs.py": ["CellRuns"],
    "runtime/cell_runtime.py": ["CellRuntime"],
    "runtime/program_run.py": ["ProgramRun"],
    "runtime/remote_robot.py": ["RemoteRobot"],
    "runtime/robot_commands.py": ["RobotCommands"],
    "runtime/sample_stream.py": ["SampleStream"],
    "scene/collision/collision_world.py": ["CollisionWorld"],
    "servo/servo.py": ["Servo"],
    "virtual/launch.py": ["start_virtual"],
}

SECTION = re.compile(r"^(Args|Returns|Yields|Raises|Attributes|Note|Notes|Example|Examples):$")
ENTRY = re.compile(r"^ {4}\*{0,2}(\w+)(?: \([^)]*\))?: \S")


@dataclass(frozen=True)
class Call:
    """A public function or method, with the module and the class that it stands in."""

    where: str
    node: ast.FunctionDef
    module: ast.Module
    owner: ast.ClassDef | None

    @property
    def parameters(self) -> list[str]:
        given = self.node.args
        every = [*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg]
        decorators = {name.id for name in self.node.decorator_list if isinstance(name, ast.Name)}
        bound = self.owner is not None and "staticmethod" not in decorators
        return [parameter.arg for parameter in every[1 if bound else 0 :] if parameter is not None]


def sections(docstring: str) -> dict[str, list[str]]:
    """Return the lines below each heading of a docstring, the summary under an empty one."""
    found: dict[str, list[str]] = {"": []}
    heading = ""
    for line in docstring.splitlines():
        match = SECTION.match(line)
        if match:
            heading = match[1]
            found[heading] = []
        else:
            found[heading].append(line)
    return found


def entries(lines: list[str]) -> list[str]:
    """Return the names that a section explains."""
    return [match[1] for line in lines if (match := ENTRY.match(line))]


@cache
def error_names() -> frozenset[str]:
    """Return every class below OpenPendantError, by the bases written in the source."""
    bases: dict[str, set[str]] = {}
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                bases[node.name] = {base.id for base in node.bases if isinstance(base, ast.Name)}
    errors = {"OpenPendantError"}
    while more := {name for name, above in bases.items() if above & errors} - errors:
        errors |= more
    return frozenset(errors)


def helpers(call: Call) -> dict[str, ast.FunctionDef]:
    """Return what a call can use beside it: `self.<method>` of its class and functions of its module."""
    inside = [] if call.owner is None else call.owner.body
    return {f"self.{node.name}": node for node in inside if isinstance(node, ast.FunctionDef)} | {
        node.name: node for node in call.module.body if isinstance(node, ast.FunctionDef)
    }


def raised(node: ast.FunctionDef, beside: dict[str, ast.FunctionDef], seen: set[str]) -> Iterator[str]:
    """Yield the errors of ours that a function raises, itself or by what stands beside it."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Raise) and isinstance(inner.exc, ast.Call) and isinstance(inner.exc.func, ast.Name):
            if inner.exc.func.id in error_names():
                yield inner.exc.func.id
        elif isinstance(inner, ast.Call):
            name = ast.unparse(inner.func)
            if name in beside and name not in seen:
                seen.add(name)
                yield from raised(beside[name], beside, seen)


def public_calls() -> Iterator[Call]:
    for file, names in PUBLIC.items():
        module = ast.parse((SOURCE / file).read_text(encoding="utf-8"))
        known = {node.name: node for node in module.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
        for name in names:
            node = known[name]
            if isinstance(node, ast.FunctionDef):
                yield Call(f"{file}:{name}", node, module, None)
                continue
            for method in node.body:
                if not isinstance(method, ast.FunctionDef) or method.name.startswith("_"):
                    continue
                decorators = {ast.unparse(decorator) for decorator in method.decorator_list}
                if not decorators & {"property", "cached_property", f"{method.name}.setter"}:
                    yield Call(f"{file}:{name}.{method.name}", method, module, node)


CALLS = list(public_calls())
WITH_PARAMETERS = [call for call in CALLS if call.parameters]


@pytest.mark.parametrize("call", WITH_PARAMETERS, ids=lambda call: call.where)
def test_args_names_every_parameter(call: Call) -> None:
    told = entries(sections(ast.get_docstring(call.node) or "").get("Args", []))
    assert told == call.parameters


@pytest.mark.parametrize("call", WITH_PARAMETERS, ids=lambda call: call.where)
def test_raises_is_told(call: Call) -> None:
    errors = sorted(set(raised(call.node, helpers(call), set())))
    told = entries(sections(ast.get_docstring(call.node) or "").get("Raises", []))
    assert told or not errors, f"raises {', '.join(errors)}"
    assert set(told) <= error_names() | {"TypeError", "ValueError", "TimeoutError", "OSError"}


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.where)
def test_no_section_is_empty(call: Call) -> None:
    told = sections(ast.get_docstring(call.node) or "")
    assert told[""]
    assert all(any(line.strip() for line in lines) for lines in told.values())


def test_what_the_package_itself_offers_is_held() -> None:
    offered = set(openpendant.__all__) - {"__version__"}
    assert offered <= {name for names in PUBLIC.values() for name in names}


def test_an_error_behind_a_private_helper_counts() -> None:
    helper = "def look(x):\n raise InputError('x')\n"
    module = ast.parse("class A:\n def go(self, x): self._see(x)\n def _see(self, x): look(x)\n" + helper)
    owner = module.body[0]
    assert isinstance(owner, ast.ClassDef)
    node = owner.body[0]
    assert isinstance(node, ast.FunctionDef)
    call = Call("A.go", node, module, owner)
    assert set(raised(node, helpers(call), set())) == {"InputError"}


def test_a_parameter_without_its_line_is_missed() -> None:
    docstring = "Move.\n\nArgs:\n    q: (n,): radians.\n        More of it.\n\nRaises:\n    InputError: Bad q.\n"
    assert entries(sections(docstring)["Args"]) == ["q"]
    assert entries(sections(docstring)["Raises"]) == ["InputError"]
