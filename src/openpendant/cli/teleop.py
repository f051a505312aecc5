"""`openpendant teleop`: drive an arm with a gamepad, without a browser."""

import contextlib
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from openpendant.teleop import DeviceSession, TwistMapping

    from .teleop_lines import CellLine, StudioLine

STEP_S = 0.01
"""Between two samples: half a period of what the gate expects from a page."""
FIND_EVERY_S = 1.0
"""How often it looks for a pad that was pulled."""
CONTACT_S = 30.0
FRAMES = ("base", "tool", "world")


def add_to(app: typer.Typer) -> None:
    """Give `app` the verb."""
    app.command("teleop")(teleop)


def teleop(
    robot: Annotated[
        str, typer.Argument(metavar="ROBOT", help="Name in the catalogue; with --studio, its name in the cell.")
    ],
    device: Annotated[str, typer.Option("--device", help="What to drive with: gamepad.")] = "gamepad",
    pad: Annotated[int, typer.Option("--pad", metavar="N", help="Which gamepad, from 0.")] = 0,
    arm: Annotated[str, typer.Option("--arm", help="Arm to drive; the first by default.")] = "",
    address: Annotated[
        str | None, typer.Option("--address", help="Address of its controller, real or virtual.")
    ] = None,
    full_speed: Annotated[bool, typer.Option("--full-speed", help="Let the elbow go faster than 250 mm/s.")] = False,
    frame: Annotated[str, typer.Option("--frame", help="Whose axes: base, tool or world.")] = "base",
    scale: Annotated[float, typer.Option("--scale", help="Share of the full speed, more than 0 and at most 1.")] = 1.0,
    studio: Annotated[str | None, typer.Option("--studio", metavar="URL", help="Drive in a running studio.")] = None,
    project: Annotated[str | None, typer.Option("--project", help="Open project of the studio.")] = None,
    token: Annotated[str, typer.Option("--token", help="For a studio on another machine: what `pair` gave.")] = "",
    seconds: Annotated[
        float | None, typer.Option("--seconds", metavar="S", help="End after this time; without it, Ctrl+C ends.")
    ] = None,
) -> None:
    """Drive an arm with a gamepad: hold a trigger, and move the sticks.

    Without --address, drive a kinematic robot. With --studio, drive a robot of a project, as a person in it.
    """
    from openpendant.errors import InputError
    from openpendant.teleop import PAD, DeviceSession, TwistMapping, open_gamepad

    if device != "gamepad":
        raise InputError(f"--device {device!r}; allowed: gamepad")
    if frame not in FRAMES:
        raise InputError(f"--frame {frame!r}; allowed: {', '.join(FRAMES)}")
    if studio is None and project is not None:
        raise InputError("--project is for --studio URL")
    if studio is not None and (address is not None or full_speed):
        raise InputError("--address and --full-speed are the studio's to choose; leave them out with --studio")
    mapping = TwistMapping(replace(PAD, frame=frame, scale=scale))
    line = (
        own_cell(robot, arm, address, full_speed) if studio is None else in_studio(studio, project, robot, arm, token)
    )
    with line as to, ThreadPoolExecutor(1, "openpendant-engage") as waiter:
        opened = open_gamepad(pad)
        session = DeviceSession(opened, mapping, to, waiter)
        print(f"{opened.title}: hold a trigger and move the sticks. Ctrl+C ends.")
        with contextlib.suppress(KeyboardInterrupt):
            drive(session, mapping, to, pad, None if seconds is None else time.monotonic() + seconds)
        session.let_go()


@contextlib.contextmanager
def own_cell(robot: str, arm: str, address: str | None, full_speed: bool) -> Generator["CellLine"]:
    """Run a cell with this robot alone; it is stopped at the end."""
    from openpendant import robots

    from .jog import make_runtime
    from .teleop_lines import CellLine

    model = robots.load(robot)
    name = model.arm(arm or None).name
    with make_runtime(model, address, full_speed=full_speed) as runtime:
        remote = runtime.robot(model.name)
        remote.wait_ready(CONTACT_S, unless=lambda: name in remote.state.arms)
        line = CellLine(remote, name)
        try:
            yield line
        finally:
            line.close()


@contextlib.contextmanager
def in_studio(url: str, project: str | None, robot: str, arm: str, token: str) -> Generator["StudioLine"]:
    """Be a person in a project of a studio, whose robots run."""
    from openpendant.client import connect
    from openpendant.errors import InputError

    from .teleop_lines import StudioLine

    server = connect(url, name="Gamepad", token=token)
    there = [one.id for one in server.projects()]
    if project is None and len(there) == 1:
        project = there[0]
    if project is None or project not in there:
        raise InputError(f"--project {project or 'is missing'}; allowed: {', '.join(there) or 'there is none'}")
    with server.open(project) as opened:
        if opened.robots.now.state != "on":
            raise InputError(f"the robots of {project} do not run; connect them in Operate first")
        opened.robots.status(robot)
        line = StudioLine(opened, robot, arm)
        try:
            yield line
        finally:
            line.close()


def drive(
    session: "DeviceSession",
    mapping: "TwistMapping",
    line: "CellLine | StudioLine",
    pad: int,
    until_s: float | None,
) -> None:
    """Read the pad a hundred times a second, until the time is over; say what changes."""
    told = ""
    due = find = time.monotonic()
    while until_s is None or time.monotonic() < until_s:
        wish = session.step()
        now = time.monotonic()
        for press in () if wish is None else wish.presses:
            if press.down:
                act(press.control, mapping, line)
        gone = session.sample is not None and not session.sample.present
        if gone and now >= find:
            find = now + FIND_EVERY_S
            find_again(session, pad)
        says = "the gamepad is gone; plug it in again" if gone else "driving" if session.engaged else str(session.why)
        if says != told and says:
            print(says)
        told = says
        due = max(due + STEP_S, now)
        time.sleep(max(0.0, due - time.monotonic()))


def find_again(session: "DeviceSession", pad: int) -> None:
    """Take the pad that was plugged in again, if it was; its switch has to be pressed again."""
    from openpendant.errors import InputError
    from openpendant.teleop import open_gamepad

    with contextlib.suppress(InputError):
        found = open_gamepad(pad)
        session.device.close()
        session.device = found


def act(control: str, mapping: "TwistMapping", line: "CellLine | StudioLine") -> None:
    """Do what a press means."""
    from openpendant.errors import OpenPendantError

    match control:
        case "left stick press":
            frame = FRAMES[(FRAMES.index(mapping.settings.frame) + 1) % len(FRAMES)]
            mapping.settings = replace(mapping.settings, frame=frame)
            print(f"axes of {frame}")
        case "right bumper":
            try:
                print(line.store())
            except OpenPendantError as error:
                print(error)
        case _:
            pass
