"""Configurations in the words of V+."""

from joint_sets import random_joints

from openpendant.robots import load


def test_vplus_words_mean_what_they_say() -> None:
    robot = load("rx90l")
    arm = robot.arm()
    for q in random_joints("rx90l", 200, 6):
        poses = arm.fk_all(q)
        shoulder, elbow, wrist = (poses[link][:3, 3] for link in ("link_2", "link_3", "link_5"))
        moved = q.copy()
        moved[1] += 1e-6
        raises = arm.fk_all(moved, check_limits=False)["link_5"][2, 3] > wrist[2]
        line = wrist - shoulder
        share = (elbow - shoulder) @ line / (line @ line)
        above = elbow[2] > (shoulder + share * line)[2]
        words = ["RIGHTY" if raises else "LEFTY", "ABOVE" if above else "BELOW", "FLIP" if q[4] < 0 else "NOFLIP"]
        assert robot.label(q) == " ".join(words)
