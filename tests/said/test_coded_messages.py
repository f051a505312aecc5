"""What may reach a page is raised and sent with a code: a plain sentence would be English on a page in any language."""

import ast
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from pkgutil import iter_modules

import msgspec
import pytest

from openpendant import errors, messages

SOURCES = Path(errors.__file__).parent
ROOMS = (
    "archives.py",
    "controllers",
    "documents",
    "makers",
    "pool",
    "programs",
    "projects",
    "robots",
    "runtime",
    "scene",
    "server",
)
"""Rooms whose errors a page shows, because a person has asked for something there or a robot reports them."""
PLACES = {"RobotFileError": 1, "CellFileError": 2, "TakenNameError": 1, "DocumentFault": 1}
"""Where an error takes its message; others take it first."""
ERRORS = {"OpenPendantError", "DocumentFault", *re.findall(r"── (\w+)", errors.__doc__ or "")} - {"UnknownNameError"}
"""Those that are given a sentence; an unknown name is told by the error itself."""
PLAIN = {
    "controllers/jobs.py": "a job is built by the runtime from what was checked",
    "controllers/kinematic_robot.py:__post_init__": "a robot is built from a cell that was validated",
    "controllers/kinematic_robot.py:_check": "sampled paths are run from Python; the runtime sends setpoints",
    "controllers/kinematic_robot.py:servo": "the runtime's setpoints have the shape of the arm and are finite",
    "controllers/kinematic_robot.py:advance": "ticks are counted by whoever drives it from Python",
    "controllers/ur/program_stop.py:checked_deceleration": "a driver is built from facts that were validated",
    "controllers/abb/arm.py": "an arm is described by facts that were validated",
    "controllers/abb/driver.py:__init__": "a driver is built from facts that were validated",
    "controllers/abb/guided_arm.py:check_joints": "the runtime's setpoints have the shape of the arm and are finite",
    "controllers/ur/driver.py:servo": "the runtime's setpoints have the shape of the arm and are finite",
    "controllers/stream.py": "sampled paths are run from Python; the runtime sends setpoints",
    "makers/texts.py": "the language of a text is chosen on the command line",
    "makers/abb.py": "options of a virtual controller come from the command line",
    "makers/universal_robots.py": "options of a virtual controller come from the command line",
    "programs/check/program_check.py": "a sequence of programs is checked from Python and the command line",
    "programs/document/files.py": "only Python can put a value of another type into a program",
    "programs/export/csv.py": "the period of samples is chosen from Python and the command line",
    "programs/run/kinematic_port.py": "robots without a runtime are Python's",
    "programs/run/runner.py:__init__": "the runtime gives every robot of the program a port",
    "programs/run/simulate.py": "the server checks the period that a page asks for",
    "robots/facts_file.py": "a facts.toml is written by hand; its faults name its fields",
    "runtime/bus.py:join": "endpoints are passed between our own processes",
    "runtime/bus.py:key": "names in a cell are validated",
    "runtime/bus_codec.py": "trajectories are encoded by our own processes",
    "runtime/cell_runs.py": "the server starts a runtime before it uses it",
    "runtime/cell_runtime.py": "the server starts a runtime before it uses it",
    "runtime/corridor.py": "corridors are made from a check",
    "runtime/loop.py:command": "an internal error is shown as Python names it",
    "runtime/loop.py:_upload": "an upload is made from a program that was checked",
    "runtime/loop.py:_watched": "an upload is made from a program that was checked",
    "runtime/new_motions.py:approach_motion": "a page cannot choose how an arm approaches joints",
    "runtime/process.py:_receive_command": "commands are encoded by our own processes",
    "runtime/program_run.py": "the runtime has a run checked before it starts it",
    "runtime/run_options.py": "the server checks a run before it starts it, in a mode of the protocol",
    "runtime/run_life.py": "the runtime takes a run through its states in order",
    "runtime/sample_stream.py": "samples are read from Python",
    "scene/collision/collision_world.py:__init__": "pairs are chosen from Python",
    "scene/collision/collision_world.py:_by_arm": "joints are given from Python",
    "scene/collision/collision_world.py:_rows": "paths are made by the planner",
    "scene/collision/grip.py": "a run asks only for parts that it is about to grasp or release",
    "scene/document/files.py": "only Python can put a value of another type into a cell",
    "server/access/certificates.py": "read when the server starts, before there is a page",
    "server/access/lan.py": "addresses are given on the command line",
    "server/guard.py": "who is refused here gets no page",
    "server/listener.py": "the server has not started; there is no page",
    "server/studio/robot_actions.py": "a message of another kind cannot be decoded",
}
"""Where a sentence may stay plain, by module or by module and function, and why no page shows it."""


def fields() -> dict[str, str]:
    """Return where a message to a page or another process has its sentence, for those that also have a code."""
    modules = [importlib.import_module(f"{messages.__name__}.{one.name}") for one in iter_modules(messages.__path__)]
    kinds = {one for module in modules for one in vars(module).values() if isinstance(one, type)}
    sent = {one.__name__: one.__struct_fields__ for one in kinds if issubclass(one, msgspec.Struct)}
    return {
        name: sentence
        for name, parts in sent.items()
        for sentence in ("message", "reason", "summary", "why", "fault", "recovered", "title")
        if {"said", sentence} <= set(parts) and not (sentence == "title" and {"why", "fault"} & set(parts))
    }


