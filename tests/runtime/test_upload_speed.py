"""An uploaded program at reduced speed, by the controller's own state in virtual time, wherever it begins."""

from collections.abc import Sequence

import numpy as np
import pytest
from measuring import ArmSpeeds

from openpendant.programs import Action, MoveAxis, Program, Repeat
from openpendant.runtime.upload import prepare_upload
from openpendant.scene import Cell, CellRobot, Scene
from openpendant.virtual.ur import RuntimeState, Tracking, UrController, UrOptions, ur_model

ARM = "ur3e/arm"
CELL = Cell(name="desk", robots=(CellRobot(name="ur3e", model="ur3e"),))
HOME = Scene(CELL).arm(ARM).q_start
REDUCED_M_S = 0.25
MOST_TICKS = 60_000
WRISTS = np.array([0.0, 0.0, 0.0, 1.5, 1.5, 0.0])


def fastest(steps: Sequence[Action], start: np.ndarray) -> float:
    """Run a program that is uploaded at reduced speed; return the largest speed of tool or elbow, m/s."""
    program = Program(name="swing", robot="ur3e", steps=tuple(steps))
    here = tuple(start.tolist())
    made = prepare_upload(CELL, program, {"swing": program}, None, {ARM: here}, reduced=True)
    options = UrOptions(power=True, tracking=Tracking(noise=0.0))
    brain, speeds = UrController(ur_model("ur3e"), start_q=here, options=options), ArmSpeeds(Scene(CELL).arm(ARM))
    brain.run_script(made.text.text)
    seen: list[float] = []
    for _ in range(MOST_TICKS):
        brain.tick()
        states = [[np.array(brain.read(f"{kind}_{name}")) for name in ("q", "qd")] for kind in ("target", "actual")]
        seen += [speeds.at(q, qd) for q, qd in states]
        if brain.read("runtime_state") == RuntimeState.STOPPED:
            return max(seen)
    raise AssertionError("the program did not end")


def move(name: str, q: np.ndarray, speed: str = "100%") -> MoveAxis:
    return MoveAxis(id=name, q=tuple(q.tolist()), speed=speed)


@pytest.mark.parametrize("seed", range(6))
def test_a_program_that_begins_elsewhere_than_the_cell_says_keeps_to_250_mm_s(seed: int) -> None:
    start = HOME + np.random.default_rng(seed).uniform(-0.4, 0.4, 6) + WRISTS
    swing = np.array([0.6, -0.3, 0.3, 0.0, 0.0, 0.0])
    assert 0.15 < fastest([move("s1", start + swing), move("s2", start)], start) < REDUCED_M_S


def test_a_move_that_comes_from_elsewhere_in_the_next_round_keeps_to_250_mm_s() -> None:
    wrist, base = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1.5]), np.array([0.7, 0.0, 0.0, 0.0, 0.0, 0.0])
    rounds = Repeat(id="r", times=2, steps=(move("here", HOME), move("there", HOME + base)))
    assert 0.15 < fastest([move("first", HOME + wrist), rounds], HOME) < REDUCED_M_S
