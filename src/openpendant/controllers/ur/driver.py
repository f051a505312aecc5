"""UrDriver: a Universal Robots arm (e-Series) behind the `Controller` interface."""

import random
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.controllers.dialler import Dialler
from openpendant.controllers.jobs import Job, Progress, SampledPath, only_text
from openpendant.controllers.reconnection import Reconnection
from openpendant.controllers.sent_setpoints import SentSetpoints
from openpendant.controllers.socket_dialler import SocketDialler
from openpendant.controllers.states import Capabilities, ControllerEvent, EventKind, RobotState, StopKind
from openpendant.controllers.stream import Stream, check_rows
from openpendant.controllers.tools import ToolWiring, ToolWork
from openpendant.errors import ControllerError, InputError, LinkError, UnknownNameError
from openpendant.protocols.ur_primary import (
    PopupMessage,
    ProgramTextMessage,
    RobotMessage,
    RuntimeExceptionMessage,
    UnknownRobotMessage,
)
from openpendant.said import mode_word, safety_word, say

from .calibration import Calibration
from .control import Control, control_command
from .controller_events import message_event, state_events, tool_event
from .decoded_state import Reading, read_state
from .links import LinkOpening, Links
from .no_control import NoControl
from .popup_watch import PopupWatch
from .ports import input_bits, output_bits
from .program_slot import ProgramSlot
from .program_stop import FASTEST_RAD_S2, FASTEST_STOP, checked_deceleration
from .state_names import PLAYING

Array = NDArray[np.float64]

TICK_NS = 2_000_000
STALE_NS = 350_000_000
STOP_NS = 200_000_000
"""A link without states is kept this much longer while setpoints come: they are a stop, which a robot's loop begins
0.25 s after the last state and which is over by then."""
BEAT_NS = 20_000_000
STOPPED_NS = 400_000_000
"""Time the control program may be reported as not running before control counts as lost."""
CONTROL_WITHIN_S = 20.0
REPORT_WITHIN_S = 1.0
JUMP_RAD = 0.35
"""Largest distance of a setpoint from where the controller wants the arm; a larger one is a mistake."""
STOP_RAD_S2, STOP_RISE_S = 8.0, 0.02
"""Deceleration of a stop along the path where nobody says what the joints can do, and the time in which it is reached
(both assumed)."""


