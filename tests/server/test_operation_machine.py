"""People, runs, stops, edits and faults in any order, through the server's own operation: STOP wins, every run ends.

In virtual time; see `virtual_room`.
"""

from typing import Literal

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)
from virtual_room import STILL_WORK_S, VirtualRoom

from openpendant.errors import OpenPendantError
from openpendant.messages import JointIntent, bus
from openpendant.messages.operation import (
    Connect,
    ControlRequest,
    Disconnect,
    Engage,
    FromOperator,
    GiveControl,
    Intend,
    Pause,
    Resume,
    Run,
    SetSpeed,
    SingleStep,
    Stop,
    TakeControl,
)
from openpendant.runtime import RunLife
from openpendant.server.studio.presence import SILENT_S
from virtual_cell import ARM, ROBOT, TICK_NS

PEOPLE = ("ann", "bob")
MOVES = (Run, Resume, SingleStep, Engage)
"""Requests after which something may move."""
REST_NS = 200_000_000
"""From full speed the arm rests within 0.16 s by its stop limits; some ticks come on top, with which it is noticed."""
NOTICED_NS = 100_000_000
"""Looks, threads and reports, until something is noticed."""
SILENT_NS = int(SILENT_S * 1e9)
TOLD_NS = 400_000_000
"""So long people may be told what is not so any more."""
PENDING_NS = int((STILL_WORK_S + SILENT_S) * 1e9) + 3_000_000_000
"""A run that has not begun waits for its robot to start and rest (3 s), its check, and a word of its person."""
STOPPING_NS = 6_000_000_000
"""A stop that does not reach its robot is repeated for 3 s, and waits 2 s for its rest."""
ANSWERED_NS = 20_000_000_000
SOMEBODY = st.sampled_from(PEOPLE)
PROGRAM = st.sampled_from(["swings", "waits", "calls"])
TICKS = st.integers(1, 150)


