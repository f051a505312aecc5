"""The JSON forms that people script on, run as a program."""

import json
import subprocess
import sys
from collections.abc import Sequence

import numpy as np

import openpendant as op


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "openpendant", *words], capture_output=True, text=True, check=False, timeout=120
    )


def comma(values: Sequence[float] | np.ndarray) -> str:
    return ",".join(repr(float(value)) for value in values)


def test_fk_then_ik_lead_back() -> None:
    q = [-0.1, -1.2, 1.3, -0.7, -1.4, 0.25]
    forward = run("fk", "ur3e", comma(q), "--json")
    assert (forward.returncode, forward.stderr) == (0, "")
    told = json.loads(forward.stdout)
    assert list(told) == ["robot", "base", "frame", "T"]
    assert (told["robot"], told["base"], told["frame"]) == ("ur3e", "base_link", "tool0")
    T = np.array(told["T"])
    np.testing.assert_array_equal(T, op.load("ur3e").arm().fk(q))

    from openpendant.spatial import quaternion_from_matrix

    pose = comma([*T[:3, 3], *quaternion_from_matrix(T[:3, :3])])
    inverse = run("ik", "ur3e", pose, "--seed", comma(q), "--json")
    assert (inverse.returncode, inverse.stderr) == (0, "")
    told = json.loads(inverse.stdout)
    assert list(told) == ["solutions", "reason"]
    assert told["reason"] is None
    assert len(told["solutions"]) > 1
    for solution in told["solutions"]:
        assert list(solution) == ["q", "label", "margin_rad"]
        np.testing.assert_allclose(op.load("ur3e").arm().fk(solution["q"]), T, atol=1e-9)
    np.testing.assert_allclose(told["solutions"][0]["q"], q, atol=1e-9)


def test_out_of_reach_is_an_answer() -> None:
    answer = run("ik", "irb120", "-3,0,0.5,1,0,0,0", "--json")
    assert (answer.returncode, answer.stderr) == (0, "")
    told = json.loads(answer.stdout)
    assert told["solutions"] == []
    assert isinstance(told["reason"], str)
    assert told["reason"]


def test_misuse_is_one_line_on_stderr() -> None:
    answer = run("fk", "ur3", "0,0,0,0,0,0", "--json")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr == "openpendant: no robot named 'ur3'. Did you mean ur3e?\n"


def test_the_version_loads_no_numerics() -> None:
    code = "import sys; from openpendant.cli import main; main(['--version']); print('numpy' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.splitlines() == [op.__version__, "False"]
