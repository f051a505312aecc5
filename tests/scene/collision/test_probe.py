"""A probe remembers what was near and apart; it must answer as a world that remembers nothing."""

import numpy as np
import pytest
from cells import random_objects

from openpendant.scene import ArmProbe, Cell, CellRobot, CollisionWorld, Scene


@pytest.mark.parametrize("model", ["ur3e", "yumi"])
@pytest.mark.parametrize("step_rad", [0.05, 0.5])
def test_a_probe_answers_as_the_world_does_on_a_walk_in_small_steps_and_in_leaps(model, step_rad):
    rng = np.random.default_rng(3)
    cell = Cell(name="walk", robots=(CellRobot(name="r", model=model),), objects=random_objects(rng, 150))
    world = CollisionWorld(Scene(cell))
    key = next(iter(world.scene.arms))
    arm, probe = world.scene.arm(key), ArmProbe(world, key)
    q, touched, near = np.array(arm.q_start), 0, 0
    for _ in range(150):
        low, high = arm.kinematics.limits_lower, arm.kinematics.limits_upper
        q = np.clip(q + rng.normal(size=len(q)) * step_rad, low, high)
        Q = np.clip(q + np.linspace(0.0, 1.0, 4)[:, None] * rng.normal(size=len(q)) * 0.2, low, high)
        plain = world.touches_many(Q, key)
        assert probe.touching(Q) == (int(plain.argmax()) if plain.any() else -1)
        within = float(rng.choice([0.01, 0.05, 0.3]))
        known = world.distance({key: q}, within=within)
        found = probe.distance(q, within)
        assert np.isinf(found) == np.isinf(known.distance_m)
        if known.distance_m <= 0.0:
            assert found <= 0.0
        elif np.isfinite(found):
            assert found == pytest.approx(known.distance_m, abs=1e-8)
            assert known.margin_m == probe.pair[2]
        touched, near = touched + int(plain.any()), near + int(np.isfinite(found))
    assert 0 < touched < 150, touched
    assert near > 10
