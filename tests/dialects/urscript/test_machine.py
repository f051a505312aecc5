"""How programs run: scopes, threads, frames, failures."""

import pytest
from script_running import failure_of, run

from openpendant.dialects.urscript import (
    RUNAWAY,
    Builtin,
    Machine,
    Parameter,
    ScriptFailure,
    Wait,
    builtin_table,
    parse,
)


def test_scopes_are_the_manuals():
    ran = run("""def program():
      global a = 0
      b = 0
      def masks():
        local a = 1
        def inner():
          a = 2
        end
        inner()
        return a
      end
      def same():
        b = 5
        own = 7
        return own
      end
      textmsg(masks(), a)
      textmsg(same(), b)
    end""")
    assert ran.said == ["12", "75"]


def test_a_variable_of_a_function_is_its_own():
    ran = run("""def program():
      def f():
        hidden = 3
        def g():
          return hidden
        end
        return g()
      end
      hidden = 1
      textmsg(f())
    end""")
    assert ran.said == ["3"]  # the program's own level makes it global
    with pytest.raises(Exception, match="name 'hidden' is not defined"):
        run("def program():\n def f():\n  hidden = 3\n end\n f()\n textmsg(hidden)\nend")


def test_lists_are_copied():
    ran = run("""def program():
      a = [1, 2, 3]
      b = a
      b[0] = 9
      m = [[1, 2], [3, 4]]
      row = m[0]
      row[0] = 7
      def change(list):
        list[1] = 8
        return list
      end
      textmsg(a, b)
      textmsg(m, row)
      textmsg(change(a), a)
    end""")
    assert ran.said == ["[1, 2, 3][9, 2, 3]", "[[1, 2], [3, 4]][7, 2]", "[1, 8, 3][1, 2, 3]"]


def test_functions_defaults_keywords_recursion():
    ran = run("""def program():
      def f(a, b=10, c=20):
        return a + b + c
      end
      def factorial(n):
        if n < 2:
          return 1
        end
        return n * factorial(n - 1)
      end
      textmsg(f(1), f(1, 2))
      textmsg(f(1, c=3), f(c=1, a=1, b=1))
      textmsg(factorial(10))
    end""")
    assert ran.said == ["3123", "143", "3628800"]


def test_a_thread_runs_beside_the_program_frame_by_frame():
    ran = run("""def program():
      count = 0
      thread counter():
        while True:
          count = count + 1
          sync()
        end
      end
      handle = run counter()
      sleep(0.02)
      kill handle
      textmsg(count)
      sleep(0.02)
      textmsg(count)
    end""")
    assert ran.said == ["10", "10"]
    assert ran.frames == 21


def test_join_waits_for_the_end_of_a_thread():
    ran = run("""def program():
      thread worker():
        sleep(0.01)
        textmsg("worker")
      end
      handle = run worker()
      join handle
      textmsg("joined")
      join handle
      kill handle
      kill 0
    end""")
    assert ran.said == ["worker", "joined"]
    assert ran.machine.state == "finished"


def test_the_main_program_cannot_be_killed_by_a_number():
    ran = run("def program():\n kill 0\n kill 1\n kill -1\n textmsg(1)\nend")
    assert (ran.machine.state, ran.said) == ("finished", ["1"])


def test_a_critical_section_keeps_others_out_also_while_it_waits():
    text = """def program():
      inside = 0
      thread other():
        while True:
          inside = inside + 1
          sync()
        end
      end
      run other()
      sync()
      ENTER
      before = inside
      sleep(0.02)
      textmsg(inside - before)
      EXIT
      sleep(0.02)
      textmsg(inside - before)
    end"""
    kept = run(text.replace("ENTER", "enter_critical").replace("EXIT", "exit_critical"))
    free = run(text.replace("ENTER", "").replace("EXIT", ""))
    assert kept.said[0] == "0"
    assert int(free.said[0]) == 10
    assert int(kept.said[1]) >= 10


