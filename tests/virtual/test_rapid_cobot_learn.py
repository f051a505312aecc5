"""Recording and playing of an earlier system for YuMi, packet by packet, on both arms in virtual time."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from program_wires import ProgramWires, WireEnd
from yumi_bench import YumiBench

from openpendant.protocols.yumi_packet import HandCommand, HandPacket, encode_line, encode_packet, greet, parse_line
from openpendant.rapid_modules import rapid_set
from openpendant.virtual.abb.unit import TOOL0, WOBJ0

PORT = 55555
REST = (0.0, 0.0, 0.0)
Place = tuple[float, float, float]


class LearnBench(YumiBench):
    """A YuMi with the modules running, an operator, and a PC."""

    def __init__(self, folder: Path, settings: Iterable[tuple[str, str, str]] = ()) -> None:
        self.wires = ProgramWires()
        super().__init__(folder, sockets=self.wires)
        self.home_folder = folder / "home"
        for file in rapid_set("cobot_learn").files:
            self.brain.program.load(file.task, file.text, file.path.name, replace=True)
        for task, name, value in settings:
            self.brain.program.write((task, name), value)
        self.start("forever")

    def answer(self, *texts: str) -> None:
        """Answer the questions that come."""
        for text in texts:
            self.tick_until(lambda: self.brain.terminal.question is not None, 20.0)
            self.brain.terminal.reply(text)

    def record(self, number: str = "473") -> WireEnd:
        """Choose recording; return the PC's end of the connection, greeted."""
        self.answer("5", number)
        self.tick_until(lambda: self.wires.listens(PORT), 5.0)
        return self.connect()

    def connect(self) -> WireEnd:
        end = self.wires.connect(PORT)
        self.tick_until(lambda: bool(end.came), 2.0)
        assert bytes(end.came) == greet("127.0.0.1") == b"Connect to127.0.0.1"
        return end

    def send(self, end: WireEnd, data: bytes) -> None:
        """Send, and let the arms come to rest."""
        end.send(data)
        self.tick_until(lambda: not end.sent, 20.0)
        self.settle()

    def settle(self) -> None:
        """Wait until there has been nothing to do for a while."""
        quiet = 0

        def rests() -> bool:
            nonlocal quiet
            quiet = quiet + 1 if self.left.in_position and self.right.in_position else 0
            return quiet > 25

        self.tick_until(rests, 20.0)

    def places(self) -> tuple[list[float], list[float]]:
        """Where both tools are, mm."""
        left, right = ([*one.robtarget(TOOL0, WOBJ0)[0]] for one in (self.left, self.right))
        return left, right

    @property
    def lines(self) -> tuple[str, ...]:
        return self.brain.terminal.lines

    def csv(self, number: str = "473") -> bytes:
        return (self.home_folder / f"CobotLearn{number}.csv").read_bytes()


def packet(command: int, left: Place = REST, right: Place = REST) -> HandPacket:
    return HandPacket(HandCommand(command), left, right)


@pytest.fixture
def bench(tmp_path: Path) -> LearnBench:
    return LearnBench(tmp_path)


WALK = (
    packet(2, (-10.0, -20.0, 5.0)),
    packet(3, (-20.0, -30.0, 12.5), (15.25, -25.0, 10.0)),
    packet(1, (99.0, 99.0, 99.0), (30.0, -30.0, 20.0)),
    packet(3, (-40.0, -30.0, 20.0), (30.0, -50.0, 20.0)),
)


def offset(bench: LearnBench, unit: str, place: list[float], home: list[float]) -> list[float]:
    """A tool's place from home, in the axes of the tool at home."""
    turn = np.array(bench.brain.units[unit].arm.model.arm.fk(HOME[unit])[:3, :3])
    turn = turn @ bench.brain.units[unit].arm.model.T_flange_controller[:3, :3]
    return (turn.T @ (np.array(place) - np.array(home))).tolist()


HOME = {
    "ROB_R": np.radians([0.0, -130.0, 30.0, 0.0, 40.0, 0.0, -135.0]),
    "ROB_L": np.radians([0.0, -130.0, 30.0, 0.0, 40.0, 0.0, 135.0]),
}


