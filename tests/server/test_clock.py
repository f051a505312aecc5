"""How old what a client says is: by its own clock, whatever the link does in between. Virtual time throughout."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openpendant.server.studio.client_line import OLDEST_NS, ClientLine
from openpendant.server.studio.clock import ClientClock
from openpendant.server.studio.presence import SILENT_S, Presence

MS = 1_000_000
START = 10**12


def ping(clock: ClientClock | ClientLine, now: int, there: int, back: int, offset: int) -> int:
    """Let one ping go round; the client's clock shows our time minus `offset`. Return when its answer is here."""
    if isinstance(clock, ClientLine):
        message = clock.ping(now, holds=True)
        if message is None:
            return now
        number = message.number
    else:
        number = clock.ping(now)
    clock.pong(number, now + there - offset, now + there + back)
    return now + there + back


@settings(max_examples=300)
@given(
    offset=st.integers(-(10**15), 10**15),
    trips=st.lists(st.tuples(st.integers(0, 3000 * MS), st.integers(0, 3000 * MS)), min_size=2, max_size=10),
    way=st.integers(0, 3000 * MS),
)
def test_a_stamp_is_never_taken_for_younger_than_it_is(offset: int, trips: list[tuple[int, int]], way: int) -> None:
    clock, now = ClientClock(), START
    for there, back in trips:
        now = ping(clock, now, there, back, offset)
    taken, now = now, now + way
    converted = clock.convert(taken - offset, now)
    recent = [there + back for there, back in trips]
    if converted is not None:
        assert converted <= taken
        assert converted >= taken - max(recent)


def test_on_a_good_link_it_is_right_within_the_round_trip() -> None:
    clock, now = ClientClock(), START
    assert not clock.known(now)
    assert clock.convert(5, now) is None
    for there, back in ((40, 3), (2, 1), (70, 90), (5, 5)):
        now = ping(clock, now, there * MS, back * MS, 123456789)
    assert clock.known(now)
    assert clock.delay_ms(now) == 3.0
    converted = clock.convert(now - 123456789, now + 4 * MS)
    assert converted is not None
    assert now - 3 * MS <= converted <= now
    # What was learned long ago is not known.
    assert clock.convert(now, now + 11_000 * MS) is None


@pytest.mark.parametrize("jump_ms", [-5000, -300, 300, 5000])
def test_a_clock_that_jumps_lets_nothing_old_pass(jump_ms: int) -> None:
    line, now, offset = ClientLine(2), START, 77
    for _ in range(3):
        now = ping(line, now + 60 * MS, MS, MS, offset)
    assert line.fresh_ns(now - offset, now + MS) is not None
    offset -= jump_ms * MS
    # From here on each sample is a whole second old when it comes; the clock has jumped meanwhile.
    for _ in range(20):
        now = ping(line, now + 300 * MS, MS, MS, offset)
        assert line.fresh_ns(now - 1000 * MS - offset, now) is None
    # It is known again by then, but who holds a button all the while has to press again.
    assert line.sampled_ns(now - offset, now + MS) is not None
    assert line.fresh_ns(now - offset, now + MS) is None
    line.press()
    assert line.fresh_ns(now - offset, now + MS) is not None


