"""Reduced speed through the public client, on an address that was given, by the state of the controller itself."""

import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import openpendant as op
from openpendant.client import ClientProject
from openpendant.messages import JointIntent, TwistIntent
from openpendant.programs import MoveAxis, Program
from openpendant.scene import Add, CellRobot
from openpendant.server import create_app, serving
from openpendant.virtual.launch import VirtualControl, start_virtual
from unsafe import promise

pytestmark = [pytest.mark.live, pytest.mark.timeout(180)]
ADDRESS, ROBOT = "127.0.13.52", "ur3e"
REDUCED_M_S = 0.25
HOME = (0.0, -1.57, 0.0, -1.57, 0.0, 0.0)
"""Stretched upwards."""
OUT = (0.0, -1.07, 0.6, -1.57, 0.0, 0.0)
LONGEST_LEVER_M = 0.9
"""Of tool or elbow about any joint; the arm reaches 0.5 m, and a little more with its last links."""
NOISE_M_S = 6.0 * 0.0005 * LONGEST_LEVER_M
"""Each joint's velocity is read with noise of 0.0005 rad/s (standard deviation); six times that is no chance."""
ELBOW = 2


class Watch:
    """Asks the controller how fast tool and elbow go, for the time of a block."""

    def __init__(self) -> None:
        self.fastest_m_s = 0.0
        self.count = 0
        self._end = threading.Event()
        self._control = VirtualControl(ADDRESS)
        self._chain = op.load("ur3e").arm().chain
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> "Watch":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()
        self._control.disconnect()

    def _look(self) -> None:
        while not self._end.wait(0.001):
            state = self._control.read("target_q", "target_qd", "actual_q", "actual_qd")
            wanted, measured = (self._speed(state[f"{one}_q"], state[f"{one}_qd"]) for one in ("target", "actual"))
            self.fastest_m_s = max(self.fastest_m_s, wanted, measured - NOISE_M_S)
            self.count += 1

    def _speed(self, q: object, qd: object) -> float:
        step_s = 1e-4
        here = np.array(q, dtype=float)
        there = here + step_s * np.array(qd, dtype=float)
        return float(np.linalg.norm(self._places(there) - self._places(here), axis=1).max()) / step_s

    def _places(self, q: np.ndarray) -> np.ndarray:
        """Where elbow and flange are, (2, 3); by rotations of scipy, not by our kinematics."""
        chain, T, elbow = self._chain, np.eye(4), np.zeros(3)
        for i in range(chain.dof):
            T = T @ chain.T_parent_joint[i]
            elbow = T[:3, 3] if i == ELBOW else elbow
            turn = np.eye(4)
            turn[:3, :3] = Rotation.from_rotvec(q[chain.order[i]] * chain.axis[i]).as_matrix()
            T = T @ turn
        return np.array([elbow, (T @ chain.T_last_flange)[:3, 3]])


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClientProject]:
    with start_virtual("ur3e", ADDRESS), serving(create_app(projects=tmp_path_factory.mktemp("projects"))) as url:
        studio = op.connect(url, name="ann")
        with studio.open(studio.create("reduced")) as project:
            project.edit_cell(Add(section="robots", item=CellRobot(name=ROBOT, model="ur3e", joints={"arm": HOME})))
            for name, q in (("home", HOME), ("out", OUT)):
                steps = (MoveAxis(id="s", q=q, speed="100%"),)
                project.add_program(Program(name=name, robot=ROBOT, steps=steps))
            project.robots.start({ROBOT: ADDRESS})
            project.robots.wait_ready(ROBOT)
            project.robots.take_control(ROBOT)
            yield project
            project.robots.end()


def run(project: ClientProject, name: str, mode: str = "streamed") -> None:
    project.robots.run(name, mode=mode, reduced=False)  # type: ignore[arg-type]
    end = project.robots.wait_for_end(120.0)
    assert end.status == "done", (end, project.robots.events[-20:])


def by_hand(project: ClientProject, intent: JointIntent | TwistIntent, seconds: float) -> None:
    """Send an intent as a page does, its dead-man switch held."""
    project.robots.engage(ROBOT)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        project.robots.intend(ROBOT, intent)
        time.sleep(0.016)
    project.robots.stop()


def check(watch: Watch) -> None:
    assert watch.count > 50
    promise(watch.fastest_m_s < REDUCED_M_S, f"tool or elbow went {watch.fastest_m_s:.4f} m/s")
    assert watch.fastest_m_s > 0.1


@pytest.mark.parametrize("mode", ["streamed", "uploaded"])
def test_a_program_keeps_to_reduced_speed_although_it_asks_for_more(project: ClientProject, mode: str) -> None:
    run(project, "home")
    assert project.robots.status(ROBOT).reduced
    with Watch() as watch:
        run(project, "out", mode)
    check(watch)


@pytest.mark.parametrize(
    "intent",
    [
        JointIntent(source="", stamp_ns=0, velocity=(3.0, 0.0, 0.0, 0.0, 0.0, 0.0), dead_man=True),
        TwistIntent(source="", stamp_ns=0, linear=(0.0, 1.0, 0.0), dead_man=True),
    ],
    ids=["joint", "tool"],
)
def test_a_hand_keeps_to_reduced_speed_although_it_asks_for_more(
    project: ClientProject, intent: JointIntent | TwistIntent
) -> None:
    run(project, "out")
    with Watch() as watch:
        by_hand(project, intent, 1.0)
    check(watch)


def test_who_has_control_lifts_it(project: ClientProject) -> None:
    run(project, "home")
    project.robots.set_reduced(ROBOT, reduced=False)
    project.wait(lambda: not project.robots.status(ROBOT).reduced or None, 10.0)
    with Watch() as watch:
        run(project, "out")
    # Otherwise the others would show nothing.
    assert watch.fastest_m_s > 2.0 * REDUCED_M_S
    project.robots.set_reduced(ROBOT, reduced=True)
    project.wait(lambda: project.robots.status(ROBOT).reduced or None, 10.0)
