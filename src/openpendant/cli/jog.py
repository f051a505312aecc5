"""`openpendant jog`: move a robot by keys, through servo, gate and controller."""

import math
import os
import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from .jog_keys import HOLD_S, SOURCE, JogKeys

if TYPE_CHECKING:
    from rich.console import Group

    from openpendant.controllers import Controller
    from openpendant.robots import Robot

__all__ = ["Jog", "add_to"]

SHOW_EVERY_S = 0.1
MOST_KEYS = 64
SETTLE_S = 2.0
"""A played key list ends when the arm rests, or after this."""


def add_to(app: typer.Typer) -> None:
    """Give `app` the verb."""
    app.command("jog")(jog)


def jog(
    robot: Annotated[str, typer.Argument(metavar="ROBOT", help="A robot of the catalogue.")],
    arm: Annotated[str | None, typer.Option("--arm", help="Which arm; the first where none is named.")] = None,
    address: Annotated[
        str | None, typer.Option("--address", help="Of a Universal Robots controller, real or virtual.")
    ] = None,
    joints: Annotated[bool, typer.Option("--joints", help="Begin with joints instead of the tool.")] = False,
    full_speed: Annotated[bool, typer.Option("--full-speed", help="Let the tool go faster than 250 mm/s.")] = False,
    keys: Annotated[
        str | None, typer.Option("--keys", help="Press these keys one after the other, as fast as can be, and end.")
    ] = None,
) -> None:
    """Jog a robot by keys: hold one to move, let it go to stop.

    Without --address it is a kinematic robot in this process.
    """
    from openpendant import robots
    from openpendant.errors import InputError
    from openpendant.motion import joint_limits
    from openpendant.teleop import warm_up

    model = robots.load(robot)
    if keys is None and not sys.stdin.isatty():
        raise InputError("jog needs a terminal, or --keys")
    if keys is not None and address is not None:
        raise InputError("--keys moves the kinematic robot alone; without --address")
    controller = make_controller(model, arm, address)
    # Before anybody talks to a robot: it does not wait for a compiler.
    warm_up(model.arm(arm), joint_limits(model, arm))
    controller.connect()
    try:
        jogged = Jog(model, arm, controller, joints=joints, full_speed=full_speed)
        if keys is None:
            screen(jogged)
        else:
            play(jogged, keys.strip() or keys)
    finally:
        controller.close()


def make_controller(model: "Robot", arm: str | None, address: str | None) -> "Controller":
    """Return the driver of a robot at an address, or a kinematic one."""
    from openpendant.controllers import Plant, PlantArm
    from openpendant.errors import InputError
    from openpendant.motion import joint_limits

    found = model.arm(arm)
    if address is None:
        limits = joint_limits(model, found.name)
        q, stop = model.posture(None, found.name), limits.stop
        arm_facts = PlantArm(q, limits.lower, limits.upper, limits.velocity, None, stop.deceleration, stop.jerk)
        return Plant({found.name: arm_facts})
    if model.facts.convention != "ur":
        raise InputError(f"{model.name} has no driver yet; --address takes robots of Universal Robots")
    from openpendant.controllers.ur import UrDriver

    return UrDriver(address, arm=found.name, stop_deceleration=joint_limits(model, found.name).stop.deceleration)


class Jog:
    """Keys to servo to gate to controller, one tick at a time. The caller brings keys and clock."""

    def __init__(
        self, model: "Robot", arm: str | None, controller: "Controller", *, joints: bool, full_speed: bool
    ) -> None:
        """Begin at rest where the controller says the arm is."""
        from openpendant.gate import Gate, facts_of
        from openpendant.motion import joint_limits
        from openpendant.teleop import Servo

        self.model, self.controller = model, controller
        self.arm = model.arm(arm)
        self.tick_ns = controller.capabilities.tick_ns
        facts, limits = facts_of(model, self.arm.name), joint_limits(model, self.arm.name)
        self.servo = Servo(self.arm, limits, self.tick_ns * 1e-9, T_flange_tool=facts.T_flange_tool)
        self.servo.reset(controller.state.q[self.arm.name])
        self.keys = JogKeys(self.arm.dof, "joints" if joints else "tool")
        self.why: tuple[str, ...] = ()
        self._top = tuple(float(v) for v in limits.velocity)
        self._gate = Gate({self.arm.name: facts}, self.tick_ns)
        self._gate.reduced = not full_speed
        # A key that is held is the dead-man switch.
        self._gate.grant(SOURCE, needs_dead_man=True, clock_offset_ns=0)
        self._ready = False

    def tick(self, now_ns: int) -> None:
        """Let one tick pass."""
        from openpendant.gate import Allowed, Setpoint

        name, controller = self.arm.name, self.controller
        controller.poll(now_ns)
        state = controller.state
        held = self.keys.held(now_ns)
        if self.keys.stop_wanted():
            self.servo.stop()
        if not state.can_move:
            self._ready = False
            reason = f"{state.mode}, safety {state.safety}" if state.in_control else "control is not taken yet"
            self.why = (f"the robot cannot move: {reason}",)
            self._gate.hold("robot", self.why[0])
            return
        if not self._ready:
            self._clutch_in(held)
            if not self._ready:
                return
        self.servo.take(self.keys.intent(now_ns, self._top), now_ns)
        step = self.servo.step(now_ns)
        if not held and self._gate.at_rest(name):
            self.why = step.why
            return
        setpoint = Setpoint(SOURCE, name, step.q, now_ns, dead_man=held, intent_ns=self.servo.followed_ns)
        answer = self._gate.pass_setpoint(setpoint, state.q[name], now_ns, measured_ns=state.stamp_ns)
        self.why = step.why
        if isinstance(answer, Allowed):
            controller.servo(name, answer.q)
            if answer.slowed:
                self.why = (*step.why, answer.why or "slowed")
            return
        self.why = () if answer.kind == "dead-man" else (f"held: {answer.reason}",)
        self._ready = False
        if answer.q is not None:
            controller.servo(name, answer.q)

    def _clutch_in(self, held: bool) -> None:
        """Begin anew from where the arm rests; after a hold only when the key was let go."""
        if held and self.why:
            self._send_rest()
            return
        q = self.controller.state.q[self.arm.name]
        refused = self._gate.clutch_in(SOURCE, self.arm.name, q)
        if refused is None:
            self.servo.reset(q)
            self._ready, self.why = True, ()
        else:
            self._send_rest()

    def _send_rest(self) -> None:
        """Send the rest of a stop, where one is under way."""
        state = self.controller.state
        answer = self._gate.tick(self.arm.name, state.q[self.arm.name], state.stamp_ns)
        if answer.q is not None:
            self.controller.servo(self.arm.name, answer.q)