class UrDriver:
    """Drives one arm. See `Controller`; whatever waits is done elsewhere.

    Motion goes through ur_rtde's control interface with its watchdog, in its own process and in real time; states,
    messages, stops and the heartbeat of uploaded programs through connections of its own, timed by `poll` alone.
    """

    def __init__(
        self,
        address: str,
        *,
        arm: str = "arm",
        inputs: Mapping[str, str] | None = None,
        outputs: Mapping[str, str] | None = None,
        tool: ToolWiring | None = None,
        timeout_s: float = 3.0,
        stop_deceleration: ArrayLike = STOP_RAD_S2,
        control: Sequence[str] | None = None,
        dialler: Dialler | None = None,
    ) -> None:
        """Describe the robot; `connect` talks to it.

        Args:
            address: Host name or address of the controller; its ports are the maker's.
            arm: What the arm is called here.
            inputs: Ports of the digital inputs by name: `standard_in_0` to 7, `configurable_in_0` to 7, `tool_in_0`, 1.
            outputs: Ports of the digital outputs by name, likewise.
            tool: How the arm's tool is worked with these signals; None: it is not wired.
            timeout_s: How long the controller may take to answer.
            stop_deceleration: Of a stop along the path, rad/s²: for each joint, or one for all.
            control: Starts the process that holds the robot; None: the one with ur_rtde; empty: there is none, and the
                robot runs uploaded programs but takes neither setpoints nor sampled paths.
            dialler: Opens the connections, but for those of ur_rtde; None: over the network, in real time.

        Raises:
            InputError: A deceleration that is not positive.
            UnknownNameError: The controller has no such port.
        """
        self.address = address
        self.calibration: Calibration | None = None
        """How this very arm is built; None: not reported yet."""
        self._arm, self._timeout_s = arm, timeout_s
        self._stop_most = checked_deceleration(stop_deceleration)
        gentle = min(float(self._stop_most.min()), FASTEST_RAD_S2)
        self._command = control_command(address, gentle) if control is None else tuple(control)
        self._inputs, self._outputs = input_bits(inputs or {}), output_bits(outputs or {})
        self._tool, self._opening_m = tool, 0.0
        self._tool_work: ToolWork | None = None
        self._dialler = SocketDialler() if dialler is None else dialler
        self._links: Links | None = None
        self._reconnection: Reconnection[Links] | None = None
        self._control: Control | NoControl | None = None
        self._events: list[ControllerEvent] = []
        self._reading = Reading.nothing(self._inputs, self._outputs)
        self._now_ns = self._beat_ns = self._played_ns = 0
        self._stream: Stream | None = None
        self._progress = Progress(0, 0)
        self._sent = SentSetpoints()
        # Not from 0: the register in which a program says that it came to its end keeps its number for the next owner.
        first_run = random.randrange(2**30)  # noqa: S311 - a number, not a secret
        self._slot = ProgramSlot(
            self._dialler, address, first_run, lambda kind, message: self._emit(kind, self._arm, message)
        )
        self._uploaded = False
        self._window = PopupWatch()
        self._lower, self._upper = np.full(6, -2.0 * np.pi), np.full(6, 2.0 * np.pi)

    @property
    def capabilities(self) -> Capabilities:
        """Setpoints and sampled paths at 500 Hz, and URScript; URScript alone where no process holds the robot."""
        if not self._command:
            return Capabilities(TICK_NS, sampled=False, servo=False, dialects=("urscript",), arms=(self._arm,))
        return Capabilities(TICK_NS, dialects=("urscript",), arms=(self._arm,), fastest_stop=FASTEST_STOP)

    @property
    def state(self) -> RobotState:
        """The newest state; without a link the last one received."""
        held = self._control is not None and (self._control.in_control or self._slot.upload is not None)
        return self._reading.state(
            self._arm,
            moving=self._stream is not None or not self._slot.free,
            connected=self._links is not None,
            in_control=held,
            opening_m=self._opening_m,
            tool_moving=self._tool_work is not None,
            operating="unknown" if self._links is None else self._links.operating.mode,
            window=self._window.open,
        )

    def connect(self) -> None:
        """Connect, and take control where the robot has power; see `Controller.connect`."""
        if self._links is not None or self._reconnection is not None:
            return
        self._links = LinkOpening(self._dialler, self.address, self._timeout_s).wait_for_both()
        gentle = min(float(self._stop_most.min()), FASTEST_RAD_S2)
        self._control = Control(self._command, gentle) if self._command else NoControl()
        try:
            self._learn()
            self._await_control()
        except BaseException:
            self._end()
            raise
        self._emit("connected", self.address, f"PolyScope {self._links.state.version}")
        if self.calibration is not None and self.calibration.warning:
            self._emit("warning", self._arm, self.calibration.warning)

    def close(self) -> None:
        """Stop what moves, give the robot back, and end the talk."""
        if self._links is None and self._reconnection is None:
            return
        self.stop("now")
        end_ns = self._dialler.now_ns() + self._timeout_s * 1e9
        while not self._slot.free and self._dialler.now_ns() < end_ns:
            self.poll(self._dialler.now_ns())
            self._dialler.wait(0.002)
        self._end()
        self._slot.close()
        self._stream = None
        self._emit("closed", self.address)

    def events(self) -> tuple[ControllerEvent, ...]:
        """Return what has happened since the last call."""
        events, self._events = tuple(self._events), []
        return events

    def poll(self, now_ns: int) -> None:
        """Receive states and messages, keep heartbeats going, and send what is due."""
        self._now_ns = now_ns
        self._slot.call(now_ns)
        links = self._links or self._adopt()
        if links is None or self._control is None:
            return
        try:
            fresh = links.state.poll(now_ns)
            messages = links.poll_messages(now_ns)
            if self._slot.beats and now_ns - self._beat_ns >= BEAT_NS:
                self._beat_ns = now_ns
                links.state.beat()
            self._slot.push(links.messages, self._reading, now_ns, released=self._control.released)
        except LinkError as error:
            self._lose(error.said)
            return
        silent_ns = now_ns - links.state.stamp_ns
        stops = self._sent.recent(now_ns) and (self._stream is None or self._stream.braking)
        if silent_ns > STALE_NS + (STOP_NS if stops else 0):
            self._lose(say("link.silent", address=self.address, silent_s=silent_ns / 1e9))
            return
        for message in messages:
            self._note_message(message)
        held = self._control.in_control
        if fresh:
            self._watch(links, now_ns)
            self._slot.update(self._reading, now_ns)
            self._watch_tool(now_ns)
        wanted = self._reading.could_move and self._slot.free
        self._control.poll(now_ns, wanted=wanted)
        if held and wanted and not self._control.in_control:
            self._emit("warning", self._arm, self._control.why)
        self._go_on(now_ns)

    def run(self, job: Job) -> None:
        """Begin a job; see `Controller.run`. URScript waits until the control program has left the robot."""
        if not isinstance(job, SampledPath):
            self._check_link()
            upload = self._slot.make(only_text(job))
            self._check_robot()
            self._stream, self._uploaded = None, True
            self._slot.begin(upload)
            return
        self._check_arm(job.arm)
        self._check_servo()
        self._check_link()
        if job.Q.shape[1] != 6:
            raise InputError(say("robot.path_joints", count=job.Q.shape[1], arm=job.arm, dof=6))
        self._check_control()
        before = self._target()
        check_rows(np.vstack([before, job.Q]), self._lower, self._upper, JUMP_RAD / 5.0)
        self._stream, self._uploaded = Stream(job.Q, TICK_NS, before), False
        self._progress = Progress(0, len(job.Q))
        self._emit("job started", self._arm)

    def progress(self, arm: str) -> Progress:
        """Return how far the present or last job is: in ticks, or in lines of the program."""
        self._check_arm(arm)
        return self._slot.progress if self._uploaded else self._progress

    def servo(self, arm: str, q: ArrayLike) -> Array:
        """Send one setpoint; see `Controller.servo`. It is cut to the joint limits that the controller tells."""
        self._check_arm(arm)
        wanted = np.array(q, dtype=np.float64)
        if wanted.shape != (6,) or not np.isfinite(wanted).all():
            raise InputError(f"setpoint {wanted.tolist()} for arm {arm}; allowed: 6 finite joints")
        self._check_servo()
        self._check_link()
        self._check_control()
        off = np.abs(wanted - self._target())
        if off.max() > JUMP_RAD:
            i = int(off.argmax())
            raise InputError(say("robot.setpoint_away", joint=i + 1, away_rad=off[i], most_rad=JUMP_RAD))
        sent = np.clip(wanted, self._lower, self._upper)
        if self._stream is not None:
            self._end_stream("replaced by a setpoint")
        self._send(sent)
        return sent

    def tool(self, arm: str, opening_m: float, *, closes: bool) -> None:
        """Set the outputs that open or close the tool; it moves until its time has passed or its inputs confirm it.

        Raises:
            InputError: The tool is not wired.
            LinkError: There is no link.
            ControllerError: Another client writes one of the outputs.
        """
        self._check_arm(arm)
        if self._tool is None:
            raise InputError(say("wiring.tool_whole", arm=arm))
        stroke = self._tool.stroke(closes=closes)
        for name, value in stroke.outputs:
            self.set_output(name, value)
        self._tool_work, self._opening_m = ToolWork(stroke), opening_m

    def set_output(self, name: str, value: bool) -> None:
        """Set a digital output; raises as `run`."""
        if name not in self._outputs:
            known = ", ".join(sorted(self._outputs)) or "none"
            raise InputError(say("wiring.output_missing", signal=name, known=known))
        links = self._check_link()
        try:
            allowed = links.state.set_output(self._outputs[name], value=value)
        except LinkError as error:
            self._lose(error.said)
            raise
        if not allowed:
            raise ControllerError(say("link.output_taken", output=name, address=self.address))

    def stop(self, kind: StopKind = "path") -> None:
        """Stop the arm; see `Controller.stop`. A program on the controller is stopped until it is seen not to play."""
        if not self._slot.free:
            self._slot.stop(kind)
            return
        if self._control is None or self._links is None:
            return
        jerk = self._stop_most / STOP_RISE_S
        if kind == "now":
            self._control.stop(hard=True)
            if self._stream is not None:
                self._end_stream("stopped", f"stopped ({FASTEST_STOP})")
            self._sent.clear()
        elif self._stream is not None:
            if not self._stream.braking:
                self._progress = Progress(self._stream.sent, len(self._stream.Q), "stopped")
                self._stream = self._stream.brake(self._stop_most, jerk)
        elif (rows := self._sent.stop_rows(self._stop_most, jerk, TICK_NS, self._now_ns)) is not None:
            self._stream = Stream(np.clip(rows, self._lower, self._upper), TICK_NS, self._sent.q, braking=True)

    def _go_on(self, now_ns: int) -> None:
        """Send what is due of the present job."""
        stream = self._stream
        if stream is None:
            return
        if not self.state.can_move:
            self._end_stream(self._why_not())
            return
        if not stream.done:
            row = stream.row(now_ns)
            if row is None:
                self._end_stream("the caller came too late for the path")
                if self._control is not None:
                    self._control.stop(hard=False)
                return
            self._send(row)
            if not stream.braking:
                self._progress = Progress(min(stream.sent, len(stream.Q) - 1), len(stream.Q))
        elif stream.arrived(self._reading.q, self._reading.qd, now_ns):
            self._stream = None
            if stream.braking:
                self._emit("stopped", self._arm, say("stop.stopped_on_path"))
            else:
                self._progress = Progress(len(stream.Q), len(stream.Q))
                self._emit("job done", self._arm)
        else:
            self._send(stream.Q[-1])

    def _send(self, q: Array) -> None:
        if self._control is not None:
            self._sent.add(q, self._now_ns)
            self._control.servo(q.tolist())

    def _end_stream(self, why: str, words: str = "") -> None:
        stream, self._stream = self._stream, None
        if stream is not None and not stream.braking:
            self._progress = Progress(stream.sent, len(stream.Q), why)
        self._emit("stopped", self._arm, words or why)

    def _watch(self, links: Links, now_ns: int) -> None:
        """Take in a new state and tell what has changed."""
        before = self._reading
        self._reading = now = read_state(links.state.flat, links.state.stamp_ns, self._inputs, self._outputs)
        for kind, text in state_events(before, now):
            self._emit(kind, self._arm, text)
        self._window.update(now.runtime)
        control = self._control
        if now.runtime == PLAYING or control is None or not control.in_control:
            self._played_ns = now_ns
        elif now_ns - self._played_ns > STOPPED_NS or not now.could_move:
            control.lose(say("link.program_stopped", why=self._why_not()), now_ns)
        for text in links.state.texts:
            self._emit("message", self._arm, text)
        links.state.texts.clear()
        if self.calibration is None and links.messages.kinematics and links.messages.configuration:
            self._calibrate(links)

    def _watch_tool(self, now_ns: int) -> None:
        """Tell when the tool has opened or closed, and when it does not confirm it."""
        work = self._tool_work
        if work is not None and work.began_ns is None:
            self._tool_work = ToolWork(work.stroke, now_ns)
            return
        if work is None or not work.over(now_ns, self._reading.inputs):
            return
        self._tool_work = None
        kind, text = tool_event(work.stroke.unconfirmed(self._reading.inputs))
        self._emit(kind, self._arm, text)

    def _note_message(self, message: RobotMessage | UnknownRobotMessage) -> None:
        """Report what the controller says, and note what it says against a program."""
        match message:
            case RuntimeExceptionMessage(line=line, text=text):
                self._slot.note(line, text)
            case PopupMessage(title=title, text=text, error=error, blocking=blocking):
                if error:
                    self._slot.complain(text, self._now_ns)
                self._window.show(title, text, waits=blocking)
            case ProgramTextMessage() if self._slot.free and self._control is not None and not self._control.released:
                # While ur_rtde's program runs, its texts are about itself.
                return
            case _:
                pass
        event = message_event(message)
        if event is not None:
            self._emit(event[0], self._arm, event[1])

    def _lose(self, why: str) -> None:
        """The link is lost: report it, and try to reconnect."""
        if self._links is None:
            return
        self._links.close()
        self._links = None
        if self._control is not None:
            self._control.lose(why, self._now_ns)
        self._emit("lost", self.address, why)
        if self._stream is not None:
            self._end_stream("link lost")
        self._slot.lose()
        self._window.close()
        self._sent.clear()
        self._tool_work = None
        self._reconnection = Reconnection(lambda: LinkOpening(self._dialler, self.address), self._now_ns)

    def _adopt(self) -> Links | None:
        """Try to reconnect; return the links once they are open again."""
        links = None if self._reconnection is None else self._reconnection.poll(self._now_ns)
        if links is None:
            return None
        self._links, self._reconnection = links, None
        self._links.state.stamp_ns = self._now_ns
        self._emit("recovered", self.address)
        return self._links

    def _learn(self) -> None:
        """Wait for the first state, and for what the controller reports of its arm."""
        end_ns = self._dialler.now_ns() + REPORT_WITHIN_S * 1e9
        while self.calibration is None and self._dialler.now_ns() < end_ns:
            self.poll(self._dialler.now_ns())
            self._check_link()
            self._dialler.wait(0.005)

    def _await_control(self) -> None:
        """Wait until setpoints are taken, where the robot could move."""
        control, now_ns = self._control, self._dialler.now_ns
        end_ns = now_ns() + CONTROL_WITHIN_S * 1e9
        while control is not None and self._reading.could_move and not control.settled and now_ns() < end_ns:
            self.poll(now_ns())
            self._check_link()
            self._dialler.wait(0.005)
        if control is not None and self._reading.could_move and not control.in_control:
            raise ControllerError(say("link.no_control", address=self.address, why=control.why))

    def _calibrate(self, links: Links) -> None:
        kinematics, configuration = links.messages.kinematics, links.messages.configuration
        if kinematics is not None and configuration is not None:
            self.calibration = Calibration.of(kinematics, configuration)
            self._lower, self._upper = np.array(configuration.joint_min), np.array(configuration.joint_max)

    def _target(self) -> Array:
        """Where the arm is sent to: our last setpoint while servoing, else where the controller wants it."""
        return self._sent.q if self._sent.recent(self._now_ns) else self._reading.q_target

    def _check_arm(self, name: str) -> None:
        if name != self._arm:
            raise UnknownNameError("arm of this robot", name, [self._arm])

    def _check_servo(self) -> None:
        if not self._command:
            raise InputError(say("robot.no_servo", robot=self._arm))

    def _check_link(self) -> Links:
        if self._links is None:
            code = "link.none" if self._reconnection is not None else "link.connect_first"
            raise LinkError(say(code, address=self.address))
        return self._links

    def _check_robot(self) -> None:
        if not self._reading.could_move:
            raise ControllerError(say("link.cannot_move", address=self.address, why=self._why_not()))

    def _check_control(self) -> None:
        self._check_robot()
        if self._slot.upload is not None:
            raise ControllerError(say("link.program_runs", program=self._slot.name))
        if not self._slot.free:
            raise ControllerError(say("link.program_stopping"))
        if self._control is None or not self._control.in_control:
            raise ControllerError(say("link.cannot_move", address=self.address, why=self._why_not()))

    def _why_not(self) -> str:
        reading = self._reading
        if not reading.could_move:
            return say("link.state", mode=mode_word(reading.mode), safety=safety_word(reading.safety))
        return (self._control.why if self._control is not None else "") or say("link.no_program")

    def _end(self) -> None:
        if self._control is not None:
            self._control.close(self._timeout_s)
        if self._reconnection is not None:
            self._reconnection.give_up()
        if self._links is not None:
            self._links.close()
        self._links = self._control = self._reconnection = None

    def _emit(self, kind: EventKind, about: str, message: str = "") -> None:
        self._events.append(ControllerEvent(self._reading.time_ns, kind, about, message))
