"""`python rehearsed_motions.py MODEL`: move a robot in every way there is, and say which kernels were not ready for it.

A separate process, since what one test has loaded is there for all that follow.
"""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from loop_bench import ME, Bench, box
from numba.core import dispatcher

from openpendant.messages import Intent, JointIntent, Pose, PoseIntent, TwistIntent, bus

LATE: list[str] = []
UP = (0.0, 0.0, 0.05)


def watch() -> None:
    """Note every kernel that is compiled, or read from the disk, from now on."""
    compile_for = dispatcher._DispatcherBase._compile_for_args

    def noted(self: Any, *args: Any, **more: Any) -> Any:
        LATE.append(self.py_func.__qualname__)
        return compile_for(self, *args, **more)

    dispatcher._DispatcherBase._compile_for_args = noted


def rest(bench: Bench) -> None:
    """Wait until the arm rests, and take control where it was lost."""
    bench.ticks(100)
    while not bench.rests():
        bench.ticks(10)
    bench.ask(bus.Halt(who=ME))
    bench.ticks(150)
    bench.take()


def jog(bench: Bench, make: Callable[[int], Intent], count: int = 40) -> None:
    """Let a hand move the arm for a while, fall silent, and let go."""
    assert bench.ask(bus.EngageArm(holder=ME, job="hand", arm=bench.arm, stops=bench.loop.stops)) == bus.Accepted(), (
        bench.drive.reason
    )
    for _ in range(count):
        bench.loop.intend(make(bench.now), bench.now)
        bench.ticks(1)
    rest(bench)


def paths(bench: Bench) -> None:
    """Follow paths that are paused, go on, are stopped in every way, stumble, and reach their end."""
    middle = np.clip(0.0, bench.limits.lower, bench.limits.upper)
    way = np.where(bench.q < middle, 0.3, -0.3)
    for what in ("pause", "halt", "now", "late", "frozen", "pace", "end"):
        answer = bench.follow(bench.path(bench.q + way))
        assert answer == bus.Accepted(), f"{what}: {answer}"
        bench.ticks(30)
        if what == "pause":
            bench.ask(bus.PauseMotion(holder=ME))
            bench.ticks(200)
            bench.ask(bus.ResumeMotion(holder=ME, stops=bench.loop.stops))
            bench.ticks(20)
            bench.ask(bus.Halt(who=ME))
        elif what in ("halt", "now"):
            bench.ask(bus.Halt(who=ME, kind="now" if what == "now" else "path"))
        elif what in ("late", "frozen"):
            bench.now += 200_000_000 if what == "late" else 900_000_000
        elif what == "pace":
            bench.ask(bus.SetPace(holder=ME, pace=0.3, stops=bench.loop.stops))
        rest(bench)
        way = np.where(bench.q < middle, 0.3, -0.3)


def hands(bench: Bench) -> None:
    """Jog joints and the tool, in several frames, and let the tool follow a hand."""
    speeds = tuple(np.where(bench.q < 0.0, 0.2, -0.2).tolist())
    place = tuple((bench.q + np.where(bench.q < 0.0, 0.05, -0.05)).tolist())
    arm = bench.arm
    jog(bench, lambda now: JointIntent(source=ME, stamp_ns=now, arm=arm, velocity=speeds))
    jog(bench, lambda now: JointIntent(source=ME, stamp_ns=now, arm=arm, target=place))
    for frame in ("base", "tool", "world", "view"):
        jog(bench, lambda now, frame=frame: TwistIntent(source=ME, stamp_ns=now, arm=arm, linear=UP, frame=frame))
    jog(bench, lambda now: TwistIntent(source=ME, stamp_ns=now, arm=arm, linear=UP, straight=True, locked=("rx",)))
    jog(bench, lambda now: TwistIntent(source=ME, stamp_ns=now, arm=arm, linear=(0.0,) * 3, angular=(0.1, 0.1, 0.1)))
    hand = Pose(xyz=(0.0, 0.0, 0.0), wxyz=(1.0, 0.0, 0.0, 0.0))
    jog(bench, lambda now: PoseIntent(source=ME, stamp_ns=now, arm=arm, pose=hand))
    # As far as it gets: down to what is near, with everything that holds it back there.
    jog(bench, lambda now: TwistIntent(source=ME, stamp_ns=now, arm=arm, linear=(0.0, 0.0, -0.2)), 600)


def uploaded(bench: Bench) -> None:
    """Watch an arm whose own controller runs a program; measured joints cannot be written to."""
    q, qd = bench.loop.state.q[bench.arm], bench.loop.state.qd[bench.arm]
    for row in (q, qd):
        row.setflags(write=False)
    bench.loop.gate.watch(bench.arm, q, qd)


def main(model: str) -> None:
    """Move, and write what was late."""
    floor = box("floor", (3.0, 3.0, 0.02), (0.0, 0.0, -0.05))
    bench = Bench(model, floor, rehearsed=True)
    watch()
    for arm in bench.loop.drives:
        bench.arm = arm
        for reduced in (False, True):
            bench.take()
            bench.ask(bus.ReduceSpeed(holder=ME, reduced=reduced, stops=bench.loop.stops))
            paths(bench)
            bench.ask(
                bus.Approach(
                    holder=ME,
                    job="approach",
                    arm=arm,
                    q=tuple((bench.q + 0.1).tolist()),
                    gain=1.0,
                    exponent=0.6,
                    tolerance_rad=0.01,
                    stops=bench.loop.stops,
                )
            )
            rest(bench)
            hands(bench)
            uploaded(bench)
    sys.stdout.write(" ".join(LATE) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
