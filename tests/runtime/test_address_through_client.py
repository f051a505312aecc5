"""A UR3e at an address that a person gave to a server: dead-man and reduced speed, by its own state over RTDE."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np
import pytest
from measuring import ArmSpeeds
from rtde_receive import RTDEReceiveInterface
from test_given_address import REDUCED_M_S, noise_m_s
from watching import Sample

import openpendant as op
from openpendant.client import ClientProject
from openpendant.messages import Intent, JointIntent, TwistIntent
from openpendant.programs import MoveAxis, Program
from openpendant.scene import Add, CellRobot, Scene
from openpendant.server import create_app, serving
from openpendant.virtual.launch import start_virtual

pytestmark = [pytest.mark.live, pytest.mark.timeout(240)]
ADDRESS, ROBOT, ARM = "127.0.13.33", "ur3e", "ur3e/arm"
READ_HZ = 250.0
STILL_RAD = 0.003


class RtdeObserver:
    """Writes down what the controller says of itself to whoever listens; it can move nothing."""

    def __init__(self, address: str) -> None:
        self.samples: list[Sample] = []
        self._receive = RTDEReceiveInterface(address, READ_HZ)
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._end.set()
        self._thread.join()
        self._receive.disconnect()

    def q(self) -> np.ndarray:
        return np.array(self._receive.getActualQ())

    def _watch(self) -> None:
        receive = self._receive
        while not self._end.wait(0.5 / READ_HZ):
            at_s = receive.getTimestamp()
            if not self.samples or at_s != self.samples[-1].timestamp:
                joints = (receive.getTargetQ(), receive.getTargetQd(), receive.getActualQ(), receive.getActualQd())
                self.samples.append(Sample(time.monotonic(), at_s, *(np.array(one) for one in joints)))


@pytest.fixture(scope="module")
def observer() -> Iterator[RtdeObserver]:
    with start_virtual(ROBOT, ADDRESS):
        made = RtdeObserver(ADDRESS)
        yield made
        made.close()


@pytest.fixture(scope="module")
def project(observer: RtdeObserver, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClientProject]:
    with serving(create_app(projects=tmp_path_factory.mktemp("projects"))) as url:
        studio = op.connect(url, name="ann")
        with studio.open(studio.create("given address")) as project:
            project.edit_cell(Add(section="robots", item=CellRobot(name=ROBOT, model=ROBOT)))
            project.robots.start({ROBOT: ADDRESS})
            project.robots.wait_ready(ROBOT)
            yield project
            project.robots.end()


def jog(project: ClientProject, intent: Callable[[dict[str, object]], Intent], *, held: bool, for_s: float) -> None:
    """Jog as a page does, the dead-man switch held or not, and let go."""
    project.robots.engage(ROBOT)
    end = time.monotonic() + for_s
    while time.monotonic() < end:
        project.robots.intend(ROBOT, intent({"source": "", "stamp_ns": 0, "dead_man": held}))
        time.sleep(0.016)
    project.robots.intend(ROBOT, intent({"source": "", "stamp_ns": 0, "dead_man": held, "clutch": False}))
    project.wait(lambda: None if project.robots.status(ROBOT).moving else True, 10.0)


def fastest_since(project: ClientProject, observer: RtdeObserver, since_s: float) -> float:
    """Return the largest speed of tool or elbow, m/s: what the controller wants and, but for noise, measures."""
    speeds = ArmSpeeds(Scene(project.cell).arm(ARM))
    seen = [one for one in observer.samples if one.wall_s >= since_s]
    assert len(seen) > 100
    wanted = max(speeds.at(one.target_q, one.target_qd) for one in seen)
    return max(wanted, *(speeds.at(one.actual_q, one.actual_qd) - noise_m_s(speeds, one.actual_q) for one in seen))


def test_a_hand_moves_it_only_with_the_dead_man_switch_and_slowly(
    project: ClientProject, observer: RtdeObserver
) -> None:
    assert project.robots.status(ROBOT).how == "real"
    assert project.robots.status(ROBOT).reduced
    q = observer.q()
    turn = lambda head: JointIntent(velocity=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0), **head)  # noqa: E731
    jog(project, turn, held=False, for_s=1.0)
    assert np.abs(observer.q() - q).max() < STILL_RAD
    began = time.monotonic()
    jog(project, turn, held=True, for_s=1.5)
    assert observer.q()[0] - q[0] > 0.1
    for z in (-1.0, 1.0):
        jog(project, lambda head, z=z: TwistIntent(linear=(0.0, 0.0, z), **head), held=True, for_s=1.0)
    assert 0.1 < fastest_since(project, observer, began) < REDUCED_M_S


@pytest.mark.parametrize("mode", ["streamed", "uploaded"])
def test_a_program_at_full_speed_runs_slowly(
    project: ClientProject, observer: RtdeObserver, mode: Literal["streamed", "uploaded"]
) -> None:
    q = np.array(project.robots.joints().measured[ARM])
    rows = [q + by * np.array([1.0, -0.3, 0.3, 0.0, 0.0, 0.0]) for by in (0.6, 0.0)]
    steps = tuple(MoveAxis(id=f"s{k}", q=tuple(row.tolist()), speed="100%") for k, row in enumerate(rows))
    project.add_program(Program(name=f"swing_{mode}", robot=ROBOT, steps=steps))
    began = time.monotonic()
    # Nobody asks for it to be slow: that is how robots with an address are.
    project.robots.run(f"swing_{mode}", mode=mode, reduced=False)
    run = project.robots.wait_for_end(120.0)
    assert run.status == "done", run.message
    assert np.abs(observer.q() - q).max() < 0.01
    assert 0.1 < fastest_since(project, observer, began) < REDUCED_M_S
