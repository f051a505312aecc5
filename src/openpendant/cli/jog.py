"""`openpendant jog`: move a robot with the keyboard; the robot runs in its own process, as in every cell."""

import contextlib
import math
import os
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import FrameType
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from .jog_keys import HOLD_S
from .jog_session import JogSession

if TYPE_CHECKING:
    from rich.console import Group

    from openpendant.robots import Robot
    from openpendant.runtime import CellRuntime

STEP_S = 0.02
"""Between two commands from the keys to the robot."""
SHOW_EVERY_S = 0.1
MOST_KEYS = 64
CONTACT_S = 30.0
"""How long to wait for the first joints of a robot."""
SETTLE_S = 5.0
"""How long a played key waits for the arm to follow, and the end of a key list for it to rest."""


def add_to(app: typer.Typer) -> None:
    """Give `app` the verb."""
    app.command("jog")(jog)


def jog(
    robot: Annotated[str, typer.Argument(metavar="ROBOT", help="Name in the catalogue.")],
    arm: Annotated[str | None, typer.Option("--arm", help="Arm to jog; the first by default.")] = None,
    address: Annotated[
        str | None, typer.Option("--address", help="Address of its controller, real or virtual.")
    ] = None,
    joints: Annotated[bool, typer.Option("--joints", help="Start in joint mode instead of tool mode.")] = False,
    full_speed: Annotated[bool, typer.Option("--full-speed", help="Let the tool go faster than 250 mm/s.")] = False,
    keys: Annotated[
        str | None, typer.Option("--keys", help="Hold these keys one after the other, 0.15 s each, then exit.")
    ] = None,
) -> None:
    """Jog a robot with the keyboard: hold a key to move, release it to stop.

    Without --address, jog a kinematic robot.
    """
    from openpendant import robots
    from openpendant.errors import InputError

    model = robots.load(robot)
    name = model.arm(arm).name
    if keys is None and not sys.stdin.isatty():
        raise InputError("jog needs a terminal, or --keys")
    if keys is not None and address is not None:
        raise InputError("--keys is for the kinematic robot only; leave out --address")
    with (
        make_runtime(model, address, full_speed=full_speed) as runtime,
        ThreadPoolExecutor(1, "openpendant-engage") as waiter,
    ):
        remote = runtime.robot(model.name)
        remote.wait_ready(CONTACT_S, unless=lambda: name in remote.state.arms)
        if not remote.state.capabilities.servo:
            raise InputError(f"{model.name} accepts no setpoints, so it cannot be jogged")
        session = JogSession(remote, name, waiter, joints=joints)
        if keys is None:
            screen(session)
        else:
            play(session, keys.strip() or keys)


def make_runtime(model: "Robot", address: str | None, *, full_speed: bool) -> "CellRuntime":
    """Return a cell with this robot alone, to be started: at an address, or kinematic.

    Raises:
        InputError: No driver speaks to such a robot, or the address is not one of its controllers.
    """
    from openpendant.runtime import CellRuntime
    from openpendant.scene import Cell, CellRobot

    return CellRuntime(
        Cell(name="jog", robots=(CellRobot(name=model.name, model=model.name),)),
        addresses={} if address is None else {model.name: address},
        virtual=False,
        name="openpendant jog",
        reduced=not full_speed,
        dead_man=True,
    )


def play(session: JogSession, keys: str) -> None:
    """Hold keys one after the other, and print where the tool was and is."""
    told: list[str] = []
    print(line(session))
    for key in keys:
        session.keys.press(key, session.robot.now_ns())
        if session.keys.held(session.robot.now_ns()):
            wait_until_followed(session, key)
        for _ in steps(HOLD_S):
            session.step()
            told += [why for why in session.why if why not in told]
    for _ in steps(SETTLE_S):
        session.step()
        if not (session.job or session.moving):
            break
    print(line(session))
    for why in told:
        print(why)


