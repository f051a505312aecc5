"""The reach outline of arms whose reach is known by hand."""

import numpy as np
import pytest

from openpendant.errors import InputError
from openpendant.kinematics import Chain
from openpendant.kinematics.reach.profile import reach_profile


def planar(*, lower: float, upper: float, first_slides: bool = False) -> Chain:
    """Axis 1 is vertical; two links of 0.4 m and 0.2 m swing in the plane through it."""
    T = np.tile(np.eye(4), (3, 1, 1))
    T[0, 2, 3] = 0.5
    T[2, 0, 3] = 0.4
    tip = np.eye(4)
    tip[0, 3] = 0.2
    return Chain(
        names=("turn", "lift", "bend"),
        order=np.arange(3),
        T_parent_joint=T,
        axis=np.array([[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [0.0, -1.0, 0.0]]),
        prismatic=np.array([first_slides, False, False]),
        T_last_flange=tip,
        lower=np.array([-np.pi, lower, -np.inf]),
        upper=np.array([np.pi, upper, np.inf]),
    )


def test_two_links_reach_a_ring_about_the_shoulder() -> None:
    profile, T_base_axis = reach_profile(planar(lower=-np.pi, upper=np.pi))
    np.testing.assert_allclose(T_base_axis[:3, 2], [0, 0, 1])
    distance = np.linalg.norm(profile, axis=1)
    off_axis = profile[:, 0] > 0.02
    assert distance.max() == pytest.approx(0.6, abs=0.01)
    assert distance.min() == pytest.approx(0.2, abs=0.01)
    # Away from the axis the border is either the outer or the inner circle.
    assert np.minimum(abs(distance - 0.6), abs(distance - 0.2))[off_axis].max() < 0.01


def test_limits_cut_the_reach() -> None:
    profile, _ = reach_profile(planar(lower=0.0, upper=0.5))
    # Lowest: upper arm level, forearm hanging; nearest to the axis: upper arm raised, forearm folded back.
    assert profile[:, 1].min() == pytest.approx(-0.2, abs=0.01)
    assert profile[:, 0].min() == pytest.approx(0.4 * np.cos(0.5) - 0.2, abs=0.01)
    assert profile[:, 0].max() == pytest.approx(0.6, abs=0.01)


def test_the_same_arm_has_the_same_outline() -> None:
    chain = planar(lower=-1.0, upper=1.0)
    np.testing.assert_array_equal(reach_profile(chain)[0], reach_profile(chain)[0])


def test_a_first_joint_that_slides_is_refused() -> None:
    with pytest.raises(InputError, match="first joint 'turn' slides"):
        reach_profile(planar(lower=-1.0, upper=1.0, first_slides=True))