class OperationMachine(RuleBasedStateMachine):
    """Two people, one robot, and a server."""

    @initialize()
    def begin(self) -> None:
        """Ann connects the robots."""
        self.room = VirtualRoom()
        self.room.each_tick.append(self.look)
        self.numbers = 0
        self.asked = self.stopped = self.attended = self.held = 0
        """When somebody last asked for what may move the arm; when the robot last obeyed a stop; when whoever had
        control was last there; when an arm was last held by hand."""
        self.seen, self.loop = 0, None
        self.lives: dict[RunLife, int] = {}
        """Every run, and when it came to the state that it is in."""
        self.states: dict[RunLife, str] = {}
        self.void: set[RunLife] = set()
        """Those that had not begun when a STOP came."""
        self.wrong = 0
        """Since when people are told what is not so; 0: they are not."""
        self.checked = 0
        for client in PEOPLE:
            self.room.enter(client)
        self.ask("ann", Connect(id=0))
        self.room.ticks(40)
        assert self.room.told is not None
        assert self.room.told.state == "on"

    # What is promised.

    def look(self) -> None:
        """At every tick."""
        self.hear_robot()
        self.follow_people()
        self.follow_run()
        room = self.room
        if room.moving:
            since = room.now - self.attended
            assert since < SILENT_NS + NOTICED_NS + REST_NS, f"it moves {since * 1e-9:.2f} s after the last word"
            if self.stopped and room.now - self.stopped > REST_NS:
                assert self.asked >= self.stopped, f"it moves {(room.now - self.stopped) * 1e-9:.3f} s after the stop"
        for request in room.requests:
            assert request.task.done() or room.now - request.at < ANSWERED_NS, f"never answered: {request.message}"

    def hear_robot(self) -> None:
        room, loop = self.room, self.room.loop
        if loop is None:
            return
        if loop is not self.loop:
            self.loop, self.seen = loop, 0
        told = loop.command(bus.EventsRequest(after=self.seen), room.now)
        assert isinstance(told, bus.LoggedEvents)
        for event in told.events:
            self.seen = event.number
            if event.kind == "halt":
                self.stopped = room.now
            elif event.kind == "job started":
                assert self.asked >= self.stopped, "something started that was requested before the stop"

    def follow_people(self) -> None:
        room = self.room
        holder = room.operation._control.holder(ROBOT)
        if holder in room.names and holder not in room.frozen:
            self.attended = room.now

    def follow_run(self) -> None:
        room, runs = self.room, self.room.operation._runs
        life = runs._life
        if life is None:
            return
        state = life.state
        if self.states.get(life) != state:
            if state == "running" and self.states.get(life) in (None, "asked", "checking", "starting"):
                assert life not in self.void, "a run begins that was requested before a STOP"
                silent = room.now - room.spoke.get(runs.client, 0)
                assert silent < SILENT_NS + NOTICED_NS, f"a run begins {silent * 1e-9:.2f} s after the last word"
            self.states[life], self.lives[life] = state, room.now
        if life.pending:
            begun = self.lives.setdefault(life, room.now)
            assert room.now - begun < PENDING_NS + room.pool.ticks * TICK_NS, f"a run is {state} for ever"
        if state == "stopping":
            assert room.now - self.lives[life] < STOPPING_NS, "a run is being stopped for ever"
        if life.over and state != "done":
            assert life.message, f"nobody is told why the run is {state}"
        self.compare(life)

    def compare(self, life: RunLife) -> None:
        """What people are told of the run is so."""
        told = None if self.room.told is None else self.room.told.run
        status = "checking" if life.pending else life.status
        if told is not None and told.status == status:
            self.wrong = 0
        elif self.wrong == 0:
            self.wrong = self.room.now
        assert not self.wrong or self.room.now - self.wrong < TOLD_NS, f"{told} is told of a run that is {life.now}"

    # What people do.

    def ask(self, client: str, message: FromOperator) -> None:
        """Somebody asks for something, if they are here and their page still speaks."""
        if client not in self.room.names or client in self.room.frozen:
            return
        if isinstance(message, MOVES):
            self.asked = self.room.now
        self.room.ask(client, message)
        self.room.ticks(2)

    def number(self) -> int:
        self.numbers += 1
        return self.numbers

    @rule(
        who=SOMEBODY,
        program=PROGRAM,
        mode=st.sampled_from(["streamed", "streamed", "uploaded"]),
        loop=st.booleans(),
        single=st.booleans(),
        kind=st.sampled_from(["works", "works", "works", "hangs", "breaks"]),
        ticks=st.sampled_from([0, 5, 100, 600]),
    )
    def run(
        self,
        who: str,
        program: str,
        mode: Literal["streamed", "uploaded"],
        loop: bool,
        single: bool,
        kind: str,
        ticks: int,
    ) -> None:
        """Somebody runs a program whose check takes some time, hangs or breaks."""
        if self.room.operation._runs.under_way is None:
            self.room.pool.kind, self.room.pool.ticks = kind, ticks
        plain = mode == "uploaded"
        self.ask(
            who,
            Run(id=self.number(), program=program, mode=mode, loop=loop and not plain, single=single and not plain),
        )

    @rule(who=SOMEBODY, what=st.sampled_from([Pause, Resume, SingleStep]))
    def press(self, who: str, what: type[Pause] | type[Resume] | type[SingleStep]) -> None:
        """Somebody presses a button of the run."""
        self.ask(who, what(id=self.number()))

    @rule(who=SOMEBODY, fraction=st.sampled_from([0.05, 0.5, 1.0]))
    def set_speed(self, who: str, fraction: float) -> None:
        """Somebody drags the speed."""
        self.ask(who, SetSpeed(id=self.number(), fraction=fraction))

    @rule(who=SOMEBODY)
    def stop(self, who: str) -> None:
        """Somebody presses STOP."""
        if who in self.room.names:
            self.press_stop(who, "")

    @rule(who=SOMEBODY, first=st.booleans(), ticks=st.integers(0, 20))
    def stop_by_service(self, who: str, first: bool, ticks: int) -> None:
        """STOP is pressed while the server is slow: the robot hears it from the stop service, the server later."""
        press = f"press {self.number()}"
        if first:
            self.room.service_stop(press, who)
            self.room.ticks(ticks)
        self.press_stop(who, press)
        if not first:
            self.room.service_stop(press, who)

    def press_stop(self, who: str, press: str) -> None:
        pending = self.room.operation._runs.pending
        self.room.ask(who, Stop(id=self.number(), press=press))
        self.room.ticks(1)
        if pending is not None:
            assert pending.over, "a run that had not begun goes on after a STOP"
            self.void.add(pending)

    @rule()
    def stop_on_the_bus(self) -> None:
        """Some other program stops the robot, and the server is not asked."""
        self.room.you.halt((ROBOT,))

    @rule(who=SOMEBODY, take_over=st.booleans())
    def take(self, who: str, take_over: bool) -> None:
        """Somebody takes control."""
        self.ask(who, TakeControl(id=self.number(), robot=ROBOT, take_over=take_over))

    @rule(who=SOMEBODY, to=st.sampled_from(["", *PEOPLE]))
    def give(self, who: str, to: str) -> None:
        """Somebody gives control to somebody, who then has as long as everybody to show that they are there."""
        if to and to != who and self.room.operation._control.holder(ROBOT) == who:
            self.attended = self.room.now
        self.ask(who, GiveControl(id=self.number(), robot=ROBOT, to=to))

    @rule(who=SOMEBODY)
    def want_control(self, who: str) -> None:
        """Somebody asks for control."""
        self.ask(who, ControlRequest(id=self.number(), robot=ROBOT))

    @rule(who=SOMEBODY)
    def leave(self, who: str) -> None:
        """Somebody closes the page."""
        self.room.leave(who)

    @rule(who=SOMEBODY)
    def enter(self, who: str) -> None:
        """Somebody opens the page, or it wakes up."""
        self.room.enter(who)

    @rule(who=SOMEBODY)
    def freeze(self, who: str) -> None:
        """Somebody's page hangs, or its link goes deaf; its socket stays open."""
        if who in self.room.names:
            self.room.frozen.add(who)

    @rule(who=SOMEBODY, speed=st.sampled_from([-0.5, 0.3]), times=st.integers(1, 30))
    def jog(self, who: str, speed: float, times: int) -> None:
        """Somebody jogs for a while, or until their page hangs."""
        self.ask(who, Engage(id=self.number(), robot=ROBOT, arm=ARM))
        self.room.ticks(10)
        for _ in range(times):
            if who not in self.room.names or who in self.room.frozen:
                return
            intent = JointIntent(source="", arm=ARM, stamp_ns=self.room.now, velocity=(speed, 0.0, 0.0, 0.0, 0.0, 0.0))
            self.room.speak(who)
            self.room.operation.intend(who, Intend(robot=ROBOT, intent=intent), self.room.now)
            self.room.ticks(4)

    @rule()
    def edit(self) -> None:
        """Somebody edits the cell: the next motion restarts the robots."""
        self.room.edit()

    @rule(who=SOMEBODY)
    def connect(self, who: str) -> None:
        """Somebody connects the robots."""
        self.ask(who, Connect(id=self.number()))

    @precondition(lambda self: self.numbers % 4 == 0)
    @rule(who=SOMEBODY)
    def disconnect(self, who: str) -> None:
        """Somebody disconnects them."""
        self.ask(who, Disconnect(id=self.number()))

    @rule(ticks=TICKS)
    def let_pass(self, ticks: int) -> None:
        """Time passes."""
        self.room.ticks(ticks)

    def teardown(self) -> None:
        """At last somebody presses STOP: everything ends, and everybody has been answered."""
        if not hasattr(self, "room"):
            return
        room = self.room
        room.enter("bob")
        self.press_stop("bob", "")
        room.ticks(int(STOPPING_NS / TICK_NS))
        assert not room.moving
        for life in self.lives:
            assert life.over, f"a run is still {life.state}"
        self.ask("bob", Disconnect(id=self.number()))
        for _ in range(int(ANSWERED_NS / TICK_NS)):
            if all(request.task.done() for request in room.requests):
                break
            room.ticks(1)
        for request in room.requests:
            error = request.task.exception()
            assert error is None or isinstance(error, OpenPendantError | ZeroDivisionError), request.message
        room.ticks(40)
        assert room.told is not None
        assert room.told.state == "off"
        assert not room.workers
        room.close()


