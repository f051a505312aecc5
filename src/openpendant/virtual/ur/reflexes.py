"""Reflexes: what the controller does by itself every tick; moves the arm, watches it, stops it."""

from openpendant.virtual.arm import CellWatch, Doing

from .geometry import JOINT_TITLES
from .modes import RuntimeState
from .parts import Parts
from .runner import ScriptRunner

JOINT_NEAR_LIMIT = "Position close to joint limits"
SINGULAR = "Position in singularity"
LARGEST_LAG_RAD = 0.1
"""A joint that is farther from its target than this deviates from the path."""


class Reflexes:
    """The part of a tick that is not a program."""

    def __init__(self, parts: Parts, runner: ScriptRunner, cell: CellWatch | None) -> None:
        self._parts = parts
        self._runner = runner
        self._cell = cell
        self._cell_every = max(1, parts.clock.ticks_in(parts.options.collision_period_s))
        self._was_running = parts.power.running
        self._cut_when_still = False
        views = parts.body.views
        self._tool_speed, self._lag, self._power_w = (
            views["tcp_speed_scalar"],
            views["joint_position_deviation_ratio"],
            views["power_w"],
        )

    # Stops

    def protective_stop(self, code: int, argument: int, text: str) -> None:
        """Stop the arm, pause the program, and latch until somebody unlocks it."""
        parts = self._parts
        if not parts.safety.protective_stop(code, argument, text):
            return
        parts.mover.halted = True
        self._runner.pause()

    def joint_speed_exceeded(self, joint: int) -> None:
        """Stop because a joint is asked for more speed than it has."""
        self.protective_stop(191, 32 + joint, f"Joint speed limit violated - {JOINT_TITLES[joint]}")

    def emergency_stop(self) -> None:
        """Stop the arm and cut its power once it rests; the program ends."""
        if not self._parts.safety.press():
            return
        self._lose_power_soon()

    def violate(self, argument: int, text: str) -> None:
        """Report a violated safety limit."""
        self._parts.safety.violate(argument, text)
        self._lose_power_soon()

    def fail(self, argument: int, text: str) -> None:
        """Report a fault of the safety system."""
        self._parts.safety.fail(argument, text)
        self._lose_power_soon()

    def safety_input(self, name: str, value: bool) -> None:
        """Apply a safety input: an open safeguard pauses the program, reduced mode is reported."""
        parts = self._parts
        if name == "safeguard":
            parts.safety.set_inputs(safeguard=value)
            if value:
                parts.mover.halted = True
                self._runner.pause()
        else:
            parts.safety.set_inputs(reduced=value)

    def _lose_power_soon(self) -> None:
        self._parts.mover.halted = True
        self._cut_when_still = True
        self._runner.stop()

    # Every tick

    def tick(self) -> None:
        """Make the next target, let the arm follow it, and look whether all is well."""
        parts = self._parts
        mover, body = parts.mover, parts.body
        running = parts.power.running
        if running != self._was_running:
            self._was_running = running
            mover.place(body.q)
            if not running:
                self._runner.stop()
        if mover.halted and not parts.safety.stopped:
            mover.halted = False
        if running:
            self._yield_to_hand()
            mover.step()
        body.follow(mover.target, driven=running)
        if not running:
            if self._cut_when_still:
                self._cut_when_still = False
                parts.power.cut()
            return
        moving = mover.moving
        if moving:
            parts.history.append(body.views["actual_q"].copy())
            body.watch_deviation()
            self._watch()
            parts.energy_j += float(self._power_w[0]) * 0.002
        elif self._cut_when_still:
            self._cut_when_still = False
            parts.power.cut()

    def _yield_to_hand(self) -> None:
        """Let a hand move the arm in freedrive, and force mode press."""
        parts = self._parts
        compliance, mover = parts.compliance, parts.mover
        if parts.safety.stopped:
            return
        if parts.pendant.freedrive_held and parts.runtime_state != RuntimeState.PLAYING:
            mover.free(compliance.hand_velocity(mover.raw[0]))
            mover.feed()
        elif compliance.freedrive and parts.runtime_state == RuntimeState.PLAYING:
            mover.free(compliance.hand_velocity(mover.raw[0], compliance.free_axes))
            mover.feed()
        elif compliance.force_mode and parts.runtime_state == RuntimeState.PLAYING:
            if mover.doing in (Doing.HOLD, Doing.BRAKE) or (mover.doing is Doing.TOOL_SPEED and self._pressing):
                mover.tool_speed(compliance.force_twist(), 0.5, 2.0)
                mover.feed()
                self._pressing = True
            else:
                self._pressing = False

    _pressing = False

    def _watch(self) -> None:
        parts = self._parts
        mover = parts.mover
        if mover.limit_joint >= 0:
            mover.limit_joint = -1
            self.protective_stop(150, 0, JOINT_NEAR_LIMIT)
        if mover.singular:
            mover.singular = False
            self.protective_stop(154, 0, SINGULAR)
        if float(self._tool_speed[0]) > parts.options.tool_speed_m_s:
            self.protective_stop(191, 3, "TCP speed limit violated")
        if 0.2 * float(self._lag[0]) > LARGEST_LAG_RAD:
            gap = abs(parts.body.q - mover.target)
            joint = int(gap.argmax())
            self.protective_stop(
                153, joint, f"Position deviates from path: Detected by the {JOINT_TITLES[joint]} joint."
            )
        if self._cell is not None and parts.clock.ticks % self._cell_every == 0:
            self._watch_cell(self._cell)

    def _watch_cell(self, cell: CellWatch) -> None:
        parts = self._parts
        touched = cell.touched(parts.body.q)
        if touched is None:
            return
        joint = touched.felt[0][1] if touched.felt else len(JOINT_TITLES) - 1
        code = 157 if parts.installation.payload > 0.0 else 158
        parts.text(f"Collision: {touched}")
        self.protective_stop(code, joint, f"Collision detected by joint: {JOINT_TITLES[joint]}")
