"""Robots and arms cross between processes and serve many threads at once; files go where they can be written."""

import multiprocessing
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from openpendant.errors import InputError
from openpendant.kinematics import Arm
from openpendant.robots import Robot, import_urdf, load, names
from openpendant.user_folders import cache_folder, user_robots_folder

ARMS = [(name, arm) for name in names() for arm in load(name).arms]
BOX = '<robot name="box"><link name="a"><visual><geometry><box size="1 1 1"/></geometry></visual></link></robot>'


@pytest.mark.parametrize("name", names())
def test_a_robot_pickles(name: str) -> None:
    robot = load(name)
    back = pickle.loads(pickle.dumps(robot))
    assert isinstance(back, Robot)
    assert back.facts == robot.facts
    assert (back.folder, back.imported) == (robot.folder, robot.imported)
    assert list(back.arms) == list(robot.arms)


@pytest.mark.parametrize(("name", "arm_name"), ARMS)
def test_an_arm_pickles_and_answers_alike(name: str, arm_name: str) -> None:
    robot = load(name)
    arm, q = robot.arm(arm_name), robot.posture(arm=arm_name)
    back = pickle.loads(pickle.dumps(arm))
    assert isinstance(back, Arm)
    assert set(back.frames) == set(arm.frames)
    for base in arm.bases:
        for frame in arm.frames:
            np.testing.assert_array_equal(back.fk(q, frame, base), arm.fk(q, frame, base))
    ours, theirs = (one.ik(arm.fk(q), seed=q) for one in (arm, back))
    assert [solution.label for solution in theirs.solutions] == [solution.label for solution in ours.solutions]
    assert pickle.loads(pickle.dumps(ours)).solutions[0].label == ours.solutions[0].label
    assert not back.chain.lower.flags.writeable


def solve(arm: Arm, q: np.ndarray) -> list[list[float]]:
    return [solution.q.tolist() for solution in arm.ik(arm.fk(q), seed=q).solutions]


def test_a_process_of_its_own_solves_with_the_arm_it_was_sent() -> None:
    robot = load("irb120")
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = pool.submit(solve, robot.arm(), robot.posture()).result(timeout=120)
    assert found == solve(robot.arm(), robot.posture())


@pytest.mark.parametrize(("name", "arm_name"), ARMS)
def test_threads_do_not_disturb_each_other(name: str, arm_name: str) -> None:
    """The kernels let go of Python's lock, so a buffer that calls share would show here."""
    arm = load(name).arm(arm_name)
    low, high = np.maximum(arm.limits_lower, -3.0), np.minimum(arm.limits_upper, 3.0)
    joints = np.random.default_rng(9).uniform(low, high, (24, arm.dof))

    def work(q: np.ndarray) -> tuple[object, ...]:
        T = arm.fk(q)
        far = T.copy()
        far[:3, 3] += 3.0
        Q, mask = arm.ik_array(np.broadcast_to(T, (20, 4, 4)), q)
        answer = arm.ik(far, seed=q).unreachable
        assert answer is not None
        return Q[mask].tolist(), solve(arm, q), arm.jacobian(q).tolist(), answer.q_nearest.tolist()

    alone = [work(q) for q in joints]
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(work, joints)) == alone


def test_a_home_that_cannot_be_written_costs_the_cache_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("OPENPENDANT_HOME", str(tmp_path / "file" / "home"))
    monkeypatch.delenv("OPENPENDANT_CACHE")
    assert "ur3e" in names()
    folder = cache_folder()
    assert folder.is_dir()
    assert folder == cache_folder()
    urdf = tmp_path / "box.urdf"
    urdf.write_text(BOX, encoding="utf-8")
    with pytest.raises(InputError, match=r"cannot write .*: Not a directory"):
        import_urdf(urdf)


def test_the_cache_is_in_the_home_or_where_it_is_said_to_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENPENDANT_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("OPENPENDANT_CACHE")
    assert cache_folder() == tmp_path / "home" / "cache"
    monkeypatch.setenv("OPENPENDANT_CACHE", str(tmp_path / "shared"))
    assert cache_folder() == tmp_path / "shared"
    assert (tmp_path / "shared").is_dir()
    assert user_robots_folder() == tmp_path / "home" / "data" / "robots"
    (tmp_path / "file").touch()
    monkeypatch.setenv("OPENPENDANT_CACHE", str(tmp_path / "file" / "cache"))
    assert tmp_path not in cache_folder().parents


def test_the_makeshift_cache_goes_with_its_process(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    script = "from openpendant.user_folders import cache_folder; print(cache_folder())"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={"OPENPENDANT_HOME": str(tmp_path / "file" / "home"), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(done.stdout.strip()).parent == tmp_path
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]
