"""Through singularities, not around them; and out of them."""

import numpy as np
import pytest
from streams import Case, every_arm, singular_postures

from openpendant.messages import TwistIntent
from openpendant.servo import Servo, ServoSettings
from openpendant.spatial import matrix_from_rotation_vector, rotation_vector_from_matrix

DT = 0.004
ARMS = {case.name: case for case in every_arm()}
WAYS = [*np.eye(6), *-np.eye(6)]


def drive(servo: Servo, twist, seconds: float, start: int = 1):
    """Return setpoints, poses and reasons while a twist is wanted."""
    Q, T, why = [servo.q], [servo.T_world_tool], set()
    for tick in range(int(seconds / DT)):
        now = start + int(tick * DT * 1e9)
        linear, angular = (tuple(float(x) for x in part) for part in (twist[:3], twist[3:]))
        servo.accept(TwistIntent(source="t", stamp_ns=now, linear=linear, angular=angular), now)
        step = servo.step(now)
        Q.append(step.q)
        T.append(servo.T_world_tool)
        why |= set(step.why)
    return np.array(Q), np.array(T), why


def tilted_line(delta: float) -> tuple[Case, np.ndarray]:
    """Joints of an IRB 120, 80 mm above a wrist singularity that a vertical line passes at an angle of delta."""
    case = ARMS["irb120/arm"]
    q_middle = np.array([0.0, 0.5, 0.1, 0.0, 0.0, 0.0])
    T = case.arm.fk(q_middle)
    T[:3, :3] = matrix_from_rotation_vector(np.array([0.0, 0.0, delta])) @ T[:3, :3]
    T[2, 3] += 0.08
    return case, case.arm.ik(T, seed=q_middle + np.array([0, 0, 0, 0, 0.1, 0])).solutions[0].q


@pytest.mark.parametrize("delta", [0.05, 0.01, 0.001, 0.0])
def test_a_line_through_the_wrist_singularity_keeps_its_position(delta: float):
    case, q = tilted_line(delta)
    servo = Servo(case.arm, case.limits, DT)
    servo.reset(q)
    Q, T, _ = drive(servo, (0.0, 0.0, -0.25, 0.0, 0.0, 0.0), 0.9)
    assert T[0][2, 3] - T[-1][2, 3] > 0.16, "it did not pass through"
    assert np.linalg.norm(T[:, :2, 3] - T[0, :2, 3], axis=1).max() < 0.001
    turned = [np.linalg.norm(rotation_vector_from_matrix(X[:3, :3] @ T[0][:3, :3].T)) for X in T]
    assert max(turned) < 0.1
    assert turned[-1] < 0.02
    assert (np.abs(np.diff(Q, axis=0)) / DT / case.limits.velocity).max() < 0.7


def test_the_choice_what_gives_way_is_kept():
    case, q = tilted_line(0.05)
    errors = {}
    for keep in ("position", "rotation", "both"):
        servo = Servo(case.arm, case.limits, DT, settings=ServoSettings(keep=keep))
        servo.reset(q)
        _, T, _ = drive(servo, (0.0, 0.0, -0.25, 0.0, 0.0, 0.0), 0.9)
        aside = np.linalg.norm(T[:, :2, 3] - T[0, :2, 3], axis=1).max()
        turned = max(np.linalg.norm(rotation_vector_from_matrix(X[:3, :3] @ T[0][:3, :3].T)) for X in T)
        errors[keep] = aside, turned, T[0][2, 3] - T[-1][2, 3]
    assert errors["position"][0] < 0.001 < errors["rotation"][0]
    assert errors["rotation"][1] < 0.005 < errors["position"][1]
    assert errors["both"][2] < errors["position"][2], "strict slows down instead"


@pytest.mark.parametrize("name", [name for name in ARMS if not name.startswith("yumi/right")])
def test_no_singularity_holds_an_arm_that_can_move(name: str):
    """From the very middle of each singularity, each direction or its opposite is obeyed: nothing locks up."""
    case = ARMS[name]
    for kind, q in singular_postures(case).items():
        servo = Servo(case.arm, case.limits, DT)
        for twist in np.eye(6):
            best = 0.0
            for sign in (1.0, -1.0):
                servo.reset(q.clip(case.limits.lower, case.limits.upper))
                _, T, why = drive(servo, 0.2 * sign * twist, 1.2)
                way = sign * (T[-1][:3, 3] - T[0][:3, 3]) @ twist[:3]
                turn = sign * rotation_vector_from_matrix(T[-1][:3, :3] @ T[0][:3, :3].T) @ twist[3:]
                best = max(best, way + turn)
            if (name, kind) == ("ur3e/arm", "zero") and twist[3]:
                # Stretched out altogether: no motion of the joints that leaves the tool alone gives this back.
                assert why == {"singular"}
                continue
            assert best > 0.01, (kind, twist, why)


@pytest.mark.parametrize("name", list(ARMS))
def test_from_the_edge_of_reach_the_arm_comes_back(name: str):
    case = ARMS[name]
    servo = Servo(case.arm, case.limits, DT)
    for way in ((1.0, 0.0, 0.0), (0.0, 0.6, 0.8)):
        out = 0.5 * np.array([*way, 0.0, 0.0, 0.0])
        servo.reset(case.home)
        drive(servo, out, 4.0)
        there = servo.T_world_tool
        _, T, _ = drive(servo, -out, 1.0, start=5_000_000_000)
        assert (there[:3, 3] - T[-1][:3, 3]) @ np.array(way) > 0.1


def test_at_the_edge_of_reach_the_arm_rests_and_says_why():
    case = ARMS["ur3e/arm"]
    servo = Servo(case.arm, case.limits, DT)
    servo.reset(case.home)
    Q, _, why = drive(servo, (0.3, 0.0, 0.0, 0.0, 0.0, 0.0), 5.0)
    assert "at the edge of its reach" in why
    still = np.abs(np.diff(Q[-150:], 2, axis=0)) / DT**2 / case.limits.acceleration
    assert still.max() < 0.1, "it shakes"


@pytest.mark.parametrize("name", list(ARMS))
def test_away_from_singularities_the_tool_does_what_is_wanted(name: str):
    case = ARMS[name]
    servo = Servo(case.arm, case.limits, DT)
    servo.reset(case.home)
    _, T, why = drive(servo, (0.0, 0.08, 0.0, 0.0, 0.0, 0.0), 0.6)
    _, U, more = drive(servo, (0.0, -0.08, 0.0, 0.0, 0.0, 0.0), 0.6, start=1_000_000_000)
    if "singular" in why | more or "at the edge of its reach" in why | more:
        pytest.fail(f"{name} does not start in a regular posture: {why | more}")
    both = np.vstack([T, U])
    aside = np.linalg.norm((both[:, :3, 3] - T[0][:3, 3])[:, [0, 2]], axis=1)
    assert aside.max() < 0.0005
    assert max(np.linalg.norm(rotation_vector_from_matrix(X[:3, :3] @ T[0][:3, :3].T)) for X in both) < 0.005
    speed = np.diff(T[75:, 1, 3]) / DT
    assert speed == pytest.approx(np.full(len(speed), 0.08), abs=0.002)
