"""AbbDriver: the arms of an ABB controller (IRC5 with RobotWare 6) behind the `Controller` interface."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.controllers.dialler import Dialler
from openpendant.controllers.jobs import Job, Progress, SampledPath
from openpendant.controllers.reconnection import Reconnection
from openpendant.controllers.socket_dialler import SocketDialler
from openpendant.controllers.states import Capabilities, ControllerEvent, EventKind, RobotState, StopKind
from openpendant.controllers.tools import ToolWork
from openpendant.errors import ControllerError, InputError, LinkError, UnknownNameError
from openpendant.protocols.rapid_server import RequestKind
from openpendant.protocols.rws import RwsCall, RwsOperation
from openpendant.said import mode_word, safety_word, say

from .arm import ONE_ARM, AbbArm
from .controller_watch import ERROR_LEVEL, LoggedEvent, Panel
from .guide_link import GuideLink
from .guided_arm import TICK_NS, GuidedArm
from .job_watch import JobWatch
from .links import GUIDANCE, OPTION_NAMES, REPLY_WITHIN_S, ControllerLinks, ControllerOpening, Plan
from .modules import DIALECT, server_text
from .program_control import ProgramControl
from .program_start import ARMS
from .task_stop import FASTEST_STOP

Array = NDArray[np.float64]
RWS_PORT, EGM_PORT = 80, 6510
USER, PASSWORD = "Default User", "robotics"
STATE_NS = 20_000_000
"""Between two states while nothing is guided."""
STALE_NS = 350_000_000
STOP_NS = 200_000_000
"""A link without states is kept this much longer while setpoints come: they are a stop, which a robot's loop begins
0.25 s after the last state and which is over by then."""
UNTOLD_NS = 40_000_000
"""Joints are asked for over Robot Web Services where none were reported for this long."""
CONTROL_WITHIN_S = 20.0
POLL_EVERY_S = 0.002
WARNING_LEVEL = 2
BY_PROGRAM = 80001, 80002, 80003
"""Entries of the event log that programs write."""


class AbbDriver:
    """Drives the arms of one controller. See `Controller`; nothing waits but `connect` and `close`.

    Robot Web Services say how the controller is, load and start programs; our RAPID server on it tells joints and
    signals and stops the arms where its driver is silent; setpoints go by externally guided motion.
    """

    def __init__(
        self,
        address: str,
        arms: Sequence[AbbArm] = ONE_ARM,
        *,
        inputs: Mapping[str, str] | None = None,
        outputs: Mapping[str, str] | None = None,
        rws_port: int = RWS_PORT,
        egm_port: int = EGM_PORT,
        user: str = USER,
        password: str = PASSWORD,
        timeout_s: float = 3.0,
        dialler: Dialler | None = None,
    ) -> None:
        """Describe the robot; `connect` talks to it.

        Args:
            address: Host name or address of the controller.
            arms: Of the controller, one or two, with the tasks and mechanical units that it has for them.
            inputs: Digital inputs by name: signals as the controller's configuration calls them.
            outputs: Digital outputs by name, likewise.
            rws_port: Of Robot Web Services.
            egm_port: Of this computer, to which the controller sends guided motion of the first arm; the next one is
                for the second.
            user: Of Robot Web Services.
            password: Of the user.
            timeout_s: How long the controller may take to answer.
            dialler: Opens the connections; None: over the network, in real time.

        Raises:
            InputError: No arm, or too many, or too many signals.
        """
        if not 1 <= len(arms) <= ARMS:
            raise InputError(f"{len(arms)} arms for the controller at {address}; allowed: 1 to {ARMS}")
        self.address = address
        self._inputs, self._outputs = dict(inputs or {}), dict(outputs or {})
        text = server_text(self._inputs, self._outputs)
        wired = {**self._inputs, **self._outputs}
        self._plan = Plan(address, rws_port, tuple(arms), wired, text, user, password)
        self._timeout_s, self._egm_port = timeout_s, egm_port
        self._dialler = SocketDialler() if dialler is None else dialler
        self._arms = {one.name: GuidedArm(one, self._report_event) for one in arms}
        self._control = ProgramControl(tuple(self._arms.values()), self._report_event)
        self._links: ControllerLinks | None = None
        self._reconnection: Reconnection[ControllerLinks] | None = None
        self._events: list[ControllerEvent] = []
        self._mine: set[int] = set()
        self._panel = Panel()
        self._shown = ("", "")
        self._now_ns = self._time_ns = self._received_ns = 0
        self._signals: dict[str, bool] = {}

    @property
    def capabilities(self) -> Capabilities:
        """Setpoints and sampled paths at 250 Hz where the controller has guided motion, and RAPID."""
        guides = self._control.guides
        return Capabilities(
            TICK_NS,
            sampled=guides,
            servo=guides,
            dialects=(DIALECT,),
            arms=tuple(self._arms),
            state_ns=STATE_NS,
            fastest_stop=FASTEST_STOP if guides else "",
        )

    @property
    def state(self) -> RobotState:
        """The newest state; the last one received where there is no link."""
        arms, panel = self._arms, self._panel
        jobs = not self._control.free
        return RobotState(
            self._time_ns,
            {name: _frozen(arm.q) for name, arm in arms.items()},
            {name: _frozen(arm.qd) for name, arm in arms.items()},
            {name: arm.opening_m for name, arm in arms.items()},
            {name: self._signals.get(name, False) for name in self._inputs},
            {name: self._signals.get(name, False) for name in self._outputs},
            {name: jobs or arm.stream is not None for name, arm in arms.items()},
            {name: arm.tool_work is not None for name, arm in arms.items()},
            self._received_ns,
            self._links is not None,
            panel.mode,
            panel.safety,
            {name: _frozen(arm.target) for name, arm in arms.items() if arm.guided(self._now_ns)},
            panel.speed,
            self._control.in_control,
            panel.operating_mode,
        )

    def connect(self) -> None:
        """Connect, and take control where the robot could move; see `Controller.connect`."""
        if self._links is not None or self._reconnection is not None:
            return
        opening = ControllerOpening(self._dialler, self._plan, self._mine, self._timeout_s)
        while (links := opening.poll(self._dialler.now_ns())) is None:
            self._dialler.wait(POLL_EVERY_S)
        try:
            self._adopt(links, self._dialler.now_ns())
            self._take_control()
        except BaseException:
            self._end()
            raise
        self._report_event("connected", self.address, f"RobotWare {links.version}" if links.version else "")

    def close(self) -> None:
        """Stop what moves, stop our programs, and end the talk."""
        if self._links is None and self._reconnection is None:
            return
        self.stop("now")
        self._control.end()
        end_ns = self._dialler.now_ns() + self._timeout_s * 1e9
        while self._links is not None and not self._control.free and self._dialler.now_ns() < end_ns:
            self.poll(self._dialler.now_ns())
            self._dialler.wait(POLL_EVERY_S)
        self._end()
        self._report_event("closed", self.address)

    def events(self) -> tuple[ControllerEvent, ...]:
        """Return what has happened since the last call."""
        events, self._events = tuple(self._events), []
        return events

    def poll(self, now_ns: int) -> None:
        """Take in states, keep the heartbeat and guided motion going, and send what is due."""
        self._time_ns += max(0, now_ns - self._now_ns) if self._now_ns else 0
        self._now_ns = now_ns
        for arm in self._arms.values():
            arm.poll(now_ns)
        links = self._links or self._reconnect(now_ns)
        if links is None:
            return
        stamp_ns = min(arm.stamp_ns for arm in self._arms.values())
        try:
            links.watch.poll(now_ns, joints=now_ns - stamp_ns > UNTOLD_NS)
            self._control.poll(now_ns)
        except ControllerError as error:
            self._lose(error.said)
            return
        self._receive(links, now_ns)
        silent_ns = now_ns - self._received_ns
        stops = any(arm.streamed(now_ns) and (arm.stream is None or arm.stream.braking) for arm in self._arms.values())
        if silent_ns > STALE_NS + (STOP_NS if stops else 0):
            self._lose(say("link.silent", address=self.address, silent_s=silent_ns / 1e9))
            return
        for arm in self._arms.values():
            if arm.stream is not None:
                arm.go_on(now_ns, "" if self.state.can_move else self._why_not())

    def run(self, job: Job) -> None:
        """Begin a job; see `Controller.run`. A program waits until guidance has ended."""
        if not isinstance(job, SampledPath):
            watch = JobWatch(job, self._plan.arms)
            self._check_link()
            self._check_robot()
            if not self._control.free and self._control.job is None:
                raise ControllerError(say("link.program_stopping"))
            for name in watch.arms:
                self._arms[name].uploaded = True
            self._control.run(watch)
            return
        arm = self._arm(job.arm)
        self._check_servo()
        self._check_link()
        arm.check_path(job.Q)
        self._check_control()
        arm.begin(job.Q)

    def progress(self, arm: str) -> Progress:
        """Return how far the present or last job is: in ticks, or in lines of the programs."""
        found = self._arm(arm)
        return self._control.progress if found.uploaded else found.progress

    def servo(self, arm: str, q: ArrayLike) -> Array:
        """Send one setpoint; see `Controller.servo`. It is cut to the limits of the joints."""
        found = self._arm(arm)
        found.check_joints(q)
        self._check_servo()
        self._check_link()
        self._check_control()
        return found.servo(q, self._now_ns)

    def tool(self, arm: str, opening_m: float, *, closes: bool) -> None:
        """Set the outputs that open or close the tool; it moves until its time has passed or its inputs confirm it.

        Raises:
            InputError: The tool is not wired.
            LinkError: There is no link.
        """
        found = self._arm(arm)
        if found.facts.tool is None:
            raise InputError(say("wiring.tool_whole", arm=arm))
        stroke = found.facts.tool.stroke(closes=closes)
        for name, value in stroke.outputs:
            self.set_output(name, value)
        found.tool_work, found.opening_m = ToolWork(stroke), opening_m

    def set_output(self, name: str, value: bool) -> None:
        """Set a digital output: by our server, or where that does not run by Robot Web Services; raises as `run`."""
        if name not in self._outputs:
            known = ", ".join(sorted(self._outputs)) or "none"
            raise InputError(say("wiring.output_missing", signal=name, known=known))
        links = self._check_link()
        if links.start.server is not None:
            try:
                links.start.server.request(RequestKind.OUTPUT, float(list(self._outputs).index(name) + 1), float(value))
            except LinkError as error:
                self._lose(error.said)
                raise
            return
        place = links.watch.place_of(self._outputs[name])
        fields = (("lvalue", str(int(value))),)
        links.work.request(RwsCall(RwsOperation.WRITE_SIGNAL, tuple(place.split("/")), fields))

    def stop(self, kind: StopKind = "path") -> None:
        """Stop every arm; see `Controller.stop`. Programs are stopped until they are seen not to run."""
        if not self._control.free:
            self._control.stop(kind)
        elif self._links is None:
            return
        elif kind == "now":
            moved = any(arm.streamed(self._now_ns) or not arm.resting for arm in self._arms.values())
            for arm in self._arms.values():
                if arm.stream is not None and not arm.stream.braking:
                    arm.progress = Progress(arm.stream.sent, len(arm.stream.Q), "stopped")
                arm.stream = None
            if moved:
                self._control.stop("now")
        else:
            for arm in self._arms.values():
                arm.brake(self._now_ns)

    # What the controller says

    def _receive(self, links: ControllerLinks, now_ns: int) -> None:
        """Take in what has come, and tell what has changed."""
        panel = self._panel = links.watch.panel
        for name, (q, stamp_ns) in links.watch.joints.items():
            if stamp_ns > self._arms[name].stamp_ns:
                self._arms[name].see(q, stamp_ns)
        self._received_ns = min(arm.stamp_ns for arm in self._arms.values())
        self._read_signals(links, now_ns)
        shown = (panel.mode, panel.safety)
        if shown != self._shown:
            before, self._shown = self._shown, shown
            self._report_changes(before, panel)
        for entry in links.watch.drain_entries():
            self._control.note(entry)
            self._note(entry)
        for arm in self._arms.values():
            self._watch_tool(arm, now_ns)

    def _read_signals(self, links: ControllerLinks, now_ns: int) -> None:
        if now_ns - self._control.bits_ns < STALE_NS and self._control.bits_ns > 0:
            for names, bits in zip((self._inputs, self._outputs), self._control.bits, strict=True):
                for place, name in enumerate(names):
                    self._signals[name] = bool(bits >> place & 1)
            return
        for name, port in (*self._inputs.items(), *self._outputs.items()):
            if port in links.watch.signals:
                self._signals[name] = links.watch.signals[port]

    def _report_changes(self, before: tuple[str, str], panel: Panel) -> None:
        first = next(iter(self._arms))
        if panel.mode != before[0]:
            self._report_event("mode", first, mode_word(panel.mode))
        if panel.safety != before[1]:
            kind: EventKind = "emergency stop" if panel.safety == "emergency stop" else "safety"
            self._report_event(kind, first, safety_word(panel.safety))

    def _note(self, entry: LoggedEvent) -> None:
        """Tell warnings and errors of the event log, and what programs write there."""
        if entry.level >= ERROR_LEVEL or entry.level == WARNING_LEVEL or entry.code in BY_PROGRAM:
            self._report_event("message", next(iter(self._arms)), entry.message)

    def _watch_tool(self, arm: GuidedArm, now_ns: int) -> None:
        """Tell when the tool has opened or closed, and when it does not confirm it."""
        work = arm.tool_work
        if work is None:
            return
        if work.began_ns is None:
            arm.tool_work = ToolWork(work.stroke, now_ns)
            return
        inputs = {name: self._signals.get(name, False) for name in self._inputs}
        if not work.over(now_ns, inputs):
            return
        arm.tool_work = None
        missing = work.stroke.unconfirmed(inputs)
        if missing:
            self._report_event("warning", arm.facts.name, say("link.tool_unconfirmed", signals=", ".join(missing)))
        else:
            self._report_event("tool", arm.facts.name, "done")

    # Links

    def _adopt(self, links: ControllerLinks, now_ns: int) -> None:
        """Take over connections that are there."""
        self._links, self._panel = links, links.watch.panel
        self._now_ns = now_ns
        self._control.guides = GUIDANCE not in links.missing
        self._shown = (self._panel.mode, self._panel.safety)
        first = next(iter(self._arms))
        if not self._control.guides:
            option = OPTION_NAMES[GUIDANCE]
            self._report_event("warning", first, say("link.no_egm", address=self.address, option=option))
        if links.unknown:
            self._report_event("warning", first, say("link.no_signal", signals=", ".join(links.unknown)))
        for place, arm in enumerate(self._arms.values()):
            if arm.link is None and self._control.guides:
                arm.link = GuideLink(self._dialler.listen(self.address, self._egm_port + place), arm.facts.dof)
        self._control.attach(links, now_ns)
        for name, (q, stamp_ns) in links.watch.joints.items():
            self._arms[name].see(q, stamp_ns)
        self._received_ns = now_ns

    def _reconnect(self, now_ns: int) -> ControllerLinks | None:
        """Look for links that are gone, and take them over when they have been found again."""
        links = None if self._reconnection is None else self._reconnection.poll(now_ns)
        if links is None:
            return None
        self._reconnection = None
        self._adopt(links, now_ns)
        self._report_event("recovered", self.address)
        return links

    def _lose(self, why: str) -> None:
        """The link is gone: tell, and look for it."""
        if self._links is None:
            return
        self._links.close()
        self._links = None
        self._report_event("lost", self.address, why)
        for arm in self._arms.values():
            if arm.stream is not None:
                arm.end_stream("link lost")
            arm.lead_no_more()
            arm.tool_work = None
        self._control.detach()
        self._reconnection = Reconnection(
            lambda: ControllerOpening(self._dialler, self._plan, self._mine, REPLY_WITHIN_S), self._now_ns
        )

    def _take_control(self) -> None:
        """Wait until setpoints are taken, where the robot could move."""
        end_ns = self._dialler.now_ns() + CONTROL_WITHIN_S * 1e9
        while self._panel.able and not self._control.settled and self._dialler.now_ns() < end_ns:
            self.poll(self._dialler.now_ns())
            self._check_link()
            self._dialler.wait(POLL_EVERY_S)
        if self._panel.able and not self._control.in_control:
            raise ControllerError(say("link.no_control", address=self.address, why=self._why_not()))

    def _arm(self, name: str) -> GuidedArm:
        if name not in self._arms:
            raise UnknownNameError("arm of this robot", name, self._arms)
        return self._arms[name]

    def _check_servo(self) -> None:
        if not self._control.guides:
            raise InputError(say("robot.no_servo", robot=self.address))

    def _check_link(self) -> ControllerLinks:
        if self._links is None:
            code = "link.none" if self._reconnection is not None else "link.connect_first"
            raise LinkError(say(code, address=self.address))
        return self._links

    def _check_robot(self) -> None:
        if not self._panel.able:
            raise ControllerError(say("link.cannot_move", address=self.address, why=self._why_not()))

    def _check_control(self) -> None:
        self._check_robot()
        if self._control.job is not None:
            raise ControllerError(say("link.program_runs", program=self._control.job.name))
        if not self._control.free:
            raise ControllerError(say("link.program_stopping"))
        if not self._control.in_control:
            raise ControllerError(say("link.cannot_move", address=self.address, why=self._why_not()))

    def _why_not(self) -> str:
        panel = self._panel
        if panel.mode != "ready" or panel.safety != "normal":
            return say("link.state", mode=mode_word(panel.mode), safety=safety_word(panel.safety))
        if panel.operating != "AUTO":
            return say("link.manual_mode")
        return self._control.why or say("link.no_program")

    def _end(self) -> None:
        self._control.close()
        if self._reconnection is not None:
            self._reconnection.give_up()
        if self._links is not None:
            self._links.close()
        self._links = self._reconnection = None
        for arm in self._arms.values():
            arm.stream = arm.tool_work = None
            arm.lead_no_more()
            if arm.link is not None:
                arm.link.close()
                arm.link = None

    def _report_event(self, kind: EventKind, about: str, message: str = "") -> None:
        self._events.append(ControllerEvent(self._time_ns, kind, about, message))


def _frozen(q: Array) -> Array:
    q = np.array(q)
    q.setflags(write=False)
    return q
