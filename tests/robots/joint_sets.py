"""Random joints of robots of the catalogue."""

import numpy as np

from openpendant.robots import load


def random_joints(name: str, count: int, seed: int) -> np.ndarray:
    arm = load(name).arm()
    lower, upper = np.maximum(arm.limits_lower, -np.pi), np.minimum(arm.limits_upper, np.pi)
    return np.random.default_rng(seed).uniform(lower, upper, (count, 6))
