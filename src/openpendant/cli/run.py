"""`openpendant run`: a program on the kinematic robot, in virtual or in real time."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from .cells import CellArgument, ProgramArgument, open_program
from .joints import JsonOption

if TYPE_CHECKING:
    from openpendant.programs import RunEvent, Runner

FAILED = 1


def add_to(app: typer.Typer) -> None:
    """Give `app` the verb."""
    app.command("run")(run)


def run(
    cell: CellArgument,
    program: ProgramArgument = None,
    virtual_time: Annotated[
        bool, typer.Option("--virtual-time", help="Run as fast as possible instead of in real time.")
    ] = False,
    at: Annotated[str | None, typer.Option("--from", metavar="STEP", help="Start at the step with this id.")] = None,
    loops: Annotated[int, typer.Option("--loops", metavar="N", help="Number of times to run the program.")] = 1,
    speed: Annotated[float, typer.Option("--speed", metavar="PERCENT", help="Speed override in percent.")] = 100.0,
    inputs: Annotated[
        list[str] | None, typer.Option("--input", metavar="NAME=on|off", help="Set an input; repeatable.")
    ] = None,
    limit: Annotated[
        float, typer.Option("--limit", metavar="SECONDS", help="Stop after this much program time.")
    ] = 3600.0,
    unchecked: Annotated[bool, typer.Option("--unchecked", help="Run even if the check fails.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Run a program on the kinematic robot and print what happens.

    The program is checked first. Exit code: 0 if it ran to the end, 1 if the check or the run failed, 2 on misuse.
    """
    import msgspec

    from openpendant.errors import InputError
    from openpendant.programs import Runner, check_program, make_kinematic_robots
    from openpendant.scene import CollisionWorld, Scene

    if loops < 1:
        raise InputError(f"--loops {loops}; allowed: 1 or more")
    chosen = open_program(cell, program)
    world = CollisionWorld(Scene(chosen.cell, chosen.folder))
    given = parse_inputs(inputs or [])
    plants = make_kinematic_robots(world.scene, inputs=given)
    if not unchecked:
        report = check_program(
            chosen.cell,
            chosen.program,
            programs=chosen.programs,
            folder=chosen.folder,
            inputs=given,
            world=world,
            start_at=at,
            loop=loops > 1,
        )
        if not report.clear:
            print(f"{chosen.program.name} was not run: {report.summary}")
            raise typer.Exit(FAILED)
    runner = Runner(
        chosen.cell,
        chosen.program,
        plants,
        programs=chosen.programs,
        folder=chosen.folder,
        world=world,
        loop=loops > 1,
    )
    runner.set_speed(speed / 100.0)
    runner.start(at)
    follow(runner, loops, limit, None if virtual_time else time.monotonic, as_json=as_json)
    if as_json:
        print(msgspec.json.encode(runner.events).decode())
    if runner.status != "done":
        if not as_json:
            print(f"{chosen.program.name} did not run to the end: {runner.message or runner.status}")
        raise typer.Exit(FAILED)


def follow(runner: "Runner", loops: int, limit_s: float, clock: Callable[[], float] | None, *, as_json: bool) -> None:
    """Tick until the run ends; with a clock, each tick at its time."""
    shown = 0
    began = clock() if clock is not None else 0.0
    while runner.status in ("running", "paused") and runner.time_s < limit_s:
        if runner.rounds + 1 >= loops:
            runner.loop = False
        runner.tick()
        if not as_json:
            for event in runner.events[shown:]:
                show(event)
            shown = len(runner.events)
        if clock is not None:
            ahead = runner.time_s - (clock() - began)
            if ahead > 0.0:
                time.sleep(ahead)


def show(event: "RunEvent") -> None:
    """Print one line of the log."""
    where = "" if event.step is None else f"{event.program}/{event.step}  "
    print(f"{event.time_s:9.3f} s  {event.kind:9}  {where}{event.message}")


def parse_inputs(words: list[str]) -> dict[str, bool]:
    """Return inputs given as NAME=on or NAME=off; raises InputError on others."""
    from openpendant.errors import InputError

    given: dict[str, bool] = {}
    for word in words:
        name, sign, value = word.strip().rpartition("=")
        if not sign or value not in ("on", "off"):
            raise InputError(f"--input {word!r} is invalid: use NAME=on or NAME=off")
        given[name] = value == "on"
    return given
