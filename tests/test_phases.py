"""`make test` tells how long its phases took, which were longer than they may be, and which tests are slow."""

import os
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WRITE = "import os, pathlib; pathlib.Path(os.environ['OPENPENDANT_TIMES']).write_text({!r})"


@pytest.fixture
def phase(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.syspath_prepend(ROOT / "tools")
    import phase

    monkeypatch.setattr(phase, "FOLDER", tmp_path / "phases")
    return phase


def test_phases_are_timed_and_told_once(phase, capsys: pytest.CaptureFixture[str]):
    tests = '{"tests/test_a.py::test_quick": 0.5, "tests/test_a.py::test_slow": 61.5}'
    assert phase.main(["python", sys.executable, "-c", WRITE.format(tests)]) == 0
    assert phase.main(["page", sys.executable, "-c", "raise SystemExit(3)"]) == 3
    assert phase.main(["--report", "python=0", "page=3600", "browser=1"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[1:3] == ["    61.5 s  tests/test_a.py::test_slow", "     0.5 s  tests/test_a.py::test_quick"]
    (python,) = (line for line in told if line.startswith("  python"))
    (page,) = (line for line in told if line.startswith("  page"))
    assert python.endswith("over its budget")
    assert page.split()[-1] == "60:00"
    assert not any("browser" in line for line in told)
    phase.main(["--report", "python=0"])
    assert "test_slow" not in capsys.readouterr().out


SAYS = """
import os, pathlib, sys, time
group = pathlib.Path("/proc/self/autogroup")
words = group.read_text().split() if group.exists() else []  # empty in a session that began before the groups were on
nice = words[-1] if words else "unknown"
print(os.sched_getscheduler(0) == os.SCHED_IDLE, os.getsid(0) == os.getpid(), nice)
time.sleep(float(sys.argv[1]))
sys.exit(int(sys.argv[2]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="idle priority is Linux's")
def test_what_runs_behind_has_idle_priority_and_speaks_afterwards(phase, capfd: pytest.CaptureFixture[str]):
    one, other = [sys.executable, "-c", SAYS, "0.2", "0"], [sys.executable, "-c", SAYS, "1.2", "4"]
    assert phase.main(["python-live", *one, "--behind", "python-timeless", *other]) == 4
    first, _, behind = capfd.readouterr().out.splitlines()
    assert first.split()[1] == "False"
    assert behind.split()[:2] == ["True", "True"]
    assert os.geteuid() != 0 or behind.split()[2] in ("10", "unknown")
    phase.main(["--report", "python-live=10", "python-timeless=10"])
    rows = {row.split()[0]: row.split()[1] for row in capfd.readouterr().out.splitlines()[-3:]}
    assert rows["python-timeless"] == rows["together"] != "0:00", "what runs side by side does not add up"
    assert "python-live" in rows


def test_both_are_run_where_the_first_fails(phase, tmp_path: Path):
    note = tmp_path / "note"
    write = [sys.executable, "-c", f"open({str(note)!r}, 'w').close()"]
    assert phase.main(["a", sys.executable, "-c", "raise SystemExit(3)", "--behind", "b", *write]) == 3
    assert note.exists()


NOTES = """
import sys, time
with open(sys.argv[1], "a") as note:
    note.write(sys.argv[2])
sys.exit(int(sys.argv[3]))
"""


@pytest.mark.parametrize("failing", ["", "a", "b", "x"])
def test_some_follow_each_other_and_others_behind_also_where_one_fails(phase, tmp_path: Path, failing: str):
    def words(name: str, note: Path) -> list[str]:
        return [name, sys.executable, "-c", NOTES, str(note), name, "7" if name == failing else "0"]

    before, behind = tmp_path / "before", tmp_path / "behind"
    chain = [*words("a", before), "--then", *words("b", before), "--behind", *words("x", behind)]
    code = phase.main([*chain, "--behind", *words("y", behind), "--then", *words("c", before)])
    assert code == (7 if failing else 0)
    assert before.read_text() == "abc"
    assert behind.read_text() == "xy"


@pytest.mark.parametrize(
    "words",
    [["python"], ["--report"], ["--then", "a", "true"], ["a", "true", "--behind"], ["a", "true", "--then", "b"]],
    ids=" ".join,
)
def test_misuse_is_told(phase, capsys: pytest.CaptureFixture[str], words: list[str]):
    assert phase.main(words) == 2
    assert "--report" in capsys.readouterr().err


def test_every_phase_has_a_budget():
    makefile = (ROOT / "Makefile").read_text()
    (budgets,) = (line for line in makefile.splitlines() if line.startswith("BUDGETS :="))
    known = {word.partition("=")[0] for word in budgets.split()[2:]}
    used = set(re.findall(r"(?:PHASES? = |--then )([a-z-]+)", makefile))
    assert used | {"set-up"} == known
    assert "phase.py set-up " in (ROOT / ".ci" / "run").read_text()
