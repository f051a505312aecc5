"""RobotLines: the lines of all robots, at the service's end: sends stops, and knows who obeyed and who is at rest."""

import asyncio
import hmac
import itertools
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

import msgspec

from openpendant.messages.stop_service import FromRobot, HaltedRobot, LineHalt, LineHello, LineReply, LineRest
from openpendant.said import how_word, say

from .line import HEADER, LONGEST_FRAME

REACHED_S = 0.5
"""A robot that has not answered by then counts as not reached."""
REST_S = 3.0
"""How long to wait until all are at rest."""
TOGETHER_S = 0.02
"""Stops of one project that come faster have one answer."""
MOST_ROUNDS = 64
MOST_WAITING = 16 * 1024
"""Bytes that a robot has not taken: hundreds of stops, and the first of them is enough."""

_encode = msgspec.msgpack.Encoder().encode
_decoder: "msgspec.msgpack.Decoder[FromRobot]" = msgspec.msgpack.Decoder(FromRobot)


class StopRound:
    """One stop of all robots of a project, and what has come of it."""

    def __init__(self, number: int, robots: Iterable[str]) -> None:
        """Begin now."""
        self.number = number
        self.began_ns = time.monotonic_ns()
        self._robots = tuple(sorted(robots))
        self._missing: dict[str, str] = {}
        self._obeyed: set[str] = set()
        self._rests: dict[str, LineRest] = {}
        self._changed = asyncio.Event()

    def waits_for(self, lines: "Iterable[_RobotLine]") -> bool:
        """Return whether it has only just begun and waits for all these robots: a further stop has the same answer."""
        recent = time.monotonic_ns() - self.began_ns < TOGETHER_S * 1e9
        return recent and all(self.number in line.rounds for line in lines)

    def miss(self, robot: str, why: str) -> None:
        """A robot cannot be reached."""
        if robot not in self._obeyed:
            self._missing[robot] = why
            self._changed.set()

    def obey(self, robot: str) -> None:
        """A robot has obeyed."""
        self._missing.pop(robot, None)
        self._obeyed.add(robot)
        self._changed.set()

    def note_rest(self, robot: str, rest: LineRest) -> None:
        """A robot is at rest, so it was reached, even if its controller was out of reach at first."""
        self.obey(robot)
        self._rests.setdefault(robot, rest)
        self._changed.set()

    async def wait_reached(self) -> None:
        """Wait until every robot has answered, or long enough."""
        await self._wait(lambda: len(self._obeyed) + len(self._missing) >= len(self._robots), REACHED_S)

    async def wait_rest(self) -> None:
        """Wait until every robot that was reached is at rest, or long enough."""
        await self._wait(lambda: set(self._rests) >= self._obeyed, REST_S)

    def now(self) -> tuple[HaltedRobot, ...]:
        """Return what is known by now."""
        return tuple(self._one(robot) for robot in self._robots)

    def _one(self, robot: str) -> HaltedRobot:
        reached, rest = robot in self._obeyed, self._rests.get(robot)
        if not reached:
            reason = self._missing.get(robot, say("stop.unanswered", within_s=REACHED_S))
        else:
            reason = "" if rest is None else how_word(rest.how)
        return HaltedRobot(
            robot=robot,
            reached=reached,
            rest_ms=None if rest is None else round(1000.0 * rest.rest_s, 1),
            distance_mm=None if rest is None else round(1000.0 * rest.distance_m, 1),
            reason=reason,
        )

    async def _wait(self, holds: Callable[[], bool], within_s: float) -> None:
        end = self.began_ns * 1e-9 + within_s
        while not holds():
            left = end - time.monotonic()
            if left <= 0.0:
                return
            self._changed.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), left)


class _RobotLine:
    """The line of one robot, with the stops that it has not come to rest for."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        self.rounds: dict[int, StopRound] = {}


class RobotLines:
    """All robots that have connected, by project. Lives in the event loop alone."""

    def __init__(self, secret: str) -> None:
        """Believe robots that know the secret."""
        self._secret = secret
        self._lines: dict[tuple[str, str], _RobotLine] = {}
        self._expected: dict[str, tuple[str, ...]] = {}
        self._newest: dict[str, StopRound] = {}
        self._numbers = itertools.count(1)

    def expect(self, robots: dict[str, tuple[str, ...]]) -> None:
        """Know which robots run, by project: one that has no line is then missed."""
        self._expected = robots

    def stop(self, project: str, who: str, press: str = "") -> StopRound:
        """Stop every robot of a project, at once; return what comes of it.

        Args:
            project: Its id.
            who: Name of the person, for the robots' log.
            press: As `StopRequest.press`.
        """
        lines = {robot: line for (name, robot), line in self._lines.items() if name == project}
        made = self._newest.get(project)
        if made is None or not made.waits_for(lines.values()):
            made = self._newest[project] = self._begin(project, lines)
        # Every stop is sent, whatever came shortly before it: a motion may have begun in between.
        for line in lines.values():
            _write(line.writer, LineHalt(number=made.number, who=who, press=press))
        return made

    def _begin(self, project: str, lines: "dict[str, _RobotLine]") -> StopRound:
        """Begin to wait for what comes of a stop."""
        expected = set(self._expected.get(project, ()))
        made = StopRound(next(self._numbers), lines.keys() | expected)
        for line in lines.values():
            line.rounds[made.number] = made
            while len(line.rounds) > MOST_ROUNDS:
                del line.rounds[next(iter(line.rounds))]
        for robot in expected - lines.keys():
            made.miss(robot, "its process is not connected")
        return made

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Keep the line of one robot until it breaks."""
        line, place = _RobotLine(writer), ("", "")
        try:
            hello = await _read(reader)
            if not isinstance(hello, LineHello) or not hmac.compare_digest(hello.secret, self._secret):
                return
            place = (hello.project, hello.robot)
            self._lines[place] = line
            while True:
                self._receive(line, place[1], await _read(reader))
        except (asyncio.IncompleteReadError, ConnectionError, msgspec.MsgspecError):
            return
        finally:
            # A new process of the same robot may have connected already.
            if self._lines.get(place) is line:
                del self._lines[place]
            for one in line.rounds.values():
                one.miss(place[1], "its line has broken")
            writer.close()

    def _receive(self, line: _RobotLine, robot: str, message: FromRobot) -> None:
        match message:
            case LineReply(number=number, obeyed=obeyed, reason=reason):
                if number in line.rounds:
                    if obeyed:
                        line.rounds[number].obey(robot)
                    else:
                        line.rounds[number].miss(robot, reason)
            case LineRest(number=newest):
                for number in [number for number in line.rounds if number <= newest]:
                    line.rounds.pop(number).note_rest(robot, message)
            case LineHello():
                return


def _write(writer: asyncio.StreamWriter, message: LineHalt) -> None:
    if writer.transport.get_write_buffer_size() > MOST_WAITING:
        return
    raw = _encode(message)
    writer.write(HEADER.pack(len(raw)) + raw)


async def _read(reader: asyncio.StreamReader) -> FromRobot:
    (size,) = HEADER.unpack(await reader.readexactly(HEADER.size))
    if size > LONGEST_FRAME:
        raise msgspec.DecodeError(f"a frame of {size} bytes")
    return _decoder.decode(await reader.readexactly(size))