def test_others_run_while_a_thread_waits_for_its_host_in_a_critical_section():
    def wait() -> Wait:
        for _ in range(10):
            yield

    text = """def program():
      inside = 0
      thread other():
        while True:
          enter_critical
          inside = inside + 1
          WAITS()
          exit_critical
        end
      end
      run other()
      sync()
      enter_critical
      before = inside
      WAITS()
      textmsg(inside - before)
      exit_critical
    end"""
    waits = Builtin("host_wait", (), wait, blocking=True)
    assert run(text.replace("WAITS", "host_wait"), more=(waits,)).said == ["1"]
    assert run(text.replace("WAITS()", "sleep(0.02)"), frames=100).said == []


@pytest.mark.parametrize(
    ("condition", "taken"), [("1", True), ("0", False), ("-0.5", True), ("0.0", False), ("2 - 2", False)]
)
def test_a_number_other_than_zero_is_true(condition: str, *, taken: bool):
    other = "False" if taken else "True"
    ran = run(
        f"def program():\n x = {condition}\n if x:\n  textmsg(1)\n else:\n  textmsg(0)\n end\n"
        f" textmsg(not x)\n textmsg(x and True)\n while x:\n  x = 0\n end\n textmsg(x)\nend"
    )
    assert ran.said[:3] == [str(int(taken)), other, str(taken)]
    assert ran.machine.state == "finished"


def test_a_killed_thread_gives_back_its_critical_section():
    ran = run("""def program():
      thread greedy():
        enter_critical
        me = 1
        kill handle
      end
      handle = 1
      run greedy()
      sleep(0.01)
      textmsg("free")
    end""")
    assert ran.said == ["free"]


def test_a_loop_that_never_waits_does_not_hang_its_host():
    ran = run("def program():\n x = 0\n while True:\n  x = x + 1\n end\nend", runaway=20)
    assert ran.error == RUNAWAY
    assert ran.line == 3
    assert ran.frames == 21


def test_others_go_on_beside_a_busy_thread():
    ran = run("""def program():
      thread busy():
        n = 0
        while n < 5000:
          n = n + 1
        end
        textmsg("busy done")
      end
      run busy()
      i = 0
      while i < 5:
        textmsg(i)
        sync()
        i = i + 1
      end
      sleep(0.1)
    end""")
    assert ran.said == ["0", "1", "2", "3", "4", "busy done"]


@pytest.mark.parametrize(
    "text",
    [
        "def program():\n def f(n):\n  return f(n + 1)\n end\n f(0)\nend",
        "def program():\n def f(n):\n  return g(n)\n end\n def g(n):\n  return f(n)\n end\n f(0)\nend",
        'def program():\n s = "a"\n while True:\n  s = str_cat(s, s)\n end\nend',
        'def program():\n s = "a"\n while True:\n  s = s + s\n end\nend',
        "def program():\n l = make_list(0, 0, 5)\n while True:\n  l.append(1)\n end\nend",
        "def program():\n a = [1, 2]\n while True:\n  a = [a, a]\n end\nend",
        "def program():\n a = struct(x=1)\n while True:\n  a = struct(x=a, y=a)\n end\nend",
        "def program():\n a = struct(x=1)\n while True:\n  a.x = a\n end\nend",
        "def program():\n a = make_list(100000000, 0)\nend",
        "def program():\n thread t():\n  sleep(100)\n end\n while True:\n  run t()\n end\nend",
        "def program():\n x = 10\n while True:\n  x = x ^ x\n end\nend",
    ],
)
def test_nothing_grows_without_end(text: str):
    ran = run(text)
    assert ran.machine.state == "failed"
    assert ran.frames < 2000


def test_calls_that_double_and_double_stay_within_the_budget():
    levels = "\n".join(f"def f{n}():\n f{n + 1}()\n f{n + 1}()\nend" for n in range(40))
    ran = run(f"def program():\n{levels}\ndef f40():\n return 1\nend\nf0()\nend", frames=50)
    assert ran.machine.state == "running"


