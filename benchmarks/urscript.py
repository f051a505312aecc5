"""URScript, measured: python -m benchmarks.urscript

The control script that ur_rtde uploads (42 kB), caught from the installed client, on recording builtins. Times are
processor times; of repeated ones the least.

    parse       text to tree
    generate    tree to Python code, once for each script and set of builtins
    machine     a further machine for the same program
    idle        a frame while the script waits for a command
    servoj      a frame while a client streams servoj: the command is read and the servo thread runs
    loop        one pass of `while x < n: x = x + 1 end`
"""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "dialects"), str(ROOT / "tests" / "dialects" / "urscript")]

from control_script import control_script  # noqa: E402
from test_control_script import SERVOJ, Host  # noqa: E402

from openpendant.dialects.urscript import Machine, parse  # noqa: E402

COLD = """
import time
began = time.perf_counter()
from openpendant.dialects.urscript import parse
import sys
text = sys.stdin.read()
imported = time.perf_counter()
parse(text)
print(imported - began, time.perf_counter() - imported)
"""


def least(work: Callable[[], object], times: int = 5) -> float:
    """Return the least processor time of several runs, seconds."""
    taken: list[float] = []
    for _ in range(times):
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return min(taken)


def frames(machine: Machine, count: int = 1000) -> float:
    """Return microseconds of a frame."""

    def run() -> None:
        for _ in range(count):
            machine.frame()

    return least(run) / count * 1e6


def main() -> None:
    """Measure and print."""
    text = control_script()
    cold = subprocess.run([sys.executable, "-c", COLD], input=text, capture_output=True, text=True, check=True)
    imported, first = map(float, cold.stdout.split())
    print(f"ur_rtde's control script, {len(text)} characters, {text.count(chr(10))} lines")
    print(f"  cold process      import {imported * 1e3:7.1f} ms   first parse {first * 1e3:.1f} ms")

    def again() -> None:
        parse.cache_clear()
        parse(text)

    print(f"  parse             {least(again) * 1e3:7.2f} ms")
    host = Host()
    program, builtins = parse(text), host.builtins()

    def generate() -> None:
        program.generated.clear()
        Machine(program, builtins, clock=lambda: 0.0)

    print(f"  generate          {least(generate) * 1e3:7.2f} ms")
    print(f"  machine           {least(lambda: Machine(program, builtins, clock=lambda: 0.0)) * 1e3:7.2f} ms")
    host.until(1)
    print(f"  idle              {frames(host.machine):7.2f} µs a frame   (goal: under 100)")
    host.floats[6:11] = [0.0, 0.0, 0.002, 0.1, 300.0]
    host.inputs[0] = SERVOJ
    print(f"  servoj            {frames(host.machine):7.2f} µs a frame   (goal: under 200)")
    busy = parse("def busy():\n x = 0\n while x < 1000000000:\n  x = x + 1\n end\nend")
    machine = Machine(busy, {}, clock=lambda: 0.0, budget_per_frame=1000, runaway_frames=10**9)
    print(f"  loop              {frames(machine, 100):7.2f} ns a pass (1000 in a frame)")


if __name__ == "__main__":
    main()