def run_machine(examples: int, steps: int) -> None:
    run_state_machine_as_test(
        OperationMachine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            suppress_health_check=list(HealthCheck),
            derandomize=examples <= 50,
            deadline=None,
            report_multiple_bugs=False,
        ),
    )


def test_a_stop_that_reached_the_robot_first_says_which_run_it_cancelled() -> None:
    room = VirtualRoom()
    room.enter("ann")
    room.ask("ann", Connect(id=0))
    room.ticks(40)
    room.pool.kind, room.pool.ticks = "works", 600
    room.ask("ann", Run(id=1, program="swings", mode="streamed"))
    room.ticks(5)
    pending = room.operation._runs.pending
    assert pending is not None
    room.service_stop("press 1", "ann")
    room.ticks(20)
    assert pending.over
    room.ask("ann", Stop(id=2, press="press 1"))
    room.ticks(20)
    assert [one.cancelled for _, one in room.stopped] == ["swings"]
    room.ask("ann", Stop(id=3, press="press 2"))
    room.ticks(20)
    assert [one.cancelled for _, one in room.stopped] == ["swings", ""]
    room.ask("ann", Disconnect(id=4))
    room.ticks(40)


@pytest.mark.timeout(240)
def test_whatever_people_do_a_stop_stops_and_every_run_ends() -> None:
    run_machine(30, 25)


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_whatever_people_do_a_stop_stops_and_every_run_ends_many_times() -> None:
    run_machine(1000, 60)
