"""The profile of a move from rest to rest."""

import numpy as np
import pytest

from openpendant.motion.profile import profile


@pytest.mark.parametrize("velocity", [0.05, 0.3, 5.0])
@pytest.mark.parametrize("distance", [1e-6, 1e-4, 1e-2, 0.3, 4.0])
def test_a_profile_keeps_its_limits_and_one_is_always_reached(distance, velocity):
    acceleration, jerk = 2.0, 30.0
    breaks, law = profile(distance, velocity, acceleration, jerk)
    dt = np.diff(breaks)
    assert (dt > 0.0).all()
    end = np.array([row @ np.array([1.0, t, t**2, t**3]) for row, t in zip(law, dt, strict=True)])
    assert end[-1] == pytest.approx(distance, rel=1e-12)
    assert np.abs(end[:-1] - law[1:, 0]).max() < 1e-12
    assert law[:, 1].max() <= velocity * (1.0 + 1e-12)
    assert np.abs(2.0 * law[:, 2]).max() <= acceleration * (1.0 + 1e-9)
    assert np.abs(6.0 * law[:, 3]).max() == pytest.approx(jerk)
    ahead = law[-1, 1] + dt[-1] * (2.0 * law[-1, 2] + 3.0 * dt[-1] * law[-1, 3])
    assert abs(ahead) < 1e-9 * velocity