def wait_until_followed(session: JogSession, key: str) -> None:
    """Hold a key until the arm follows it, or cannot; the time of the key begins then."""
    for _ in steps(SETTLE_S):
        session.keys.press(key, session.robot.now_ns())
        session.step()
        if session.job or session.ended:
            return


def steps(seconds: float) -> Iterator[None]:
    """Come again every step, for this time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield
        time.sleep(STEP_S)


def line(session: JogSession) -> str:
    """Return joints in degrees and the tool's point in millimetres."""
    p = session.T_base_tool[:3, 3] * 1000.0
    joints = " ".join(f"{math.degrees(value):.2f}" for value in session.report.q)
    return f"joints {joints} deg   tool {p[0]:.1f} {p[1]:.1f} {p[2]:.1f} mm"


def screen(session: JogSession) -> None:
    """Follow keys until somebody quits or the terminal has gone; every exit ends in a stop."""
    import termios
    import tty

    from rich.live import Live

    from .screen import console

    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        with end_with_terminal(), Live(picture(session), console=console(), auto_refresh=False, screen=True) as live:
            follow_keys(session, live.update)
    except (KeyboardInterrupt, OSError):
        pass  # Somebody ends it, or there is no terminal to read from or to draw on any more.
    finally:
        session.robot.stop()
        with contextlib.suppress(termios.error):
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def follow_keys(session: JogSession, show: Callable[..., None]) -> None:
    """Send what the keys command, until the user quits and the arm is at rest, or standard input is closed."""
    import select

    due = shown = time.monotonic()
    while not (session.keys.quit and not session.moving):
        left = due - time.monotonic()
        if left > 0.0:
            readable, _, _ = select.select([sys.stdin], [], [], left)
            if readable:
                keys = read_keys(sys.stdin.fileno())
                if not keys:
                    return
                for key in keys:
                    session.keys.press(key, session.robot.now_ns())
            continue
        session.step()
        now = time.monotonic()
        due = max(due + STEP_S, now)
        if now >= shown:
            show(picture(session), refresh=True)
            shown = now + SHOW_EVERY_S


@contextlib.contextmanager
def end_with_terminal() -> Generator[None]:
    """Turn the signals of a terminal that is closed, and of who ends this process, into an interrupt."""

    def interrupt(_: int, __: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    numbers = (signal.SIGHUP, signal.SIGTERM)
    before = [signal.signal(number, interrupt) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def read_keys(descriptor: int) -> str:
    """Return all keys that have come; not through a buffer of Python's, in which `select` does not see them."""
    return os.read(descriptor, MOST_KEYS).decode(errors="ignore")


def picture(session: JogSession) -> "Group":
    """Return what the screen shows."""
    import numpy as np
    from rich.console import Group
    from rich.text import Text

    from .screen import facts_table, heading, row_table

    report, keys, arm = session.report, session.keys, session.placed.kinematics
    model = session.placed.model
    pose = model.print_pose(arm.check_q(np.clip(report.q, arm.limits_lower, arm.limits_upper)), arm=session.arm)
    facts = facts_table()
    facts.add_row("moves", "joints" if keys.mode == "joints" else f"tool, in the axes of {keys.frame}")
    facts.add_row("speed", f"{keys.speed:.0%}")
    facts.add_row("tool", " ".join(f"{1000.0 * x:.1f}" for x in session.T_base_tool[:3, 3]) + " mm")
    facts.add_row(pose.title, pose.text)
    joints = row_table("joint", "position °", "speed °/s", right=("position °", "speed °/s"))
    for title, value, speed in zip(arm.joint_titles, report.q, report.qd, strict=True):
        joints.add_row(title, f"{math.degrees(value):.2f}", f"{math.degrees(speed):.1f}")
    return Group(
        heading(model.title, f"{session.arm}  {session.robot.state.mode}"),
        facts,
        joints,
        Text(", ".join(session.why), "yellow"),
        Text(keys.help(), "dim"),
    )
