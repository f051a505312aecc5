"""The cranes' protocol: lines of words over TCP, port 7700. No sockets here: text in, values out.

crane -> client    crane 1 servo|programs PERIOD_NS          when a client connects, and when it changes
                   at TICK Q... V... MODE KEY INPUTS OUTPUTS RUN DONE TOTAL ENDED two joints for each boom
client -> crane    to BOOM Q1 Q2 | set PORT 0|1 | task NAME LINES (and so many lines) | start | halt
"""

from dataclasses import dataclass

PORT = 7700
TICK_NS = 4_000_000


@dataclass(frozen=True)
class Hello:
    """What a crane says first."""

    servo: bool
    period_ns: int

    def line(self) -> str:
        return f"crane 1 {'servo' if self.servo else 'programs'} {self.period_ns}"


@dataclass(frozen=True)
class CraneState:
    """How a crane is."""

    tick: int
    q: tuple[float, ...]
    qd: tuple[float, ...]
    mode: str
    key: str
    """Where its key stands: 'auto' or 'hand'."""
    inputs: int
    outputs: int
    run: int
    """How often programs were started."""
    done: int
    total: int
    ended: str
    """'-': the program runs, or there was none; '.': it came to its end; else why not, with '_' for blanks."""

    def line(self) -> str:
        numbers = " ".join(repr(value) for value in (*self.q, *self.qd))
        rest = f"{self.inputs} {self.outputs} {self.run} {self.done} {self.total} {self.ended}"
        return f"at {self.tick} {numbers} {self.mode} {self.key} {rest}"


def read(line: str) -> Hello | CraneState | None:
    """Return what a crane says; None: it is no crane."""
    words = line.split()
    try:
        match words:
            case ["crane", "1", kind, period]:
                return Hello(kind == "servo", int(period))
            case ["at", tick, *joints, mode, key, inputs, outputs, run, done, total, ended] if len(joints) in (4, 8):
                values = tuple(map(float, joints))
                half = len(values) // 2
                numbers = (int(word) for word in (inputs, outputs, run, done, total))
                return CraneState(int(tick), values[:half], values[half:], mode, key, *numbers, ended)
    except ValueError:
        pass
    return None
