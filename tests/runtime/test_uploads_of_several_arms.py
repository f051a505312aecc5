"""Programs for several arms are one upload, in virtual time: each arm is watched, what stops one stops all."""

from collections.abc import Callable

import numpy as np
import pytest
from loop_bench import ME, Bench

from openpendant.controllers import KinematicRobot, SampledPath, VendorTasks, VendorText, texts_of
from openpendant.controllers.jobs import Job
from openpendant.messages import bus
from openpendant.runtime import Corridor
from openpendant.runtime.arm_executor import REST_RAD_S

LEFT, RIGHT = "left", "right"
JOB = "both"
SECONDS, SPEED = 4.0, 0.1
TOLERANCE_RAD = 0.06
TICKS = 2000


class TwoTasks:
    """Runs programs of one line, the radians that the first joint of the task's arm goes, on a kinematic robot."""

    def __init__(self, robot: KinematicRobot) -> None:
        self._robot, self._run = robot, robot.run
        self.tasks: list[str] = []

    def run(self, job: Job) -> None:
        if isinstance(job, SampledPath):
            self._run(job)
            return
        for text in texts_of(job):
            self.tasks.append(text.task)
            q = self._robot.state.q[text.arm]
            steps = round(SECONDS * 1e9 / self._robot.tick_ns)
            way = float(text.text) * np.linspace(0.0, 1.0, steps + 1)[1:, None] * np.eye(len(q))[0]
            self._run(SampledPath(text.arm, q + way))


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    made = Bench("yumi")
    plant = made.loop.controller
    assert isinstance(plant, KinematicRobot)
    monkeypatch.setattr(plant, "run", TwoTasks(plant).run)
    assert isinstance(made.take(), bus.Accepted)
    return made


def corridor(bench: Bench, arm: str, way: float) -> bus.CorridorMessage:
    q = bench.loop.controller.state.q[arm]
    return Corridor(q + way * np.linspace(0.0, 1.0, 101)[:, None] * np.eye(len(q))[0], TOLERANCE_RAD).encode()


def upload(bench: Bench, left: float, right: float, *, checked: float | None = None) -> bus.Upload:
    """Both arms, so far each; of the right one only `checked` was checked."""
    q = bench.loop.controller.state.q
    text = {"dialect": "rapid", "name": JOB}
    far = right if checked is None else checked
    return bus.Upload(
        holder=ME, job=JOB, arm=LEFT, text=str(left), task="T_ROB_L", stops=bench.loop.stops,
        corridor=corridor(bench, LEFT, left), q_start=tuple(q[LEFT].tolist()),
        beside=(bus.TaskText(text=str(right), task="T_ROB_R", arm=RIGHT, **text),),
        others=(bus.UploadedArm(arm=RIGHT, corridor=corridor(bench, RIGHT, far), q_start=tuple(q[RIGHT].tolist())),),
        **text,
    )  # fmt: skip


def outcomes(bench: Bench) -> dict[str, str]:
    return {name: drive.outcome for name, drive in bench.loop.drives.items()}


def speeds(bench: Bench) -> dict[str, float]:
    return {name: float(np.abs(qd).max()) for name, qd in bench.loop.controller.state.qd.items()}


def until(bench: Bench, condition: Callable[[], bool]) -> None:
    for _ in range(TICKS):
        bench.ticks(1)
        if condition():
            return
    raise AssertionError(f"not within {TICKS} ticks: {outcomes(bench)}, {speeds(bench)}")


def test_both_move_at_once_and_are_done(bench: Bench) -> None:
    start = {arm: np.array(q) for arm, q in bench.loop.controller.state.q.items()}
    assert bench.ask(upload(bench, 0.2, -0.2)) == bus.Accepted()
    assert {drive.job for drive in bench.loop.drives.values()} == {JOB}
    until(bench, lambda: min(speeds(bench).values()) > SPEED / 4.0)
    until(bench, lambda: set(outcomes(bench).values()) == {"done"})
    q = bench.loop.controller.state.q
    assert (q[LEFT] - start[LEFT])[0] == pytest.approx(0.2, abs=1e-6)
    assert (q[RIGHT] - start[RIGHT])[0] == pytest.approx(-0.2, abs=1e-6)


def test_one_that_leaves_what_was_checked_stops_both(bench: Bench) -> None:
    start = float(bench.loop.controller.state.q[RIGHT][0])
    assert bench.ask(upload(bench, 0.2, -0.4, checked=-0.1)) == bus.Accepted()
    until(bench, lambda: "held" in outcomes(bench).values())
    until(bench, lambda: set(outcomes(bench).values()) == {"held"})
    reasons = {drive.reason for drive in bench.loop.drives.values()}
    assert len(reasons) == 1
    assert f"{RIGHT} is 0.0" in reasons.pop()
    assert max(speeds(bench).values()) < REST_RAD_S
    assert start - 0.1 - TOLERANCE_RAD - 0.02 < bench.loop.controller.state.q[RIGHT][0] < start - 0.1 - TOLERANCE_RAD


def test_a_stop_stops_both(bench: Bench) -> None:
    assert bench.ask(upload(bench, 0.2, -0.2)) == bus.Accepted()
    until(bench, lambda: min(speeds(bench).values()) > SPEED / 4.0)
    bench.ask(bus.Halt(who="somebody"))
    until(bench, lambda: set(outcomes(bench).values()) == {"stopped"})
    assert max(speeds(bench).values()) < REST_RAD_S


def test_the_controllers_tasks_are_what_was_asked_for(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[Job] = []
    monkeypatch.setattr(bench.loop.controller, "run", jobs.append)
    assert bench.ask(upload(bench, 0.2, -0.2)) == bus.Accepted()
    left = VendorText("rapid", JOB, "0.2", "T_ROB_L", LEFT)
    right = VendorText("rapid", JOB, "-0.2", "T_ROB_R", RIGHT)
    assert jobs == [VendorTasks(JOB, (left, right))]


def test_while_one_is_busy_nothing_of_it_begins(bench: Bench) -> None:
    bench.arm = RIGHT
    assert bench.follow(bench.path(bench.q + 0.1)) == bus.Accepted()
    refused = bench.ask(upload(bench, 0.2, -0.2))
    assert isinstance(refused, bus.Denied)
    assert refused.kind == "state"
    assert bench.loop.drives[LEFT].doing == "nothing"
