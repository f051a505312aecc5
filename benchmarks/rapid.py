"""RAPID, measured: python -m benchmarks.rapid

parse       a module of 2,000 statements to its tree
check       names and types of it
load        a machine for it
plain       statements a second: assignments, IF, WHILE on numbers
calls       calls of a procedure with two arguments a second
waiting     a step of two tasks that wait
"""

import time
from collections.abc import Callable

from openpendant.dialects.rapid import RapidMachine, check_modules, parse_module

GOAL = 200_000
PASSES = 100_000
PLAIN = f"""
MODULE plain
VAR num x;
PROC main()
  VAR num i;
  WHILE i < {PASSES} DO
    i := i + 1;
    x := x + i * 2;
    IF x > 1E6 THEN
      x := 0;
    ENDIF
  ENDWHILE
ENDPROC
ENDMODULE
"""
STATEMENTS = 4
"""Of each pass: the condition, two assignments, IF."""
CALLS = f"""
MODULE calls
VAR num x;
PROC add_to(num a, num b)
  x := a + b;
ENDPROC
PROC main()
  FOR i FROM 1 TO {PASSES} DO
    add_to i, 2;
  ENDFOR
ENDPROC
ENDMODULE
"""
WAITING = "MODULE waiting\nPROC main()\n  WaitUntil FALSE;\nENDPROC\nENDMODULE"


def least(work: Callable[[], object], times: int = 5) -> float:
    """Return the least processor time of several runs, seconds."""
    taken: list[float] = []
    for _ in range(times):
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return min(taken)


def to_the_end(text: str) -> Callable[[], None]:
    """Return what runs a module to its end, in steps of 2,000 statements."""
    modules = [parse_module(text)]

    def run() -> None:
        machine = RapidMachine({"T_ROB1": modules}, {}, clock=lambda: 0.0, budget=2000)
        while machine.state == "running":
            machine.step()

    return run


def main() -> None:
    """Measure and print."""
    body = "\n".join(f"    x := x + {number} * 2;" for number in range(2000))
    long = f"MODULE long\nVAR num x;\nPROC main()\n{body}\nENDPROC\nENDMODULE"

    def parse() -> None:
        parse_module.cache_clear()
        parse_module(long)

    print(f"RAPID, a module of 2,000 statements, {len(long)} characters")
    print(f"  parse             {least(parse) * 1e3:7.2f} ms")
    modules = [parse_module(long)]
    print(f"  check             {least(lambda: check_modules(modules)) * 1e3:7.2f} ms")
    load = least(lambda: RapidMachine({"T_ROB1": modules}, {}, clock=lambda: 0.0))
    print(f"  load              {load * 1e3:7.2f} ms")
    plain = STATEMENTS * PASSES / least(to_the_end(PLAIN), 3)
    print(f"  plain             {plain:9,.0f} statements/s   (goal: at least {GOAL:,})")
    print(f"  calls             {PASSES / least(to_the_end(CALLS), 3):9,.0f} calls/s")
    waiting = parse_module(WAITING)
    machine = RapidMachine({"T_ROB_L": [waiting], "T_ROB_R": [waiting]}, {}, clock=lambda: 0.0)

    def steps() -> None:
        for _ in range(1000):
            machine.step()

    print(f"  waiting           {least(steps) * 1e3:7.2f} µs a step of two tasks")


if __name__ == "__main__":
    main()