def test_what_is_recorded_is_played(bench: LearnBench):
    took = bench.tick_until(lambda: bench.brain.terminal.question is not None)
    assert took == pytest.approx(0.1, abs=0.1), "both arms are at home: there is nothing to wait for"
    question = bench.brain.terminal.question
    assert question is not None
    assert question.keys == ("", "", "Delete File", "Play", "Recording")
    end = bench.record()
    assert bench.lines[-2:] == (
        "Waiting for incoming connection from 127.0.0.1:55555",
        "Connected to client 127.0.0.1",
    )
    home = bench.places()
    seen: list[tuple[list[float], list[float]]] = []
    for one in WALK:
        bench.send(end, encode_packet(one))
        seen.append(bench.places())
    # The mirror: the left hand (-20, -30, 12.5) moves the right arm by -y, -x, z of its tool.
    assert offset(bench, "ROB_R", seen[1][1], home[1]) == pytest.approx([30.0, 20.0, 12.5], abs=0.1)
    assert offset(bench, "ROB_L", seen[1][0], home[0]) == pytest.approx([25.0, -15.25, 10.0], abs=0.1)
    assert seen[2][1] == pytest.approx(seen[1][1], abs=0.01), "01 moves the left arm alone"
    recorded = "".join(f"{encode_line(one)}\n" for one in WALK).encode()
    assert bench.csv() == recorded
    bench.send(end, encode_packet(packet(6)))
    bench.tick_until(lambda: end.closed_by_robot)
    assert not bench.wires.listens(PORT)
    assert bench.csv() == recorded

    # Played without a PC: home in 3 s, then the same places.
    bench.answer("4", "473", "2")
    passed = [bench.places()]

    def done() -> bool:
        passed.append(bench.places())
        return "End of File Reached" in bench.lines and bench.brain.terminal.question is not None

    bench.tick_until(done, 30.0)
    for arm in (0, 1):
        path = np.array([one[arm] for one in passed])
        off = [float(np.linalg.norm(path - np.array(one[arm]), axis=1).min()) for one in seen]
        # Zones of 30 mm: the arm passes by, and comes to rest at the last place.
        assert max(off) < 16.0
        assert off[-1] < 0.05
    assert bench.errors == []


def test_home_takes_three_seconds(bench: LearnBench):
    end = bench.record()
    bench.send(end, encode_packet(packet(3, (-40.0, -30.0, 20.0), (30.0, -50.0, 20.0))))
    end.send(encode_packet(packet(4)))
    bench.tick_until(lambda: not bench.right.in_position)
    took = bench.tick_until(lambda: bench.right.in_position and bench.left.in_position)
    assert took == pytest.approx(3.0, abs=0.2)
    for name, unit in (("ROB_R", bench.right), ("ROB_L", bench.left)):
        assert unit.arm.plant.q == pytest.approx(HOME[name], abs=1e-3)
    assert bench.csv().endswith(b"04,L,0.00,0.00,0.00,R,0.00,0.00,0.00\n")


def test_continuous_play_goes_home_and_begins_again_until_it_is_told_to_leave(bench: LearnBench):
    (bench.home_folder / "CobotLearn7.csv").write_text("".join(f"{encode_line(one)}\n" for one in WALK[:2]))
    bench.settle()
    home = bench.places()[1]
    bench.answer("4", "7", "1")
    homes = 0
    away = False

    def twice() -> bool:
        nonlocal homes, away
        off = float(np.linalg.norm(np.array(bench.places()[1]) - home))
        away = away or off > 25.0
        # Home has a zone, too.
        if away and off < 12.0:
            homes, away = homes + 1, False
        return homes == 2

    bench.tick_until(twice, 30.0)
    bench.brain.program.write(("T_ROB_R", "learnLeave"), "TRUE")
    bench.answer("3", "7")
    bench.tick_until(lambda: bench.lines[-1:] == ("HOME:CobotLearn7.csv deleted",))
    assert not (bench.home_folder / "CobotLearn7.csv").exists()
    bench.answer("3", "7")
    bench.tick_until(lambda: bench.lines[-1:] == ("HOME:CobotLearn7.csv is not there",))
    bench.answer("4", "7", "2")
    bench.tick_until(lambda: bench.lines[-1:] == ("HOME:CobotLearn7.csv cannot be read",))
    assert bench.errors == []


