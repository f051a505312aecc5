"""CraneDriver: a crane of one boom or more behind the `Controller` interface.

A kinematic robot plans what is sent: it checks paths, follows setpoints and comes to rest. Each of its ticks goes to
the crane; what is told as measured comes from the crane alone.
"""

import contextlib

import numpy as np

from openpendant.controllers import (
    ByteLink,
    Capabilities,
    ControllerEvent,
    Job,
    KinematicArm,
    KinematicRobot,
    OperatingMode,
    Progress,
    RobotState,
    SampledPath,
    StopKind,
    VendorTasks,
    VendorText,
    texts_of,
)
from openpendant.controllers.tools import ToolWork
from openpendant.errors import ControllerError, InputError, LinkError, UnknownNameError
from openpendant.makers import DriverSetup

from .convention import INPUTS, OUTPUTS
from .language import DIALECT, CraneScriptError, parse
from .protocol import PORT, TICK_NS, CraneState, Hello, read

SILENT_NS, SILENT_STATES = 300_000_000, 3
RETRY_NS = 20_000_000
WITHIN_S, WITHIN_AGAIN_NS = 2.0, 1_000_000_000
OPERATING: dict[str, OperatingMode] = {"auto": "automatic", "hand": "manual"}


class CraneDriver:
    """Drives one crane."""

    def __init__(self, setup: DriverSetup) -> None:
        self._host, self._port = setup.address.host, setup.address.port or PORT
        self._arms = {arm.name: slice(2 * at, 2 * at + 2) for at, arm in enumerate(setup.arms)}
        self._arm = next(iter(self._arms))
        self._limits = {arm.name: arm.limits for arm in setup.arms}
        self._wiring = {arm.name: arm.tool for arm in setup.arms}
        self._inputs = {name: _bit("input", port, INPUTS) for name, port in setup.inputs.items()}
        self._outputs = {name: _bit("output", port, OUTPUTS) for name, port in setup.outputs.items()}
        self._output_ports = dict(setup.outputs)
        self._dialler = setup.dialler
        self._link: ByteLink | None = None
        self._candidate: ByteLink | None = None
        self._open = False
        self._partial = b""
        self._hello = Hello(servo=True, period_ns=TICK_NS)
        zeros = (0.0, 0.0) * len(self._arms)
        self._now = CraneState(0, zeros, zeros, "unknown", "unknown", 0, 0, 0, 0, 0, "-")
        self._stamp_ns = self._now_ns = self._retry_ns = 0
        self._planned: KinematicRobot | None = None
        self._told: list[ControllerEvent] = []
        self._program: VendorText | VendorTasks | None = None
        self._runs_before = 0
        self._program_progress = Progress(0, 0)
        self._broken = ""
        self._work: tuple[str, ToolWork] | None = None

    @property
    def capabilities(self) -> Capabilities:
        servo = self._hello.servo
        slow_ns = 0 if servo else self._hello.period_ns
        return Capabilities(
            TICK_NS, sampled=servo, servo=servo, dialects=(DIALECT,), arms=tuple(self._arms), state_ns=slow_ns
        )

    @property
    def state(self) -> RobotState:
        now, planned = self._now, self._planned
        q, qd = self._by_arm(now.q), self._by_arm(now.qd)
        steers = planned is not None and self._hello.servo and self._program is None
        target = planned.state.q if planned is not None and steers else q
        runs = self._program is not None
        moving = dict.fromkeys(q, runs) if runs or planned is None else planned.state.moving
        return RobotState(
            now.tick * TICK_NS,
            q,
            qd,
            dict.fromkeys(q, 0.0),
            {name: bool(now.inputs >> bit & 1) for name, bit in self._inputs.items()},
            {name: bool(now.outputs >> bit & 1) for name, bit in self._outputs.items()},
            moving,
            {arm: self._work is not None and self._work[0] == arm for arm in q},
            self._stamp_ns,
            self._link is not None,
            "ready" if now.mode == "ready" else "off" if now.mode == "off" else "unknown",
            "normal" if self._link is not None else "unknown",
            target,
            operating="unknown" if self._link is None else OPERATING.get(now.key, "unknown"),
        )

    def _by_arm(self, joints: tuple[float, ...]) -> dict[str, np.ndarray]:
        found = {name: np.array(joints[mine]) for name, mine in self._arms.items()}
        for one in found.values():
            one.setflags(write=False)
        return found

    def connect(self) -> None:
        if self._link is not None:
            return
        self._link, self._partial = self._dialler.dial(self._host, self._port), b""
        heard, end_ns = 0, self._dialler.now_ns() + WITHIN_S * 1e9
        try:
            while heard < 2:
                if self._link.ready():
                    heard += self._take(self._link.receive(), self._dialler.now_ns())
                if self._dialler.now_ns() > end_ns:
                    raise LinkError(f"the crane at {self._host} does not say how it is")
                self._dialler.wait(0.001)
        except LinkError:
            self._close()
            raise
        self._open = True
        self._begin()
        self._tell("connected", self._host)

    def close(self) -> None:
        if self._open:
            self.stop("now")
            self._open = False
            self._close()
            self._tell("closed", self._host)

    def poll(self, now_ns: int) -> None:
        self._now_ns = now_ns
        if self._link is None:
            if self._open:
                self._reconnect(now_ns)
            return
        try:
            while data := self._link.receive():
                self._take(data, now_ns)
        except LinkError as error:
            self._lose(str(error))
            return
        silent_ns = max(SILENT_NS, SILENT_STATES * self._hello.period_ns)
        self._stamp_ns = self._stamp_ns or now_ns
        if now_ns - self._stamp_ns > silent_ns:
            self._lose(f"nothing from {self._host} for {(now_ns - self._stamp_ns) * 1e-9:.2f} s")
            return
        self._follow_program()
        if self._work is not None:
            arm, work = self._work
            work = ToolWork(work.stroke, now_ns) if work.began_ns is None else work
            self._work = arm, work
            if work.over(now_ns, self.state.inputs):
                self._work = None
                self._tell("tool", arm, "done")
        planned = self._planned
        if planned is not None and self._program is None and self._hello.servo:
            self._pass_on(planned, now_ns)

    def events(self) -> tuple[ControllerEvent, ...]:
        told, self._told = tuple(self._told), []
        return told

    def run(self, job: Job) -> None:
        if isinstance(job, SampledPath):
            self._check_arm(job.arm)
            self._check_servo()
            self._check_able().run(job)
            self._program_progress, self._broken = Progress(0, 0), ""
            return
        for text in texts_of(job):
            if text.dialect != DIALECT:
                raise InputError(f"a crane runs no {text.dialect}")
            try:
                parse(text.text)
            except CraneScriptError as error:
                raise InputError(f"{text.name}: {error}") from None
        self._check_able()
        self._runs_before = self._now.run
        for text in texts_of(job):
            lines = text.text.splitlines() or [""]
            self._send(f"task {text.task or 'main'} {len(lines)}", *lines)
        self._send("start")
        total = sum(len(parse(text.text)) for text in texts_of(job))
        self._program, self._broken = job, ""
        self._program_progress = Progress(0, max(1, total))
        self._tell("job started", job.name)

    def progress(self, arm: str) -> Progress:
        self._check_arm(arm)
        if self._program_progress.total > 0:
            return self._program_progress
        found = Progress(0, 0) if self._planned is None else self._planned.progress(arm)
        return Progress(found.done, found.total, self._broken) if self._broken and not found.finished else found

    def servo(self, arm: str, q: np.ndarray) -> np.ndarray:
        self._check_arm(arm)
        self._check_servo()
        if not np.isfinite(q).all() or np.shape(q) != (2,):
            raise InputError(f"setpoint {np.asarray(q).tolist()}; allowed: 2 finite joints")
        planned = self._check_able()
        if self._program is not None:
            raise ControllerError("a program runs on the crane; stop it first")
        return planned.servo(arm, q)

    def tool(self, arm: str, opening_m: float, *, closes: bool) -> None:
        self._check_arm(arm)
        wiring = self._wiring[arm]
        if wiring is None:
            raise InputError(f"the tool of {arm} is not wired")
        stroke = wiring.stroke(closes=closes)
        for name, value in stroke.outputs:
            self.set_output(name, value)
        self._work = arm, ToolWork(stroke)

    def set_output(self, name: str, value: bool) -> None:
        if name not in self._output_ports:
            raise UnknownNameError("output", name, self._output_ports)
        self._check_link()
        self._send(f"set {self._output_ports[name]} {int(value)}")
        self._tell("output", name, "on" if value else "off")

    def stop(self, kind: StopKind = "path") -> None:
        if self._link is None:
            return
        if self._program is not None:
            with contextlib.suppress(LinkError):
                self._send("halt")
        elif self._planned is not None:
            self._planned.stop(kind)

    def _take(self, data: bytes, now_ns: int) -> int:
        *lines, self._partial = (self._partial + data).split(b"\n")
        for line in lines:
            match read(line.decode(errors="replace")):
                case Hello() as hello:
                    self._hello = hello
                case CraneState() as state:
                    if state.mode != self._now.mode and self._now.tick > 0:
                        self._tell("mode", self._arm, state.mode)
                    self._now, self._stamp_ns = state, now_ns
                case None:
                    raise LinkError(f"what answers at {self._host} is no crane")
        return len(lines)

    def _pass_on(self, planned: KinematicRobot, now_ns: int) -> None:
        """Send what was planned for this tick."""
        if self._now.mode != "ready":
            self._begin()
            return
        before = planned.state.q
        planned.poll(now_ns)
        for arm, q in planned.state.q.items():
            if (q != before[arm]).any():
                with contextlib.suppress(LinkError):
                    self._send(f"to {arm} {float(q[0])!r} {float(q[1])!r}")
        self._told += [event for event in planned.events() if event.kind in ("job started", "job done", "stopped")]

    def _follow_program(self) -> None:
        """See how far the program is."""
        if self._program is None or self._now.run == self._runs_before:
            return
        now, name = self._now, self._program.name
        total = max(1, now.total)
        if now.ended == "-":
            self._program_progress = Progress(min(now.done, total - 1), total)
            return
        self._program = None
        self._begin()
        if now.ended == ".":
            self._program_progress = Progress(total, total)
            self._tell("job done", name)
        else:
            why = now.ended.replace("_", " ")
            self._program_progress = Progress(min(now.done, total - 1), total, why)
            self._tell("stopped" if why == "stopped" else "job failed", name, why)

    def _begin(self) -> None:
        """Plan from where the crane is."""
        arms = {
            name: KinematicArm(
                q,
                self._limits[name].lower,
                self._limits[name].upper,
                self._limits[name].velocity,
                deceleration=self._limits[name].stop.deceleration,
                stop_jerk=self._limits[name].stop.jerk,
            )
            for name, q in self._by_arm(self._now.q).items()
        }
        self._planned = KinematicRobot(arms, tick_ns=TICK_NS)
        self._planned.connect()
        self._planned.events()

    def _reconnect(self, now_ns: int) -> None:
        """Look for the crane; it is there again when it says how it is."""
        if self._candidate is None:
            if now_ns >= self._retry_ns:
                self._candidate, self._partial = self._dialler.dial(self._host, self._port), b""
                self._retry_ns = now_ns + WITHIN_AGAIN_NS
            return
        before = self._now
        try:
            if now_ns >= self._retry_ns:
                raise LinkError("no answer")
            if self._candidate.ready():
                self._take(self._candidate.receive(), now_ns)
        except LinkError:
            self._candidate.close()
            self._candidate, self._retry_ns = None, now_ns + RETRY_NS
            return
        if self._now is not before:
            self._link, self._candidate = self._candidate, None
            self._begin()
            self._tell("recovered", self._host)

    def _lose(self, why: str) -> None:
        self._close()
        self._broken = "link lost"
        if self._program is not None:
            self._program = None
            self._program_progress = Progress(self._program_progress.done, self._program_progress.total, "link lost")
        self._work = None
        self._tell("lost", self._host, why)

    def _close(self) -> None:
        for link in (self._link, self._candidate):
            if link is not None:
                link.close()
        self._link = self._candidate = None

    def _send(self, *lines: str) -> None:
        self._check_link()
        assert self._link is not None
        data = "".join(f"{line}\n" for line in lines).encode()
        if self._link.send(data) < len(data):
            raise LinkError(f"the crane at {self._host} takes nothing")

    def _check_arm(self, arm: str) -> None:
        if arm not in self._arms:
            raise UnknownNameError("arm of this robot", arm, self._arms)

    def _check_servo(self) -> None:
        if not self._hello.servo:
            raise InputError("this crane takes no setpoints; upload a program")

    def _check_link(self) -> None:
        if self._link is None:
            raise LinkError(f"there is no link to the crane at {self._host}")

    def _check_able(self) -> KinematicRobot:
        self._check_link()
        if self._now.mode != "ready" or self._planned is None:
            raise ControllerError(f"the crane at {self._host} cannot move: its motors are {self._now.mode}")
        return self._planned

    def _tell(self, kind: str, about: str, message: str = "") -> None:
        self._told.append(ControllerEvent(self._now.tick * TICK_NS, kind, about, message))


def _bit(kind: str, port: str, ports: tuple[str, ...]) -> int:
    if port not in ports:
        raise UnknownNameError(kind, port, ports)
    return ports.index(port)
