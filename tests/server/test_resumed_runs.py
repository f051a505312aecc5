"""Breakpoints of a run, and Resume after STOP, through the server's own operation.

In virtual time; see `virtual_room`.
"""

from collections.abc import Iterator

import pytest
from virtual_room import Request, VirtualRoom

from openpendant.errors import OpenPendantError
from openpendant.messages.operation import (
    Connect,
    Disconnect,
    ResetParts,
    Resume,
    ResumeStopped,
    Run,
    RunStatus,
    SetBreakpoints,
    Stop,
    TakeControl,
)
from openpendant.said import Said
from virtual_cell import ROBOT

SOON = 400
"""Ticks within which a run is checked, begins or ends."""
LONG = 4000


@pytest.fixture
def room() -> Iterator[VirtualRoom]:
    room = VirtualRoom()
    for client in ("ann", "bob"):
        room.enter(client)
    room.ask("ann", Connect(id=0))
    room.ticks(40)
    yield room
    room.ask("ann", Disconnect(id=99))
    room.ticks(40)


def run_of(room: VirtualRoom) -> RunStatus:
    assert room.told is not None
    assert room.told.run is not None
    return room.told.run


def until(room: VirtualRoom, status: str, most: int = LONG, *, step: str | None = None) -> RunStatus:
    """Let time pass until the run stands so."""
    for _ in range(most):
        run = room.told.run if room.told is not None else None
        if run is not None and run.status == status and (step is None or run.step == step):
            return run
        room.ticks(1)
    raise AssertionError(f"the run is not {status}: {run_of(room)}")


def done(room: VirtualRoom, request: Request) -> None:
    for _ in range(SOON):
        if request.task.done():
            request.task.result()
            return
        room.ticks(1)
    raise AssertionError(f"never answered: {request.message}")


def refused(room: VirtualRoom, request: Request) -> str:
    """The code of the sentence with which a request is refused."""
    with pytest.raises(OpenPendantError) as error:
        done(room, request)
    said = error.value.said
    assert isinstance(said, Said)
    return said.code


def stopped_in(room: VirtualRoom, step: str, **options: object) -> RunStatus:
    """Run until an arm is under way in a step, and stop there."""
    done(room, room.ask("ann", Run(id=1, program="swings", mode="streamed", **options)))  # type: ignore[arg-type]
    until(room, "running", step=step)
    room.ticks(10)
    room.ask("bob", Stop(id=2))
    until(room, "stopped")
    for _ in range(SOON):
        if run_of(room).resumes_at:
            return run_of(room)
        room.ticks(1)
    raise AssertionError(f"it cannot be resumed: {run_of(room)}")


def test_a_run_pauses_before_a_step_with_a_breakpoint_and_says_so(room: VirtualRoom) -> None:
    done(room, room.ask("ann", Run(id=1, program="swings", breakpoints=(("swings", "low"), ("waits", "in")))))
    run = until(room, "paused")
    assert (run.step, run.said.code if run.said else "") == ("low", "run.at_breakpoint")
    room.ticks(50)
    assert not room.moving
    done(room, room.ask("ann", SetBreakpoints(id=2, breakpoints=(("swings", "back"),))))
    done(room, room.ask("ann", Resume(id=3)))
    assert until(room, "paused", step="back").status == "paused"
    done(room, room.ask("ann", SetBreakpoints(id=4, breakpoints=())))
    done(room, room.ask("ann", Resume(id=5)))
    until(room, "done")


def test_breakpoints_are_the_holders_and_of_streamed_runs_alone(room: VirtualRoom) -> None:
    uploaded = Run(id=1, program="swings", mode="uploaded", breakpoints=(("swings", "low"),))
    assert refused(room, room.ask("ann", uploaded)) == "run.no_breakpoints"
    done(room, room.ask("ann", Run(id=2, program="swings", mode="uploaded")))
    until(room, "running")
    change = SetBreakpoints(id=3, breakpoints=(("swings", "low"),))
    assert refused(room, room.ask("ann", change)) == "run.no_breakpoints"
    until(room, "done")
    assert refused(room, room.ask("ann", change)) == "run.none"
    done(room, room.ask("ann", Run(id=4, program="swings")))
    assert refused(room, room.ask("bob", change)).startswith("control.")
    until(room, "done")


def test_a_stopped_run_is_resumed_at_its_step_by_a_new_request(room: VirtualRoom) -> None:
    run = stopped_in(room, "low")
    assert (run.resumes_at, run.resumes_in) == ("low", "swings")
    room.ticks(200)
    assert not room.moving, "a stop stays one until somebody asks for more"
    done(room, room.ask("ann", ResumeStopped(id=3)))
    assert until(room, "done").resumes_at == ""
    steps = [event.step for event in room.operation._runs._run.events if event.kind == "step done"]  # type: ignore[union-attr]
    assert steps == ["low", "wait", "back"]


def test_a_stop_makes_a_resume_void_that_was_requested_before_it(room: VirtualRoom) -> None:
    stopped_in(room, "low")
    room.pool.ticks = 300
    request = room.ask("ann", ResumeStopped(id=3))
    room.ticks(20)
    room.ask("bob", Stop(id=4))
    assert refused(room, request) != ""
    room.ticks(400)
    assert not room.moving
    # The run before is still the one that can be resumed.
    assert run_of(room).resumes_at == "low"
    done(room, room.ask("ann", ResumeStopped(id=5)))
    until(room, "done")


def test_what_cannot_be_resumed_is_refused_with_a_reason(room: VirtualRoom) -> None:
    assert refused(room, room.ask("ann", ResumeStopped(id=1))) == "run.not_stopped"
    stopped_in(room, "back", breakpoints=())
    assert refused(room, room.ask("bob", ResumeStopped(id=3))).startswith("control.")
    programs = room.project.shared.programs
    whole = programs["swings"]
    programs["swings"] = type(whole)(name="swings", robot=ROBOT, steps=whole.steps[:4])
    assert refused(room, room.ask("ann", ResumeStopped(id=4))) == "run.place_gone"
    programs["swings"] = whole
    done(room, room.ask("ann", ResumeStopped(id=5)))
    until(room, "done")
    assert refused(room, room.ask("ann", ResumeStopped(id=6))) == "run.not_stopped"


def test_parts_are_reset_by_the_holder_between_runs(room: VirtualRoom) -> None:
    done(room, room.ask("ann", TakeControl(id=1, robot=ROBOT)))
    assert refused(room, room.ask("bob", ResetParts(id=2))).startswith("control.")
    done(room, room.ask("ann", Run(id=3, program="swings")))
    assert refused(room, room.ask("ann", ResetParts(id=4))) == "run.runs_already"
    until(room, "done")
    room.ticks(50)
    done(room, room.ask("ann", ResetParts(id=5)))
