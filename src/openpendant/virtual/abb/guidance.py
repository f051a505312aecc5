"""Guidance: externally guided motion (EGM) of an arm, without sockets: what the robot sends, and where it is led."""

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from openpendant.dialects.rapid import RapidFailure
from openpendant.protocols.egm import EgmPlanned, EgmSensor, EgmSensorPathCorr
from openpendant.spatial import inverse
from openpendant.virtual.arm import Claim, TickClock

from .frames import frame_of, frame_of_wobj
from .guidance_messages import RobotMoment, robot_message
from .guidance_settings import GuidanceSettings
from .path_correction import PathCorrection
from .refusal import ControllerRefusal
from .unit import SIX, MechanicalUnit

Array = NDArray[np.float64]
GuidanceState = Literal["disconnected", "connected", "running"]
AHEAD_S = 0.03
GAIN = 4.0 / AHEAD_S**2
"""How closely the drives follow setpoints: 30 ms behind, and without overshoot (critically damped)."""
HALF = 1 << 31
BACK_RAD = 2e-5
"""So near to where it began an arm is back."""


@dataclass(eq=False)
class Guidance:
    """The guidance of one arm.

    Attributes:
        unit: The arm.
        clock: Of the controller.
        settings: Of the program.
        state: As EGMGetState says it.
        streaming: Whether positions are sent while the arm is not guided.
        silent: Whether the sensor has been silent for too long.
        correction: Of paths, where the sensor corrects them.
    """

    unit: MechanicalUnit
    clock: TickClock
    settings: GuidanceSettings = field(default_factory=GuidanceSettings)
    state: GuidanceState = "disconnected"
    streaming: bool = False
    silent: bool = False

    def __post_init__(self) -> None:
        """Begin without a sensor."""
        self._claim: Claim | None = None
        self._outbox: list[bytes] = []
        self._sequence = 0
        self._wanted: Array | None = None
        self._seen: int | None = None
        self._came_s = self._began_s = self._near_since_s = 0.0
        self._ramp_s = 0.0
        self._may_be_silent = False
        self._back: tuple[float, float, Array] | None = None
        self.correction = PathCorrection(self.unit.arm, self.clock.tick_s)
        self._setpoint = self.unit.arm.plant.q.copy()
        self._start = self._setpoint.copy()

    # The program's side

    def set_up(self, settings: GuidanceSettings) -> None:
        """Get ready for a sensor."""
        self.settings, self.state, self.silent = settings, "connected", False
        self._seen = None

    def begin(self, ramp_s: float, *, silence: bool = False) -> None:
        """Let the sensor lead the arm.

        Args:
            ramp_s: How long its influence grows.
            silence: Whether it may be silent.

        Raises:
            ControllerRefusal: It is not set up, or the arm moves.
        """
        mover = self.unit.arm.mover
        if self.state == "disconnected":
            raise ControllerRefusal("guided motion is not set up")
        self._claim = self._claim or mover.claim()
        if self._claim is None or mover.moving:
            self.end()
            raise ControllerRefusal("the arm moves; end the move before with fine")
        self.state, self.silent, self._wanted, self._ramp_s = "running", False, None, ramp_s
        self._may_be_silent, self._back = silence, None
        self._came_s = self._began_s = self._near_since_s = self.clock.seconds
        # From where the drives hold it, so that nothing jumps.
        self._start = mover.raw[0].copy()
        self._setpoint = self._start.copy()

    def go_back(self, seconds: float) -> None:
        """Lead the arm back to where it began, and then no more: the sensor's influence is ramped out."""
        if self.state == "running":
            self._back = (self.clock.seconds, seconds, self._setpoint.copy())

    def end(self) -> None:
        """Brake, and lead no more."""
        if self._claim is not None:
            self.unit.arm.mover.brake()
            self.unit.arm.mover.release(self._claim)
            self._claim = None
            self.unit.ahead = self.unit.arm.plant.q.copy()
        if self.state == "running":
            self.state = "connected"

    def reset(self) -> None:
        """Forget the sensor."""
        self.end()
        self.state, self.streaming = "disconnected", False

    def converged_for_s(self) -> float:
        """Return how long the arm has been where the sensor wants it."""
        return self.clock.seconds - self._near_since_s if self._wanted is not None else 0.0

    # The sensor's side

    def receive(self, message: EgmSensor | EgmSensorPathCorr) -> None:
        """Take a message of the sensor; what is older than the last one does not count."""
        if self.state == "disconnected":
            return
        sequence = None if message.header is None else message.header.sequence
        if sequence is not None and self._seen is not None and (sequence - self._seen) % (2 * HALF) >= HALF:
            return
        if isinstance(message, EgmSensorPathCorr):
            understood = self._correct(message)
        else:
            understood = message.planned is not None and self._want(message.planned)
        if understood:
            self._seen, self._came_s = sequence, self.clock.seconds

    def _want(self, planned: EgmPlanned) -> bool:
        if self.settings.kind == "path" or (wanted := self._joints_of(planned)) is None:
            return False
        self._wanted = wanted
        return True

    def _correct(self, message: EgmSensorPathCorr) -> bool:
        if self.settings.kind != "path" or message.correction is None:
            return False
        at, age_s = message.correction.position, message.correction.age_ms / 1000.0
        place = np.array([at.x, at.y, at.z]) / 1000.0
        if not np.isfinite(place).all():
            return False
        self.correction.measure(place, age_s, frame_of(self.settings.frame))
        return True

    def take_outbox(self) -> list[bytes]:
        """Return the messages that wait to be sent to the sensor, and forget them."""
        taken, self._outbox = self._outbox, []
        return taken

    # Time

    def step(self, *, rapid: bool, motors: bool, held: bool = False) -> None:
        """Lead the arm for a tick, and say where it is.

        Args:
            rapid: Whether programs run.
            motors: Whether the motors are on.
            held: Whether a program has stopped the arm.
        """
        if self.state == "running" and self.settings.kind == "path":
            self._lead_along(rapid=rapid, motors=motors, held=held)
        elif self.state == "running":
            self._lead(rapid=rapid, motors=motors)
        told = self.state == "running" or (self.streaming and self.state != "disconnected")
        if told and self.clock.ticks % self.settings.every == 0:
            self._sequence += 1
            guided = self.state == "running"
            converged = guided and self.converged_for_s() > 0.0
            moment = RobotMoment(self._sequence, self.clock.seconds, motors, guided, rapid, converged)
            self._outbox.append(robot_message(self.unit, self.settings, moment))

    def _lead(self, *, rapid: bool, motors: bool) -> None:
        settings, now, mover = self.settings, self.clock.seconds, self.unit.arm.mover
        self.silent = self._back is None and now - self._came_s > settings.timeout_s
        if self.silent or not rapid or not motors or self._claim is None:
            self.end()
            return
        if self._back is not None:
            if self._ramp_out(self._back):
                self.end()
                return
        elif self._wanted is not None:
            share = 1.0 if self._ramp_s <= 0.0 else min(1.0, (now - self._began_s) / self._ramp_s)
            goal = self._start + share * (self._wanted - self._start)
            way = goal - self._setpoint
            if settings.filter_hz > 0.0:
                way *= 1.0 - math.exp(-math.tau * settings.filter_hz * self.clock.tick_s)
            most = settings.most_rad_s * self.clock.tick_s
            self._setpoint += np.clip(way, -most, most)
            if np.abs(self._wanted - self.unit.arm.plant.q).max() > settings.near_rad:
                self._near_since_s = now
        mover.servo(self._setpoint, AHEAD_S, GAIN)
        mover.feed()

    def _ramp_out(self, back: tuple[float, float, Array]) -> bool:
        """Make a step back; return whether the arm is there."""
        began_s, seconds, q_from = back
        share = 1.0 if seconds <= 0.0 else min(1.0, (self.clock.seconds - began_s) / seconds)
        # Without a jump of speed at both ends.
        goal = q_from + (3.0 - 2.0 * share) * share**2 * (self._start - q_from)
        most = self.settings.most_rad_s * self.clock.tick_s
        self._setpoint += np.clip(goal - self._setpoint, -most, most)
        off = np.abs(self._start - self.unit.arm.mover.raw[0]).max()
        return share >= 1.0 and bool(off < BACK_RAD)

    def _lead_along(self, *, rapid: bool, motors: bool, held: bool) -> None:
        now, mover = self.clock.seconds, self.unit.arm.mover
        if not rapid or held:
            # The time that a stopped program takes does not count as silence of the sensor.
            self._came_s = now
        self.silent = not self._may_be_silent and now - self._came_s > self.settings.timeout_s
        if self.silent or not motors or self._claim is None:
            self.end()
            return
        mover.servo(self.correction.step(held=held or not rapid), AHEAD_S, GAIN)
        mover.feed()

    def _joints_of(self, planned: EgmPlanned) -> Array | None:
        """Return where the joints should be; None: the message does not say, or no joints lead there."""
        model, settings = self.unit.arm.model, self.settings
        if settings.kind == "joint":
            q = np.radians(np.array((*(planned.joints or ()), *(planned.external_joints or ()))[: model.dof]))
            if planned.joints is None or len(planned.joints) != SIX or len(q) != model.dof:
                return None
        else:
            pose = planned.pose
            if pose is None or pose.position is None or pose.orientation is None:
                return None
            at, turn = pose.position, pose.orientation
            told = ((at.x, at.y, at.z), (turn.u0, turn.u1, turn.u2, turn.u3))
            try:
                T = frame_of_wobj(settings.wobj) @ frame_of(settings.frame) @ frame_of(told)
            except RapidFailure:
                return None
            T_flange = T @ inverse(self.unit.T_flange_tool(settings.tool))
            found = model.arm.follow(T_flange, self._setpoint)
            if not found.reached:
                return None
            q = found.q
        return np.clip(q, model.arm.limits_lower, model.arm.limits_upper) if np.isfinite(q).all() else None