@pytest.mark.parametrize("stall_ms", [200, 500, 2000])
def test_a_burst_after_a_stall_is_as_old_as_it_is(stall_ms: int) -> None:
    dice = random.Random(stall_ms)
    for _ in range(100):
        line, now, offset = ClientLine(2), START, dice.randrange(10**14)
        for _ in range(4):
            now = ping(line, now + 60 * MS, dice.randrange(5 * MS), dice.randrange(5 * MS), offset)
        begin, end = now, now + stall_ms * MS
        taken = [begin + dice.randrange(16 * MS) + frame * 16 * MS for frame in range(stall_ms // 16)]
        let_go = taken[dice.randrange(len(taken))]
        passed = [one for one in taken if one <= let_go and line.fresh_ns(one - offset, end) is not None]
        assert all(end - one <= OLDEST_NS for one in passed)
        late = [one for one in taken if one <= let_go and end - one > OLDEST_NS]
        assert line.dropped >= len(late)


def test_who_is_silent_is_named_after_a_second_and_a_half() -> None:
    now = [100.0]
    presence = Presence(lambda: now[0])
    heard = 100.0
    while now[0] < 105.0:
        now[0] += 0.1
        if now[0] < 102.0:
            presence.note("ann", heard := now[0])
        found = presence.silent(["ann"])
        assert found == (() if now[0] - heard <= SILENT_S else ("ann",))
    # Whoever begins has as long as anybody.
    assert presence.silent(["ann", "bob"]) == ("ann",)


def test_words_that_took_two_seconds_do_not_show_that_somebody_is_there() -> None:
    now = [100.0]
    presence = Presence(lambda: now[0])
    silent: tuple[str, ...] = ()
    while now[0] < 103.0 and not silent:
        now[0] += 0.1
        presence.note("ann", now[0] - 2.0)
        silent = presence.silent(["ann"])
    assert silent == ("ann",)
    assert now[0] < 102.0


def test_a_server_that_was_held_up_reads_first_what_was_said() -> None:
    now = [100.0]
    presence = Presence(lambda: now[0])
    presence.note("ann", 100.0)
    assert presence.silent(["ann"]) == ()
    now[0] = 104.0
    assert presence.silent(["ann"]) == ()
    presence.note("ann", 103.9)
    for _ in range(10):
        now[0] += 0.1
        assert presence.silent(["ann"]) == ()


def present(line: ClientLine, presence: Presence, client: str, stamp: int, now: int) -> None:
    """Say that somebody is there, as `ProjectRoom.present` hears it."""
    said = line.received_after_ns(stamp, now)
    if said is not None:
        presence.note(client, said * 1e-9)


@pytest.mark.parametrize("knows", [0, 1, 5], ids=["nothing", "one round trip", "the clock"])
@pytest.mark.parametrize("jumps", [False, True])
def test_a_burst_after_a_stall_shows_nobody_whatever_is_known_of_the_clock(knows: int, jumps: bool) -> None:
    line, now, offset = ClientLine(2), START, 77
    for _ in range(knows):
        now = ping(line, now + 60 * MS, 5 * MS, 5 * MS, offset)
    stalled = now
    if jumps:
        offset += 3600 * 1000 * MS
    # Pings go on, but neither they nor what the client says get through; then everything comes at once, in order.
    unanswered = [line.ping(stalled + after * MS, holds=True) for after in range(300, 3000, 300)]
    now = stalled + 3000 * MS
    for said in range(stalled, stalled + 300 * MS, 16 * MS):
        found = line.received_after_ns(said - offset, now)
        assert found is None or found <= said
    # Once the answers are there too, what follows them counts again.
    for one in unanswered:
        if one is not None:
            line.pong(one.number, now - offset, now)
    found = line.received_after_ns(now - offset, now + MS)
    assert found is not None
    assert stalled < found <= now


@pytest.mark.parametrize("way_ms", [1, 100, 500])
def test_whoever_has_just_opened_the_page_is_not_missed(way_ms: int) -> None:
    """On every link whose round trip leaves room in `SILENT_S` they are heard in time."""
    line, clock, offset = ClientLine(2), [START], 12345
    presence = Presence(lambda: clock[0] * 1e-9)
    answers: list[tuple[int, int, int]] = []
    end = START + 6_000 * MS
    while clock[0] < end:
        clock[0] += 20 * MS
        message = line.ping(clock[0], holds=True)
        if message is not None:
            answers.append((clock[0] + 2 * way_ms * MS, message.number, clock[0] + way_ms * MS - offset))
        while answers and answers[0][0] <= clock[0]:
            came, number, stamp = answers.pop(0)
            line.pong(number, stamp, came)
        if (clock[0] - START) % (240 * MS) == 0 and clock[0] - START >= way_ms * MS:
            present(line, presence, "ann", clock[0] - way_ms * MS - offset, clock[0])
        assert presence.silent(["ann"]) == (), (clock[0] - START) / MS


def test_who_answers_no_ping_is_not_there_however_often_they_say_so() -> None:
    line, now = ClientLine(2), START
    clock = [START * 1e-9]
    presence = Presence(lambda: clock[0])
    silent: tuple[str, ...] = ()
    while not silent:
        now += 100 * MS
        clock[0] = now * 1e-9
        line.ping(now, holds=True)
        present(line, presence, "ann", now, now)
        silent = presence.silent(["ann"])
        assert now - START < 2000 * MS
    assert silent == ("ann",)
