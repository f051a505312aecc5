"""Checked paths pass as they are or not at all, and are left along themselves; and what stands near is not touched."""

import numpy as np
import pytest
from cells import box, pose, random_objects
from gating import DT, Stand, stand, worst
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from openpendant import robots
from openpendant.gate import Allowed, CellSurroundings, Gate, Held, Setpoint, facts_in_cell
from openpendant.motion import MoveJoint, Zone, joint_limits, plan
from openpendant.scene import Cell, CellRobot, CollisionWorld, Scene


def path_of(made: Stand, *targets) -> np.ndarray:
    robot = robots.load("ur3e")
    moves = [MoveJoint(np.array(target), zone=Zone(0.02)) for target in targets]
    planned = plan(robot.arm(), joint_limits(robot), made.q, moves)
    return planned.samples_at(np.arange(1, int(planned.duration / DT) + 2) * DT).q


def send(made: Stand, Q: np.ndarray, count: int | None = None) -> Allowed | Held:
    for k in range(len(Q) if count is None else count):
        answer = made.setpoint(Q[k], ahead=Q[k + 1 :])
        if isinstance(answer, Held):
            break
    return answer


def test_a_path_passes_exactly_and_is_left_along_itself():
    made = stand()
    made.clutch_in()
    Q = path_of(made, made.q + 0.8, made.q + np.array([0.2, 0.9, -0.5, 0.3, 0.1, 0.0]))
    assert isinstance(send(made, Q, len(Q) // 2), Allowed)
    assert np.abs(made.q - Q[len(Q) // 2 - 1]).max() == 0.0
    made.gate.stop()
    made.until_rest()
    rows = np.array(made.rows[-30:])
    off = max(np.abs(Q - row).max(axis=1).min() for row in rows)
    assert off < 0.007
    shares = worst(made.facts, made.rows)
    assert shares["acceleration"] <= 1.05
    assert shares["velocity"] <= 1.001
    assert np.abs(made.q - Q[len(Q) // 2 - 1]).max() > 0.01, "it did not stop dead"


def test_a_path_goes_on_over_a_late_tick():
    made = stand()
    made.clutch_in()
    Q = path_of(made, made.q + 0.5)
    send(made, Q, 40)
    assert np.abs(made.silence(3).q - Q[42]).max() == 0.0
    made.silence(60)
    assert made.gate.held("arm").kind == "stale"
    made.until_rest()
    assert max(np.abs(Q - row).max(axis=1).min() for row in made.rows[-60:]) < 0.007


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda Q: np.vstack([Q[:20], Q[20:] + 0.05]), "velocity|acceleration"),
        (lambda Q: Q[::3], "velocity|acceleration"),
        (lambda Q: np.vstack([Q[:20], np.full((1, 6), np.nan), Q[20:]]), "finite"),
    ],
)
def test_a_path_that_breaks_limits_is_not_begun_to_be_mended(spoil, says):
    made = stand()
    made.clutch_in()
    answer = send(made, spoil(path_of(made, made.q + 1.2)))
    assert isinstance(answer, Held)
    assert any(word in answer.reason for word in says.split("|"))
    made.until_rest()
    assert worst(made.facts, made.rows)["acceleration"] <= 1.15


def test_a_path_that_is_too_fast_for_reduced_speed_is_held():
    made = stand()
    made.gate.reduced = True
    made.clutch_in()
    answer = send(made, path_of(made, made.q + np.array([1.5, 0, 0, 0, 0, 0])))
    assert isinstance(answer, Held)
    assert "allowed: 230" in answer.reason
    made.until_rest()


def in_cell(objects, q=None, model="ur3e") -> tuple[Stand, CollisionWorld, str]:
    cell = Cell(name="c", robots=(CellRobot(name="r", model=model),), objects=objects)
    world = CollisionWorld(Scene(cell))
    key = world.arms[0]
    arm = world.scene.arm(key)
    made = Stand(facts_in_cell(world, key), arm.q_start if q is None else np.array(q), CellSurroundings(world, "r"))
    # One arm is enough here; the gate names it as the cell does.
    made.gate = Gate({arm.arm: made.facts}, 4_000_000, surroundings=made.surroundings)
    made.gate.grant("hand", clock_offset_ns=0)
    made.name = arm.arm
    return made, world, key


def at_wall() -> tuple[Stand, CollisionWorld, str]:
    """An arm that looks at a wall; leaning forward brings it there."""
    wall = box("wall", (0.1, 2.0, 2.0), pose(0.6, 0.0, 0.5))
    return in_cell((wall,), q=[0.0, -1.2, 1.0, -1.4, -1.57, 0.0])


def go(made: Stand, q, **more) -> Allowed | Held:
    made.now_ns += 4_000_000
    setpoint = Setpoint("hand", made.name, q, made.now_ns, **more)
    return made._took(made.gate.pass_setpoint(setpoint, made.q, made.now_ns))


@pytest.mark.parametrize("model", ["ur3e", "irb120", "rx90l", "yumi"])
@given(seed=st.integers(0, 2**16))
@settings(max_examples=3)
def test_nothing_is_touched_whatever_is_wanted(model: str, seed: int):
    rng = np.random.default_rng(seed)
    made, world, key = in_cell(random_objects(rng, 60), model=model)
    for _ in range(50):
        if world.collides({key: made.q}) is None:
            break
        made.q = np.clip(made.q + rng.normal(size=len(made.q)) * 0.4, made.facts.limits.lower, made.facts.limits.upper)
    assume(world.collides({key: made.q}) is None)  # Something may stand in the arm itself.
    assert made.gate.clutch_in("hand", made.name, made.q) is None
    near = False
    for k in range(400):
        if k % 80 == 0:
            v = rng.normal(size=len(made.q)) * made.facts.limits.velocity
        answer = go(made, made.q + np.clip(0.1 * v, -0.5, 0.5))
        assert isinstance(answer, Allowed), answer
        near |= "from" in answer.why or "touches" in answer.why
        touched = world.contacts({key: made.q})
        assert all(one.a.startswith("r/") and one.b.startswith("r/") and one.depth_m < 0.002 for one in touched)
    assert near


def test_a_wall_is_approached_and_left():
    made, world, key = at_wall()
    assert made.gate.clutch_in("hand", made.name, made.q) is None
    start = world.distance({key: made.q}).distance_m
    lift = np.array([0.0, 1.0, -0.9, 0.0, 0.0, 0.0])
    nearest = start
    for _ in range(500):
        answer = go(made, made.q + 0.06 * lift)
        nearest = min(nearest, world.distance({key: made.q}).distance_m)
    assert isinstance(answer, Allowed)
    assert answer.slowed
    assert "wall" in answer.why
    assert 0.0 < nearest < 0.02
    for _ in range(200):
        go(made, made.q - 0.06 * lift)
    assert world.distance({key: made.q}).distance_m > 0.1


def test_a_path_into_a_wall_is_held_before_it():
    made, world, _ = at_wall()
    assert made.gate.clutch_in("hand", made.name, made.q) is None
    Q = path_of(made, made.q + np.array([0.0, 0.8, -0.75, 0.0, 0.0, 0.0]))
    assert world.touches_many(Q).any()
    for k in range(len(Q)):
        answer = go(made, Q[k], ahead=Q[k + 1 :])
        if isinstance(answer, Held):
            break
    assert isinstance(answer, Held)
    assert answer.kind == "near"
    assert "wall" in answer.reason
    while not made.gate.at_rest(made.name):
        made.now_ns += 4_000_000
        made._took(made.gate.tick(made.name, made.q, made.now_ns))
    assert not world.touches_many(np.array(made.rows)).any()


def test_something_that_touches_already_may_be_left_slowly():
    made, world, key = at_wall()
    lift = np.array([0.0, 1.0, -0.9, 0.0, 0.0, 0.0])
    while world.collides({key: made.q}) is None:
        made.q = made.q + 0.002 * lift
    assert made.gate.clutch_in("hand", made.name, made.q) is None
    deep = made.q.copy()
    for _ in range(50):
        go(made, made.q + 0.05 * lift)
    assert np.abs(made.q - deep).max() < 0.002
    for _ in range(900):
        go(made, made.q - 0.05 * lift)
    assert world.collides({key: made.q}) is None
    assert world.distance({key: made.q}).distance_m > 0.05
