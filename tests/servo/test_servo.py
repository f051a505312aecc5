"""Intents: frames, scale, locks, clutch, hands, joints, staleness, stops, nonsense."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from streams import every_arm

from openpendant.errors import InputError, UnknownNameError
from openpendant.messages import JointIntent, Pose, PoseIntent, TwistIntent
from openpendant.motion import JointLimits, assumed_stop
from openpendant.servo import Servo, ServoSettings
from openpendant.spatial import make_transform, matrix_from_rpy, quaternion_from_matrix, rotation_vector_from_matrix

DT = 0.004
CASE = next(case for case in every_arm() if case.name == "irb120/arm")
T_WORLD_BASE = make_transform(matrix_from_rpy(0.0, 0.0, math.pi / 2), (1.0, 2.0, 0.3))
R_VIEW = matrix_from_rpy(0.3, -0.2, 1.0)
VIEW = tuple(float(x) for x in quaternion_from_matrix(R_VIEW))
STILL = Pose(xyz=(0.0, 0.0, 0.0), wxyz=(1.0, 0.0, 0.0, 0.0))


def servo(**changes) -> Servo:
    made = Servo(CASE.arm, CASE.limits, DT, **changes)
    made.reset(CASE.home)
    return made


def run(made: Servo, make, seconds: float, start: float = 0.0, period: float = DT):
    """Return poses and setpoints while `make(time)` gives an intent every period."""
    T, Q, due = [made.T_world_tool], [made.q], start
    for tick in range(round(seconds / DT)):
        t = start + tick * DT
        now = 1 + round(t * 1e9)
        if make is not None and t >= due - 1e-9:
            made.accept(make(t, now), now)
            due += period
        Q.append(made.step(now).q)
        T.append(made.T_world_tool)
    return np.array(T), np.array(Q)


@pytest.mark.parametrize("frame", ["world", "base", "tool", "view"])
def test_a_twist_is_meant_in_its_frame(frame: str):
    made = servo(T_world_base=T_WORLD_BASE)
    R = {"world": np.eye(3), "base": T_WORLD_BASE[:3, :3], "tool": made.T_world_tool[:3, :3], "view": R_VIEW}[frame]
    T, _ = run(
        made,
        lambda _, now: TwistIntent(source="a", stamp_ns=now, linear=(0.05, 0.0, 0.0), frame=frame, view=VIEW),
        0.5,
    )
    way = T[-1][:3, 3] - T[0][:3, 3]
    assert way / np.linalg.norm(way) == pytest.approx(R[:, 0], abs=1e-3)
    made.reset(CASE.home)
    T, _ = run(
        made,
        lambda _, now: TwistIntent(
            source="a", stamp_ns=now, linear=(0, 0, 0), angular=(0.0, 0.0, 0.3), frame=frame, view=VIEW
        ),
        0.5,
    )
    turned = rotation_vector_from_matrix(T[-1][:3, :3] @ T[0][:3, :3].T)
    assert turned / np.linalg.norm(turned) == pytest.approx(R[:, 2], abs=1e-3)
    assert T[-1][:3, 3] == pytest.approx(T[0][:3, 3], abs=3e-4), "about the tool's own point"


def test_scale_and_locks():
    made = servo()
    T, _ = run(
        made,
        lambda _, now: TwistIntent(
            source="a", stamp_ns=now, linear=(0.1, 0.1, 0.1), angular=(0.0, 0.2, 0.0), scale=0.5, locked=("x", "ry")
        ),
        0.8,
    )
    way = T[-1][:3, 3] - T[0][:3, 3]
    assert way == pytest.approx([0.0, way[2], way[2]], abs=3e-4)
    assert 0.03 < way[2] < 0.04
    assert np.linalg.norm(rotation_vector_from_matrix(T[-1][:3, :3] @ T[0][:3, :3].T)) < 2e-3


def hand(t: float) -> np.ndarray:
    return np.array([0.05 * math.sin(2.0 * t), 0.08 * math.sin(1.3 * t), 0.03 * math.sin(3.1 * t)])


def test_a_noisy_hand_at_30_hz_becomes_smooth():
    rng = np.random.default_rng(3)

    def sample(t: float, now: int) -> PoseIntent:
        x, y, z = (float(v) for v in hand(t) + rng.normal(size=3) * 0.001)
        return PoseIntent(source="hand", stamp_ns=now, pose=Pose(xyz=(x, y, z), wxyz=(1.0, 0.0, 0.0, 0.0)))

    made = servo()
    T, Q = run(made, sample, 4.0, period=1 / 30)
    start = T[0][:3, 3]
    wanted = np.array([hand(k * DT) for k in range(len(T))])
    made_way = T[:, :3, 3] - start
    # The clutch closes on a noisy sample: by so much the whole way is shifted.
    error = made_way[200:] - wanted[200:]
    error -= error.mean(axis=0)
    assert np.sqrt(np.mean(np.sum(error**2, axis=1))) < 0.004
    rate = np.gradient(wanted, DT, axis=0)[200:]
    assert abs(np.sum(error * rate) / np.sum(rate**2)) < 0.03, "it lags behind, or runs ahead"
    speed = np.linalg.norm(np.diff(T[:, :3, 3], axis=0), axis=1) / DT
    steps = np.abs(np.diff(speed[200:])) / DT
    assert np.median(steps) < 1.0, "the samples show in the speed"
    jerk = np.abs(np.diff(Q[200:], 3, axis=0)) / DT**3 / CASE.limits.jerk
    assert jerk.mean() < 0.2


def test_the_clutch_closes_opens_and_changes_without_a_jump():
    made = servo()
    far = (3.0, -2.0, 5.0)

    def sample(offset: float, clutch: bool = True, scale: float = 1.0, frame: str = "base"):
        def make(_: float, now: int) -> PoseIntent:
            pose = Pose(xyz=(far[0] + offset, far[1], far[2]), wxyz=(1.0, 0.0, 0.0, 0.0))
            return PoseIntent(source="hand", stamp_ns=now, pose=pose, clutch=clutch, scale=scale, frame=frame)

        return make

    T, _ = run(made, sample(0.0), 0.5, 0.0)
    assert T[-1] == pytest.approx(T[0], abs=1e-6)
    T, _ = run(made, sample(0.04), 0.8, 0.5)
    assert T[-1][0, 3] - T[0][0, 3] == pytest.approx(0.04, abs=1e-3)
    for changed in (sample(0.04, scale=3.0), sample(0.04, scale=0.1, frame="tool")):
        T, _ = run(made, changed, 0.4, 2.0)
        assert T[-1] == pytest.approx(T[0], abs=1e-3), (
            "what changes the meaning of the hand's way must not move the tool"
        )
    run(made, sample(0.04, clutch=False), 0.3, 3.0)
    T, _ = run(made, sample(0.5, clutch=False), 0.3, 4.0)
    assert not made.moving
    T, _ = run(made, sample(0.5), 0.5, 5.0)
    assert T[-1] == pytest.approx(T[0], abs=1e-6)


def test_an_absolute_pose_is_reached_and_locked_axes_stay():
    made = servo(T_world_base=T_WORLD_BASE)
    T_goal = made.T_world_tool
    T_goal[:3, 3] += (0.05, -0.04, 0.06)
    T_goal[:3, :3] = matrix_from_rpy(0.1, 0.2, -0.1) @ T_goal[:3, :3]
    w, i, j, k = (float(x) for x in quaternion_from_matrix(T_goal[:3, :3]))
    pose = Pose(xyz=tuple(float(x) for x in T_goal[:3, 3]), wxyz=(w, i, j, k))
    T, _ = run(
        made,
        lambda _, now: PoseIntent(source="p", stamp_ns=now, pose=pose, relative=False, frame="world", locked=("z",)),
        2.0,
    )
    assert T[-1][:2, 3] == pytest.approx(T_goal[:2, 3], abs=2e-4)
    assert T[-1][2, 3] == pytest.approx(T[0][2, 3], abs=2e-4)
    assert T[-1][:3, :3] == pytest.approx(T_goal[:3, :3], abs=2e-3)


@pytest.mark.parametrize("scale", [0.05, 0.1, 0.3])
def test_an_absolute_pose_is_gone_to_at_a_share_of_the_speed(scale: float):
    made = servo(settings=ServoSettings(tool_speed=0.5))
    start = made.T_world_tool
    wxyz = tuple(float(x) for x in quaternion_from_matrix(start[:3, :3]))
    pose = Pose(xyz=tuple((start[:3, 3] + (0.0, 0.06, -0.06)).tolist()), wxyz=wxyz)

    def go(_, now: int) -> PoseIntent:
        return PoseIntent(source="p", stamp_ns=now, pose=pose, relative=False, frame="world", scale=scale)

    T, _ = run(made, go, 1.0 + 0.1 / (0.5 * scale))
    fastest = np.linalg.norm(np.diff(T[:, :3, 3], axis=0), axis=1).max() / DT
    assert 0.6 * scale * 0.5 < fastest < 1.2 * scale * 0.5
    assert T[-1][:3, 3] == pytest.approx(np.array(pose.xyz), abs=1e-3)


def test_joints_jog_and_go_to_a_target():
    made = servo()
    _, Q = run(made, lambda _, now: JointIntent(source="j", stamp_ns=now, velocity=(0.5, 0, 0, 0, 0, -1.0)), 1.0)
    assert (Q[-1] - Q[-2]) / DT == pytest.approx([0.5, 0, 0, 0, 0, -1.0], abs=1e-9)
    target = tuple(float(x) for x in CASE.home + np.array([0.3, -0.2, 0.1, 0.5, -0.4, 1.0]))
    _, Q = run(made, lambda _, now: JointIntent(source="j", stamp_ns=now, target=target), 3.0, 1.0)
    assert Q[-1] == pytest.approx(target, abs=1e-4)
    for joint in range(6):
        beyond = np.sign(target[joint] - Q[250, joint]) * (Q[250:, joint] - target[joint])
        assert beyond.max() < 0.05


@pytest.mark.parametrize("kind", ["twist", "pose", "joints"])
def test_a_stale_intent_ends_in_a_stop(kind: str):
    made = servo()

    def make(t: float, now: int):
        if kind == "twist":
            return TwistIntent(source="a", stamp_ns=now, linear=(0.0, 0.3, 0.0))
        if kind == "pose":
            return PoseIntent(source="a", stamp_ns=now, pose=Pose(xyz=(0.0, 0.3 * t, 0.0), wxyz=(1.0, 0.0, 0.0, 0.0)))
        return JointIntent(source="a", stamp_ns=now, velocity=(1.0, 0, 0, 0, 0, 0))

    run(made, make, 0.6)
    assert made.moving
    run(made, None, 0.7, 0.6)
    step = made.step(2_000_000_000)
    assert not step.moving
    assert "stale" in step.why
    assert not made.accept(make(1.0, 1_000_000_000), 2_000_000_000), "old news"
    T, _ = run(made, make, 0.3, 3.0)
    assert np.abs(np.diff(T[:, 1, 3])).max() < 0.3 * DT * 2.0, "going on does not jump"


def test_stop_holds_until_the_clutch_was_let_go():
    made = servo()
    go = lambda _, now: TwistIntent(source="a", stamp_ns=now, linear=(0.0, 0.3, 0.0))  # noqa: E731
    run(made, go, 0.5)
    made.stop()
    run(made, go, 0.6, 0.5)
    assert not made.moving
    assert made.step(1_200_000_000).why == ("stopped",)
    run(made, lambda _, now: TwistIntent(source="a", stamp_ns=now, linear=(0, 0, 0), clutch=False), 0.1, 1.5)
    run(made, go, 0.2, 1.7)
    assert made.moving


def test_only_who_holds_the_arm_lets_go():
    made = servo()
    run(made, lambda _, now: TwistIntent(source="a", stamp_ns=now, linear=(0.0, 0.1, 0.0)), 0.3)
    assert not made.accept(TwistIntent(source="b", stamp_ns=300_000_000, linear=(0, 0, 0), clutch=False), 300_000_000)
    assert made.accept(TwistIntent(source="a", stamp_ns=300_000_000, linear=(0, 0, 0), clutch=False), 300_000_000)


NAN = math.nan
NONSENSE = [
    TwistIntent(source="a", stamp_ns=1, linear=(NAN, 0.0, 0.0)),
    TwistIntent(source="a", stamp_ns=1, linear=(0.0, 0.0, 0.0), angular=(math.inf, 0.0, 0.0)),
    TwistIntent(source="a", stamp_ns=1, linear=(0.0, 0.0, 0.0), scale=-1.0),
    TwistIntent(source="a", stamp_ns=1, linear=(0.0, 0.0, 0.0), frame="view", view=(0.0, 0.0, 0.0, 0.0)),
    TwistIntent(source="a", stamp_ns=1, linear=(0.0, 0.0, 0.0), frame="moon"),
    TwistIntent(source="a", stamp_ns=1, linear=(0.0, 0.0, 0.0), locked=("q",)),
    TwistIntent(source="a", stamp_ns=1, linear=(0.0, 0.0, 0.0), arm="left"),
    PoseIntent(source="a", stamp_ns=1, pose=Pose(xyz=(0.0, 0.0, 0.0), wxyz=(2.0, 0.0, 0.0, 0.0))),
    PoseIntent(source="a", stamp_ns=1, pose=STILL, relative=False, frame="tool"),
    JointIntent(source="a", stamp_ns=1),
    JointIntent(source="a", stamp_ns=1, velocity=(0.0,) * 6, target=(0.0,) * 6),
    JointIntent(source="a", stamp_ns=1, velocity=(0.0,) * 7),
    JointIntent(source="a", stamp_ns=1, target=(100.0,) * 6),
]


@pytest.mark.parametrize("intent", NONSENSE, ids=lambda i: str(i)[:80])
def test_nonsense_is_refused_and_changes_nothing(intent):
    made = servo()
    with pytest.raises(InputError):
        made.accept(intent, 1)
    assert not made.step(1).moving


def test_bad_set_up_is_refused():
    with pytest.raises(InputError, match="dt"):
        Servo(CASE.arm, CASE.limits, 0.0)
    with pytest.raises(InputError, match="jerk"):
        Servo(CASE.arm, CASE.limits.scaled(jerk=math.inf), DT)
    one = np.ones(1)
    with pytest.raises(InputError, match="joints"):
        Servo(CASE.arm, JointLimits(-one, one, one, one, one, assumed_stop(one)), DT)
    with pytest.raises(InputError, match="keep"):
        ServoSettings(keep="nothing")
    with pytest.raises(InputError, match="stale_s"):
        ServoSettings(stale_s=NAN)
    with pytest.raises(InputError, match="q is"):
        servo().reset([NAN] * 6)
    with pytest.raises(UnknownNameError):
        servo().accept(JointIntent(source="a", stamp_ns=1, velocity=(0.0,) * 6, arm="left"), 1)


@settings(max_examples=60)
@given(
    st.lists(st.floats(-1e6, 1e6), min_size=6, max_size=6),
    st.sampled_from(["world", "base", "tool", "view"]),
    st.floats(0.0, 1e3),
)
def test_absurd_but_finite_wishes_are_obeyed_as_far_as_one_can(values: list[float], frame: str, scale: float):
    made = servo()
    x, y, z, a, b, c = values
    made.accept(
        TwistIntent(source="f", stamp_ns=1, linear=(x, y, z), angular=(a, b, c), frame=frame, scale=scale, view=VIEW), 1
    )
    for tick in range(20):
        step = made.step(1 + tick * 4_000_000)
        assert np.isfinite(step.q).all()
        assert (np.abs(step.qd) <= CASE.limits.velocity).all()
