"""The client's side of a control program: three sockets in memory, integers on the wire, all in virtual time."""

import struct
from collections.abc import Sequence
from pathlib import Path

from ur_brain import Tracer, make_brain

from openpendant.virtual.ur import RuntimeState, SocketState, UrController

PROGRAM = Path(__file__).with_name("control_program.urscript")
SCALE = 1_000_000
STREAM, POINTS, COMMANDS = 50001, 50003, 50004
IDLE, SERVO, SPEED, FORWARD, TOOL_SPEED, POSE, FREEDRIVE, STOPPED = 0, 1, 2, 3, 4, 5, 6, -2
START, CANCEL, NOTHING = 1, -1, 0
DONE, CANCELED, FAILED = 0, 1, 2
MOVE_J, MOVE_L, MOVE_P, MOVE_C, OPTIMOVE_J, OPTIMOVE_L = 0, 1, 2, 3, 4, 5
MOVE_J_POSE, MOVE_L_JOINT, MOVE_C_JOINT, SPLINE = 6, 7, 9, 51
OPTIMIZED = """elif kind == 4:
      optimovej(q, a=third[1], v=third[0], r=radius)
    elif kind == 5:
      optimovel(as_pose(q), a=third[1], v=third[0], r=radius)"""
Numbers = Sequence[float]


class MemorySockets:
    """Sockets of programs whose other ends are buffers, by port."""

    def __init__(self) -> None:
        self.listening = True
        self._ports: dict[str, int] = {}
        self.to_robot: dict[int, bytearray] = {}
        self.from_robot: dict[int, bytearray] = {}

    def open(self, address: str, port: int, name: str) -> None:
        if self.listening:
            self._ports[name] = port
            self.to_robot[port], self.from_robot[port] = bytearray(), bytearray()

    def state(self, name: str) -> SocketState:
        return "open" if name in self._ports else "closed"

    def send(self, name: str, payload: bytes) -> bool:
        if name not in self._ports:
            return False
        self.from_robot[self._ports[name]] += payload
        return True

    def peek(self, name: str) -> bytes:
        return bytes(self.to_robot[self._ports[name]]) if name in self._ports else b""

    def drop(self, name: str, count: int) -> None:
        del self.to_robot[self._ports[name]][:count]

    def close(self, name: str) -> None:
        self._ports.pop(name, None)

    def close_all(self) -> None:
        self._ports.clear()

    @property
    def connected(self) -> frozenset[int]:
        return frozenset(self._ports.values())


def encode_stream(mode: int, fields: Sequence[int], timeout_ms: int) -> bytes:
    """A message of the stream: a timeout in milliseconds, six numbers, a mode."""
    return struct.pack(">8i", timeout_ms, *fields, *(0,) * (6 - len(fields)), mode)


def encode_point(
    kind: int, target: Numbers, second: Numbers, third: Numbers, time_s: float = 0.0, radius_m: float = 0.0
) -> bytes:
    """A point of a trajectory."""
    third = (*third, *(0.0,) * (6 - len(third)))
    numbers = [round(one * SCALE) for one in (*target, *second, *third, time_s, radius_m)]
    return struct.pack(">21i", *numbers, kind)


class ControlClient:
    """Does what a driver of the maker does: uploads its program, streams, forwards, commands, recovers."""

    def __init__(self, version: tuple[int, int, int, int] = (5, 22, 0, 0), **options: object) -> None:
        self.net = MemorySockets()
        self.brain: UrController = make_brain(sockets=self.net, version=version, **options)
        self.trace = Tracer(self.brain)
        self.program = PROGRAM.read_text().replace("OPTIMIZED", OPTIMIZED if version >= (5, 21, 0, 0) else "")

    def upload(self) -> None:
        """Send the program and wait until it has connected."""
        self.brain.run_script(self.program)
        self.trace.until(lambda: self.net.connected == {STREAM, POINTS, COMMANDS}, 500)

    @property
    def running(self) -> bool:
        return self.brain.read("runtime_state") == RuntimeState.PLAYING

    # The stream.

    def send(self, mode: int, values: Numbers = (), timeout_ms: int = 100) -> None:
        self._stream(mode, [round(one * SCALE) for one in values], timeout_ms)

    def forward(self, action: int, count: int = 0, timeout_ms: int = 0) -> None:
        self._stream(FORWARD, [action, count], timeout_ms)

    def freedrive(self, action: int, timeout_ms: int = 200) -> None:
        self._stream(FREEDRIVE, [action], timeout_ms)

    def _stream(self, mode: int, fields: list[int], timeout_ms: int) -> None:
        self.net.to_robot[STREAM] += encode_stream(mode, fields, timeout_ms)

    # Points of a trajectory.

    def point(
        self,
        kind: int,
        target: Numbers,
        second: Numbers = (0.0,) * 6,
        third: Numbers = (0.0,) * 6,
        time_s: float = 0.0,
        radius_m: float = 0.0,
    ) -> None:
        self.net.to_robot[POINTS] += encode_point(kind, target, second, third, time_s, radius_m)

    def spline(self, q: Numbers, qd: Numbers, qdd: Numbers, time_s: float) -> None:
        self.point(SPLINE, q, qd, qdd, time_s)

    def outcomes(self) -> list[int]:
        return _integers(self.net.from_robot[POINTS])

    def wait_for_outcome(self, most: int = 20_000) -> int:
        """Keep the program alive until a trajectory has ended; return how."""
        for count in range(most):
            if self.net.from_robot[POINTS]:
                (outcome,) = self.outcomes()
                return outcome
            if count % 10 == 0:
                self.forward(NOTHING)
            self.trace.tick()
        raise AssertionError(f"no outcome within {most} ticks")

    # Commands beside the stream.

    def command(self, kind: int, values: Numbers = ()) -> None:
        numbers = [round(one * SCALE) for one in values]
        self.net.to_robot[COMMANDS] += struct.pack(">28i", kind, *numbers, *(0,) * (27 - len(numbers)))

    def answers(self) -> list[int]:
        return _integers(self.net.from_robot[COMMANDS])


def _integers(data: bytearray) -> list[int]:
    found = list(struct.unpack(f">{len(data) // 4}i", data))
    data.clear()
    return found