def test_long_bodies_and_dear_builtins_use_more_of_the_budget():
    def passes(body: str, cost: int = 0) -> int:
        more = builtin_table(Builtin("solve", (), lambda: 0, cost=cost))
        text = f"def program():\n i = 0\n while True:\n  i = i + 1\n{body}\n end\nend"
        machine = Machine(parse(text), more, clock=lambda: 0.0, budget_per_frame=1000)
        machine.frame()
        return int(machine.variables["i"])  # type: ignore[arg-type]

    short = passes("")
    assert short >= 900
    assert passes("x = i * 2 + 1\n" * 45) < short / 8
    assert passes("solve()") == pytest.approx(short, rel=0.1)
    assert passes("solve()", cost=50) < short / 30
    assert passes("if i == 0:\nsync()\n" + "elif i == 0:\nsync()\n" * 3 + "end") > short / 4


def test_products_of_matrices_stay_within_the_budget():
    row = f"[{', '.join(['0.1'] * 17)}]"
    text = f"def program():\n m = [{', '.join([row] * 17)}]\n while True:\n  m = m * m\n end\nend"
    steps: list[int] = []
    machine = Machine(parse(text), {}, clock=lambda: 0.0)
    for _ in range(5):
        machine.frame()
        steps.append(machine._meter.left)  # type: ignore[attr-defined]
    assert machine.state == "running"
    assert min(steps) > -3000  # at most one product after the budget is gone


def test_int_arithmetic_wraps_at_32_bits():
    assert run("def program():\n x = 2147483647\n x = x + 1\n textmsg(x)\nend").said == ["-2147483648"]


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("x = [1, 2][2]", "list index 2 out of range 0..1"),
        ("x = [1, 2][-1]", "out of range"),
        ("x = [1, 2][0.5]", "must be an integer"),
        ('x = 1 + "a"', "Type error: unsupported operand types for +: Int and String"),
        ("x = [1, 2] + [1]", "lists of 2 and 1 elements"),
        ("x = 1 / 0", "division by zero"),
        ("x = 5 % 0", "division by zero"),
        ('x = 1 < "a"', "Type error"),
        ("x = not [3]", "Type error: a condition must be a Bool or a number, not List"),
        ('if "yes": x = 2 end', "a condition must be a Bool or a number, not String"),
        ('x = p[1, 2, 3, 4, 5, "a"]', "a pose has numbers, not String"),
        ("x = (5)[0]", "Int has no elements"),
        ("x = 5 x.y = 3", "Int has no member y"),
        ("x = struct(a=1) x.b = 3", "Struct has no member b"),
        ("x = str_sub()", "Type error: str_sub takes exactly 3 arguments"),
        ("x = sin(1, 2)", "Type error: sin takes exactly 1 arguments"),
        ("x = sin(g=1)", "sin has no parameter g"),
        ("x = acos(2)", "acos(2) has no value"),
        ("x = sqrt(-1)", "has no value"),
        ('x = [1, 2] x["a"] = 3', "a list index must be an integer, not String"),
        ("kill True", "the handle of kill must be an integer"),
        ("x = [1, None]", "a list cannot hold None"),
        ("x = [1, 2] x.append(3)", "list capacity of 2 exceeded"),
        ("x = [[1, 2], [3, 4]] x[0] = 5", "an element of type List cannot become Int"),
    ],
)
def test_failures_say_what_and_where(statement: str, says: str):
    assert says in failure_of(statement)
    ran = run(f"def program():\n\n  {statement}\nend")
    assert ran.line == 3
    assert ran.machine.line == 0


def test_a_variable_that_has_no_value_yet():
    ran = run("def program():\n if False:\n  x = 1\n end\n textmsg(x)\nend")
    assert (ran.error, ran.line) == ("Runtime error: name 'x' is not defined", 5)
    ran = run("def program():\n def f():\n  if False:\n   local y = 1\n  end\n  return y\n end\n f()\nend")
    assert (ran.error, ran.line) == ("Runtime error: name 'y' is not defined", 6)


def test_a_failure_in_a_thread_names_it_and_ends_the_program():
    ran = run("def program():\n thread t():\n  x = [1][4]\n end\n run t()\n sleep(1)\nend")
    assert ran.machine.error is not None
    assert (ran.machine.error.thread, ran.line) == ("t", 3)


