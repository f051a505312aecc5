"""No tick of a virtual controller waits for the compiler: it has all kernels before it listens.

One that compiles in a tick is silent for seconds, and whoever drives it has lost contact.
"""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "warm_programs.py"


@pytest.mark.timeout(180)
def test_nothing_is_loaded_while_a_controller_ticks() -> None:
    done = subprocess.run([sys.executable, str(SCRIPT), "ur3e"], capture_output=True, text=True, timeout=170)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []
