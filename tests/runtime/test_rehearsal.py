"""No tick waits for the compiler: a robot's process has all kernels before it moves, in whatever way."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("rehearsed_motions.py")


@pytest.mark.timeout(180)
@pytest.mark.parametrize("model", ["ur3e", "irb120", "rx90l", "yumi"])
def test_nothing_is_loaded_while_a_robot_moves(model: str) -> None:
    done = subprocess.run([sys.executable, str(SCRIPT), model], capture_output=True, text=True, timeout=170)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []
