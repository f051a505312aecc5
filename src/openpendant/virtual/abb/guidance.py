"""Guidance: externally guided motion (EGM) of an arm, without sockets: what the robot sends, and where it is led."""

import math
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from openpendant.dialects.rapid import RapidFailure
from openpendant.protocols.egm import (
    EgmCartesian,
    EgmClock,
    EgmFeedBack,
    EgmHeader,
    EgmMessageType,
    EgmMotionState,
    EgmMotorState,
    EgmPlanned,
    EgmPose,
    EgmQuaternion,
    EgmRapidState,
    EgmRobot,
    EgmSensor,
    EgmSensorPathCorr,
    encode_message,
)
from openpendant.spatial import inverse, quaternion_from_matrix
from openpendant.virtual.arm import Claim, TickClock

from .refusal import ControllerRefusal
from .unit import SIX, TOOL0, WOBJ0, MechanicalUnit, frame_of, frame_of_wobj

Array = NDArray[np.float64]
GuidanceState = Literal["disconnected", "connected", "running"]
Way = Literal["joint", "pose"]
AHEAD_S = 0.03
GAIN = 4.0 / AHEAD_S**2
"""How closely the drives follow setpoints: 30 ms behind, and without overshoot (critically damped)."""
HALF = 1 << 31


@dataclass(frozen=True)
class GuidanceSettings:
    """What a program has set: by EGMSetupUC and EGMAct….

    Attributes:
        way: Whether the sensor sends joints or poses.
        timeout_s: Longest silence of the sensor.
        tool: tooldata of poses.
        wobj: wobjdata of poses.
        frame: RAPID's pose of the sensor's frame in that of the work object.
        filter_hz: Low-pass on what the sensor wants; 0: none.
        every: Ticks from message to message.
        most_rad_s: Largest speed of a joint.
        near_rad: What counts as converged.
    """

    way: Way = "joint"
    timeout_s: float = 1.0
    tool: Any = TOOL0
    wobj: Any = WOBJ0
    frame: Any = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    filter_hz: float = 20.0
    every: int = 1
    most_rad_s: float = math.radians(1.0)
    near_rad: float = math.radians(0.5)


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
        self._setpoint = self.unit.arm.plant.q.copy()
        self._start = self._setpoint.copy()

    # The program's side

    def set_up(self, settings: GuidanceSettings) -> None:
        """Get ready for a sensor."""
        self.settings, self.state, self.silent = settings, "connected", False
        self._seen = None

    def begin(self, ramp_s: float) -> None:
        """Let the sensor lead the arm.

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
        self._came_s = self._began_s = self._near_since_s = self.clock.seconds
        # From where the drives hold it, so that nothing jumps.
        self._start = mover.raw[0].copy()
        self._setpoint = self._start.copy()

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

    def take(self, message: EgmSensor | EgmSensorPathCorr) -> None:
        """Take a message of the sensor; what is older than the last one does not count."""
        if not isinstance(message, EgmSensor) or message.planned is None or self.state == "disconnected":
            return
        sequence = None if message.header is None else message.header.sequence
        if sequence is not None and self._seen is not None and (sequence - self._seen) % (2 * HALF) >= HALF:
            return
        wanted = self._joints_of(message.planned)
        if wanted is None:
            return
        self._seen, self._wanted, self._came_s = sequence, wanted, self.clock.seconds

    def take_outbox(self) -> list[bytes]:
        """Return the messages that wait to be sent to the sensor, and forget them."""
        taken, self._outbox = self._outbox, []
        return taken

    # Time

    def step(self, *, rapid: bool, motors: bool) -> None:
        """Lead the arm for a tick, and say where it is.

        Args:
            rapid: Whether programs run.
            motors: Whether the motors are on.
        """
        if self.state == "running":
            self._lead(rapid=rapid, motors=motors)
        told = self.state == "running" or (self.streaming and self.state != "disconnected")
        if told and self.clock.ticks % self.settings.every == 0:
            self._outbox.append(encode_message(self._message(rapid=rapid, motors=motors)))

    def _lead(self, *, rapid: bool, motors: bool) -> None:
        settings, now, mover = self.settings, self.clock.seconds, self.unit.arm.mover
        self.silent = now - self._came_s > settings.timeout_s
        if self.silent or not rapid or not motors or self._claim is None:
            self.end()
            return
        if self._wanted is not None:
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

    def _joints_of(self, planned: EgmPlanned) -> Array | None:
        """Return where the joints should be; None: the message does not say, or no joints lead there."""
        model, settings = self.unit.arm.model, self.settings
        if settings.way == "joint":
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

    def _message(self, *, rapid: bool, motors: bool) -> EgmRobot:
        arm = self.unit.arm
        self._sequence += 1
        milliseconds = round(1000.0 * self.clock.seconds)
        seconds, rest = divmod(1000 * milliseconds, 1_000_000)
        time = EgmClock(seconds, rest)
        running = self.state == "running"
        return EgmRobot(
            EgmHeader(self._sequence, milliseconds, EgmMessageType.DATA),
            EgmFeedBack(*self._place(arm.plant.q), time),
            EgmPlanned(*self._place(arm.mover.target), time),
            EgmMotorState.ON if motors else EgmMotorState.OFF,
            EgmMotionState.RUNNING if running else EgmMotionState.STOPPED,
            running and self.converged_for_s() > 0.0,
            rapid=EgmRapidState.RUNNING if rapid else EgmRapidState.STOPPED,
        )

    def _place(self, q: Array) -> tuple[tuple[float, ...], EgmPose, tuple[float, ...]]:
        """Return joints of the first six axes, the pose, and axis 7 as the first external one."""
        degrees = tuple(np.degrees(q).tolist())
        return degrees[:SIX], self._pose(q), degrees[SIX:]

    def _pose(self, q: Array) -> EgmPose:
        settings = self.settings
        T_frame = frame_of_wobj(settings.wobj) @ frame_of(settings.frame)
        T = (
            inverse(T_frame)
            @ self.unit.arm.model.arm.fk(q, check_limits=False)
            @ self.unit.T_flange_tool(settings.tool)
        )
        x, y, z = (1000.0 * T[:3, 3]).tolist()
        u0, u1, u2, u3 = quaternion_from_matrix(T[:3, :3]).tolist()
        return EgmPose(EgmCartesian(x, y, z), EgmQuaternion(u0, u1, u2, u3))
