"""A stop waits behind nothing: not behind other commands on the bus, nor behind many stops at once."""

import msgspec
import pytest

from openpendant.messages import bus
from openpendant.runtime import StoppedError
from openpendant.runtime.bus import key
from openpendant.stop_service import LineHalt
from virtual_cell import CELL, ROBOT, SWINGS, VirtualCell

COMMANDS = 400
"""In the queue before the stop; at eight a tick they take 0.2 s."""


def asks(world: VirtualCell, command: bus.Command) -> list[bus.Reply]:
    """Send a command without waiting for the answer; return where that will be."""
    answers: list[bus.Reply] = []
    serve = world.robot.session.servers[key(CELL.name, ROBOT, "command")]
    serve(msgspec.msgpack.encode(command), lambda raw: answers.append(msgspec.msgpack.decode(raw, type=bus.Reply)))
    return answers


@pytest.mark.parametrize("way", ["bus", "line"])
def test_a_stop_overtakes_every_command_that_waits(way: str) -> None:
    world = VirtualCell()
    run = world.run(SWINGS)
    while world.speed < 0.5:
        world.step()
    me = world.links["me"].id
    queued = [asks(world, bus.SetPace(holder=me, pace=1.0, stops=world.loop.stops)) for _ in range(COMMANDS)]
    stops = world.loop.stops
    if way == "bus":
        halted = asks(world, bus.Halt(who="somebody"))
        world.step()
        assert halted == [bus.Halted(stops=stops + 1)]
    else:
        world.robot.process._halts.append(LineHalt(number=1, who="somebody"))
        world.step()
    assert world.loop.stops == stops + 1
    # The arm is now where it was sent before; what it is sent from this tick on is slower and slower.
    speed = world.speed
    while world.moving:
        world.step()
        assert world.speed < speed, "it brakes from the next tick on"
        speed = world.speed
    world.ticks(COMMANDS)
    # What waited was requested before the stop, so all of it is void.
    answers = [one for (one,) in queued]
    assert {type(one) for one in answers} == {bus.Denied}
    assert {one.kind for one in answers if isinstance(one, bus.Denied)} == {"stopped"}
    assert not world.moving
    assert run.status == "stopped"


@pytest.mark.parametrize("first", ["bus", "line"])
def test_a_stop_that_comes_by_both_ways_counts_once(first: str) -> None:
    world = VirtualCell()

    def stop(way: str, press: str) -> None:
        if way == "bus":
            asks(world, bus.Halt(who="somebody", press=press))
        else:
            world.robot.process._halts.append(LineHalt(number=1, who="somebody", press=press))
        world.step()

    def run_again() -> None:
        world.ticks(200)
        assert not world.moving
        world.run(SWINGS)
        while world.speed < 0.5:
            world.step()

    later = {"bus": "line", "line": "bus"}[first]
    run_again()
    stop(first, "a")
    run_again()
    stops = world.loop.stops
    stop(later, "a")
    world.ticks(20)
    assert (world.loop.stops, world.moving) == (stops, True), "what began after the stop goes on"
    # Whatever is not the second half of a stop is one of its own.
    for way, press in ((first, "a"), (later, "b"), (later, "b"), (first, ""), (later, "")):
        stops = world.loop.stops
        stop(way, press)
        assert world.loop.stops == stops + 1, (way, press)
        run_again()


def test_a_stop_that_did_not_reach_the_controller_is_tried_by_the_other_way_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = VirtualCell()
    monkeypatch.setattr(world.loop, "_fresh", lambda *_: False)
    stops = world.loop.stops
    answers = asks(world, bus.Halt(who="somebody", press="a"))
    world.step()
    (answer,) = answers
    assert isinstance(answer, bus.Halted)
    assert answer.reason
    world.robot.process._halts.append(LineHalt(number=1, who="somebody", press="a"))
    world.step()
    assert world.loop.stops == stops + 2


def test_many_stops_in_one_tick_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    world = VirtualCell()
    world.run(SWINGS)
    while world.speed < 0.5:
        world.step()
    told: list[tuple[int, bool]] = []

    class Line:
        def reply(self, number: int, *, obeyed: bool, reason: str = "") -> None:
            told.append((number, obeyed))

        def report_rest(self, number: int, *_: object) -> None:
            told.append((number, True))

    monkeypatch.setattr(world.robot.process, "_line", Line())
    stops = world.loop.stops
    world.robot.process._halts.extend(LineHalt(number=1 + n // 1000, who="somebody") for n in range(3000))
    world.step()
    assert told == [(1, True), (2, True), (3, True)]
    assert world.loop.stops == stops + 1
    world.ticks(200)
    assert told[3:] == [(3, True)], "it tells of its rest once"


def test_a_limit_of_speed_that_was_to_be_lifted_before_a_stop_stays() -> None:
    world = VirtualCell()
    arm = world.arms["me"]
    arm.acquire()
    arm.set_reduced(True)
    since = world.links["me"].stop_counts()
    world.arms["you"].stop()
    with pytest.raises(StoppedError, match="after this was requested"):
        arm.set_reduced(False, since=since)
    world.ticks(5)
    assert arm.reduced
    arm.set_reduced(True, since=since)
    arm.set_reduced(False)
    world.ticks(5)
    assert not arm.reduced