def play(jogged: Jog, keys: str) -> None:
    """Press keys one after the other in the time of the kinematic robot, and tell where the tool was and is."""
    now = jogged.tick_ns
    jogged.tick(now)
    told: list[str] = []
    print(line(jogged))
    for key in keys:
        jogged.keys.press(key, now)
        for _ in range(int(HOLD_S * 1e9 / jogged.tick_ns)):
            now += jogged.tick_ns
            jogged.tick(now)
            told += [why for why in jogged.why if why not in told]
    for _ in range(int(SETTLE_S * 1e9 / jogged.tick_ns)):
        now += jogged.tick_ns
        jogged.tick(now)
        if not jogged.servo.moving:
            break
    print(line(jogged))
    for why in told:
        print(why)


def line(jogged: Jog) -> str:
    """Return joints in degrees and the tool's point in millimetres."""
    q = jogged.controller.state.q[jogged.arm.name]
    p = jogged.servo.T_world_tool[:3, 3] * 1000.0
    joints = " ".join(f"{math.degrees(value):.2f}" for value in q)
    return f"joints {joints} deg   tool {p[0]:.1f} {p[1]:.1f} {p[2]:.1f} mm"


def screen(jogged: Jog) -> None:
    """Follow keys until somebody quits; every way out ends in a stop."""
    import select
    import termios
    import tty

    from rich.live import Live

    from .screen import console

    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        with Live(picture(jogged), console=console(), auto_refresh=False, screen=True) as live:
            due = time.monotonic_ns()
            show = due
            while not (jogged.keys.quit and not jogged.servo.moving):
                now = time.monotonic_ns()
                if now < due:
                    readable, _, _ = select.select([sys.stdin], [], [], (due - now) * 1e-9)
                    if readable:
                        for key in read_keys(sys.stdin.fileno()):
                            jogged.keys.press(key, time.monotonic_ns())
                    continue
                jogged.tick(now)
                # After a hiccup time goes on from now: setpoints are never sent in a burst.
                due = max(due + jogged.tick_ns, now)
                if now >= show:
                    live.update(picture(jogged), refresh=True)
                    show = now + int(SHOW_EVERY_S * 1e9)
    except KeyboardInterrupt:
        pass
    finally:
        jogged.controller.stop("path")
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def read_keys(descriptor: int) -> str:
    """Return all keys that have come; not through a buffer of Python's, in which `select` does not see them."""
    return os.read(descriptor, MOST_KEYS).decode(errors="ignore")


def picture(jogged: Jog) -> "Group":
    """Return what the screen shows."""
    from rich.console import Group
    from rich.text import Text

    from .screen import facts_table, heading, row_table

    state, keys = jogged.controller.state, jogged.keys
    q, qd = state.q[jogged.arm.name], state.qd[jogged.arm.name]
    pose = jogged.model.print_pose(jogged.arm.check_q(q.clip(jogged.arm.limits_lower, jogged.arm.limits_upper)))
    facts = facts_table()
    facts.add_row("moves", "joints" if keys.mode == "joints" else f"tool, in the axes of {keys.frame}")
    facts.add_row("speed", f"{keys.speed:.0%}")
    facts.add_row("tool", " ".join(f"{1000.0 * x:.1f}" for x in jogged.servo.T_world_tool[:3, 3]) + " mm")
    facts.add_row(pose.title, pose.text)
    joints = row_table("joint", "position °", "speed °/s", right=("position °", "speed °/s"))
    for title, value, speed in zip(jogged.arm.joint_titles, q, qd, strict=True):
        joints.add_row(title, f"{math.degrees(value):.2f}", f"{math.degrees(speed):.1f}")
    return Group(
        heading(jogged.model.title, f"{jogged.arm.name}  {state.mode}"),
        facts,
        joints,
        Text(", ".join(jogged.why), "yellow"),
        Text(keys.help(), "dim"),
    )