SENT = fields()


@dataclass(frozen=True)
class Function:
    """A function or method, and the module that it is in."""

    node: ast.FunctionDef | ast.AsyncFunctionDef
    module: ast.Module

    def assigned(self, name: str) -> list[ast.expr]:
        """Return what a local name is set to."""
        found: list[ast.expr] = []
        for node in ast.walk(self.node):
            match node:
                case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                    found.append(value)
                case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value) if target == name:
                    found.append(value)
                case ast.NamedExpr(target=ast.Name(id=target), value=value) if target == name:
                    found.append(value)
                case _:
                    pass
        return found


def functions(module: ast.Module) -> list[Function]:
    return [
        Function(one, module) for one in ast.walk(module) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def is_plain(text: ast.expr, inside: Function, seen: frozenset[str] = frozenset()) -> bool:
    """Return whether a message may be a sentence without a code."""
    match text:
        case ast.Constant(value=str(words)):
            return bool(words)
        case ast.JoinedStr() | ast.BinOp() | ast.Call(func=ast.Name(id="str") | ast.Attribute(attr="join" | "format")):
            return True
        case ast.IfExp(body=one, orelse=other):
            return is_plain(one, inside, seen) or is_plain(other, inside, seen)
        case ast.BoolOp(values=several):
            return any(is_plain(one, inside, seen) for one in several)
        case ast.Call(func=ast.Name(id="shorten"), args=[one]):
            return is_plain(one, inside, seen)
        case ast.Name(id=name) if name not in seen:
            return any(is_plain(one, inside, seen | {name}) for one in inside.assigned(name))
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(value=ast.Name(id="self"), attr=name)) if name not in seen:
            return any(
                is_plain(node.value, one, seen | {name})
                for one in functions(inside.module)
                if one.node.name == name
                for node in ast.walk(one.node)
                if isinstance(node, ast.Return) and node.value is not None
            )
        case _:
            return False


def sentence_of(call: ast.Call) -> ast.expr | None:
    """Return the sentence that a call gives to an error or a message; None: it gives none."""
    kind = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    named = {one.arg: one.value for one in call.keywords}
    if kind in SENT:
        return named.get(SENT[kind])
    at = PLACES.get(kind, 0)
    return call.args[at] if kind in ERRORS and len(call.args) > at else None


def plain_in(module: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield function and call where an error or a message gets a sentence without a code."""
    for function in functions(module):
        for node in ast.walk(function.node):
            if isinstance(node, ast.Call) and (text := sentence_of(node)) is not None and is_plain(text, function):
                yield function.node.name, f"line {node.lineno}: {ast.unparse(node)}"


@cache
def found() -> list[tuple[str, str, str]]:
    paths = [
        one for room in ROOMS for one in ([SOURCES / room] if room.endswith(".py") else (SOURCES / room).rglob("*.py"))
    ]
    return [
        (path.relative_to(SOURCES).as_posix(), function, call)
        for path in sorted(paths)
        for function, call in plain_in(ast.parse(path.read_text()))
    ]


def test_errors_and_messages_that_reach_a_page_have_codes() -> None:
    wrong = [f"{file}, {call}" for file, function, call in found() if not {file, f"{file}:{function}"} & PLAIN.keys()]
    assert wrong == []


@pytest.mark.parametrize("place", PLAIN)
def test_no_exception_is_left_over(place: str) -> None:
    assert place in {one for file, function, _ in found() for one in (file, f"{file}:{function}")}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("raise InputError('too large')", 1),
        ("raise errors.InputError(f'{name} is too large')", 1),
        ("raise InputError('too ' + name)", 1),
        ("why = 'too large'\n    raise InputError(why)", 1),
        ("if why := 'too large':\n        raise InputError(why)", 1),
        ("raise InputError('large' if name else say('size.large'))", 1),
        ("raise InputError(str(name))", 1),
        ("raise InputError(', '.join(name))", 1),
        ("raise InputError(judge(name))", 1),
        ("raise CellFileError(path, '', 'too large')", 1),
        ("raise RobotFileError(path, 'too large', line=3)", 1),
        ("yield DocumentFault('/size', 'too large')", 1),
        ("return Problem(message='too large')", 1),
        ("return Denied(reason=f'{name} is too large')", 1),
        ("send(Failed(id=None, message=shorten('too large')))", 1),
        ("raise InputError(say('size.large', name='too large'))", 0),
        ("raise CellFileError(path, '/size', say('size.large'))", 0),
        ("raise UnknownNameError('robot', name, known)", 0),
        ("raise ValueError('too large')", 0),
        ("why = say('size.large')\n    raise InputError(why)", 0),
        ("raise InputError(error.said)", 0),
        ("return Problem(message='')", 0),
    ],
)
def test_a_plain_sentence_is_found(text: str, count: int) -> None:
    source = (
        f"def act(name, path, error, known):\n    {text}\n\ndef judge(name):\n    return f'{{name}} is too large'\n"
    )
    assert len(list(plain_in(ast.parse(source)))) == count
