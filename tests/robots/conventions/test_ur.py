"""Configurations of Universal Robots arms."""

import numpy as np

from openpendant.kinematics import forward_all
from openpendant.robots import load


def test_ur_words_mean_what_they_say() -> None:
    robot = load("ur3e")
    arm = robot.arm()
    checked = 0
    for position in np.random.default_rng(7).uniform((0.15, -0.3, 0.1), (0.35, 0.3, 0.4), (60, 3)):
        T = np.diag((1.0, -1.0, -1.0, 1.0))
        T[:3, 3] = position
        for solution in arm.ik(T).solutions:
            poses = forward_all(arm.chain, solution.q)
            shoulder, elbow, wrist_1, wrist_2, wrist_3 = (poses[i][:3, 3] for i in (1, 2, 3, 4, 5))
            axis = poses[1][:3, 2]  # of the shoulder: the arm's plane is set off along it
            towards = np.array([*wrist_3[:2], 0])
            left = np.cross((0, 0, 1), towards)
            side = np.sign((wrist_1 - shoulder) @ axis) * axis @ left
            line = wrist_1 - shoulder
            line -= (line @ axis) * axis
            share = (elbow - shoulder) @ line / (line @ line)
            above = elbow[2] > (shoulder + share * line)[2]
            out = np.hypot(*(wrist_2 - (wrist_2 @ axis) * axis)[:2]) > np.hypot(
                *(wrist_1 - (wrist_1 @ axis) * axis)[:2]
            )
            words = dict(word.split() for word in solution.label.split(", "))
            assert words["shoulder"] == ("left" if side > 0 else "right")
            reach = line @ towards
            if reach > 0.05 * np.linalg.norm(towards):
                # Said for an arm that reaches out to its wrist; folded over its own base it is the mirror image.
                assert words["elbow"] == ("up" if above else "down")
                assert words["wrist"] == ("out" if out else "in")
                checked += 1
    assert checked > 100