GOLDEN = encode_packet(packet(2, (10.0, -20.0, 5.0)))
HOSTILE = (
    b"",
    b"E" * 200,
    b"S" * 200,
    b"\0\xff" * 40,
    GOLDEN[:30],
    GOLDEN[20:],
    b"S08" + GOLDEN[3:],
    b"S00" + GOLDEN[3:],
    GOLDEN.replace(b"+010.00", b"+1e2.00"),
    GOLDEN.replace(b"+010.00", b"+10.000"),
    GOLDEN.replace(b",", b";"),
    GOLDEN[:-1] + b",,E",
    b"S02,+0,+0E",
    b"S02" + b",+999.99" * 6 + b"E",
    b"S02,+590.00,+000.00,+290.00" + b",+000.00" * 3 + b"E",
)


def test_hostile_packets_move_nothing(bench: LearnBench):
    end = bench.record()
    before = bench.places()
    bench.send(end, b"E".join(HOSTILE[:-2]) + b"E")
    assert bench.places() == before
    assert bench.csv() == b""
    # Beyond the limits, and within them but out of reach: recorded as they came, without a move.
    bench.send(end, b"".join(HOSTILE[-2:]))
    assert bench.places() == before
    assert bench.lines[-1] == "Right arm: out of reach"
    # Whole packets are found among all of that, in any pieces.
    wrapped = b"x" + GOLDEN[:40] + b"S02,+0" + GOLDEN
    for byte in wrapped:
        end.send(bytes([byte]))
        bench.brain.tick()
    bench.settle()
    assert bench.csv().decode().splitlines()[-1] == encode_line(packet(2, (10.0, -20.0, 5.0)))
    assert bench.places() != before
    assert bench.errors == []


def test_both_forms_of_packets_and_zero(bench: LearnBench):
    end = bench.record()
    bench.send(end, b"S,02,+010.00,-020.00,+005.00,+000.00,+000.00,+000.00,E" + b"S02,+0,+0,+0,+0,+0,+0E")
    assert bench.csv() == b"02,L,10.00,-20.00,5.00,R,0.00,0.00,0.00\n02,L,0.00,0.00,0.00,R,0.00,0.00,0.00\n"
    assert [parse_line(one).left for one in bench.csv().decode().splitlines()] == [(10.0, -20.0, 5.0), REST]


def test_small_steps_are_left_out(bench: LearnBench):
    end = bench.record()
    before = bench.places()
    bench.send(end, encode_packet(packet(2, (4.0, 0.0, 0.0))))
    assert bench.places()[1] == before[1]
    bench.send(end, encode_packet(packet(2, (4.0, 4.0, 0.0))))
    assert np.linalg.norm(np.array(bench.places()[1]) - before[1]) == pytest.approx(np.hypot(4.0, 4.0), abs=0.05)


def test_left_moves_left_without_the_mirror(tmp_path: Path):
    bench = LearnBench(tmp_path, [("T_ROB_R", "learnMirror", "FALSE")])
    end = bench.record()
    home = bench.places()
    bench.send(end, encode_packet(packet(1, (10.0, -20.0, 5.0), (99.0, 99.0, 99.0))))
    assert offset(bench, "ROB_L", bench.places()[0], home[0]) == pytest.approx([20.0, -10.0, 5.0], abs=0.1)
    assert bench.places()[1] == home[1]


def test_a_lost_connection_and_silence_are_not_the_end(bench: LearnBench):
    end = bench.record()
    bench.send(end, GOLDEN[:25])
    end.close()
    bench.tick_until(lambda: "Connection lost." in bench.lines, 2.0)
    bench.tick_until(lambda: bench.wires.listens(PORT))
    wait = bench.tick_until(lambda: bench.lines[-1] == "ERROR: no client has connected. Retrying...", 70.0)
    assert wait == pytest.approx(60.0, abs=1.5)
    again = bench.connect()
    # The beginning of a packet went down with its connection.
    bench.send(again, GOLDEN[25:] + encode_packet(packet(3, REST, REST)))
    assert bench.csv() == b"03,L,0.00,0.00,0.00,R,0.00,0.00,0.00\n"
    wait = bench.tick_until(lambda: bench.lines[-1] == "No packets. Retrying.", 70.0)
    assert wait == pytest.approx(60.0, abs=1.5)
    again.send(encode_packet(packet(7)) + GOLDEN + encode_packet(packet(6)))
    bench.tick_until(lambda: again.closed_by_robot)
    assert bench.csv() == b"02,L,10.00,-20.00,5.00,R,0.00,0.00,0.00\n"
    assert bench.errors == []