def test_a_secondary_program_must_not_wait():
    assert run('sec s():\n textmsg("now")\nend').machine.state == "finished"
    ran = run("sec s():\n sleep(1)\nend")
    assert (ran.error, ran.frames) == (RUNAWAY, 1)


def test_halt_ends_every_thread():
    ran = run("def program():\n thread t():\n  halt\n end\n run t()\n sleep(1)\n textmsg(1)\nend")
    assert (ran.machine.state, ran.said, ran.frames) == ("stopped", [], 1)


def test_labels_and_lines_tell_where_the_program_is():
    machine = Machine(
        parse('def p():\n $ 1 "Robot Program"\n sync()\n $ 2 "Wait"\n sleep(1)\nend'), {}, clock=lambda: 0
    )
    machine.frame()
    assert (machine.line, machine.label) == (3, (1, "Robot Program"))
    machine.frame()
    assert (machine.line, machine.label) == (5, (2, "Wait"))


def test_the_line_is_that_of_the_function_which_waits():
    text = "def p():\n def f():\n  sleep(1)\n end\n f()\nend"
    machine = Machine(parse(text), {}, clock=lambda: 0)
    machine.frame()
    assert machine.line == 3


def blocking(log: list[str]) -> Builtin:
    def call(frames: int):
        log.append("start")
        try:
            for _ in range(frames):
                yield
            return frames * 2
        finally:
            log.append("let go")

    return Builtin("work", (Parameter("frames", 3),), call, blocking=True)


def test_blocking_builtins_take_frames_and_have_a_value():
    log: list[str] = []
    ran = run("def p():\n textmsg(work(), work(frames=2))\nend", more=[blocking(log)])
    assert ran.said == ["64"]
    assert ran.frames == 6


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_what_waits_lets_go_when_it_is_ended(how: str):
    log: list[str] = []
    text = "def p():\n thread t():\n  work(100)\n end\n h = run t()\n sync()\n kill h\n sleep(1)\nend"
    if how == "stop":
        text = "def p():\n work(100)\nend"
    machine = Machine(parse(text), builtin_table(blocking(log)), clock=lambda: 0.0)
    machine.frame()
    assert log == ["start"]
    if how == "stop":
        machine.stop()
        machine.stop()
        assert machine.state == "stopped"
    else:
        machine.frame()
    assert log == ["start", "let go"]


def test_failures_of_builtins_fail_the_program_not_the_host():
    def refuse(q: object) -> None:
        raise ScriptFailure("Inverse kinematics: no solution")

    def broken(q: object) -> None:
        raise ZeroDivisionError("inside the host")

    more = [Builtin("refuse", (Parameter("q"),), refuse), Builtin("broken", (Parameter("q"),), broken)]
    ran = run("def p():\n refuse(1)\nend", more=more)
    assert (ran.error, ran.line) == ("Inverse kinematics: no solution", 2)
    ran = run("def p():\n broken(1)\nend", more=more)
    assert "inside the host" in ran.error
    assert isinstance(ran.machine.cause, ZeroDivisionError)


def test_a_program_can_run_on_several_machines():
    program = parse("def p():\n x = 0\n while x < 3:\n  x = x + 1\n  sync()\n end\nend")
    one, two = (Machine(program, {}, clock=lambda: 0.0) for _ in range(2))
    for _ in range(3):
        one.frame()
    two.frame()
    assert (one.variables, two.variables) == ({"x": 3}, {"x": 1})


def test_the_host_may_give_its_own_pause():
    pressed: list[bool] = []

    def pause():
        while not pressed:
            yield

    program = parse("def p():\n pause\n x = 1\nend")
    machine = Machine(program, builtin_table(Builtin("pause", (), pause, blocking=True)), clock=lambda: 0.0)
    for _ in range(5):
        machine.frame()
    assert machine.state == "running"
    pressed.append(True)
    machine.frame()
    assert machine.state == "finished"
