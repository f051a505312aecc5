"""`python warm_programs.py MODEL`: run programs of every kind, and say which kernels had to be loaded for them.

A separate process, since what one test has loaded is there for all that follow.
"""

import sys

from ur_brain import make_brain, run, tick

from openpendant.jit import loaded_kernels

PROGRAMS = (
    "set_tcp(p[0, 0, 0.1, 0, 0, 0.5])\nset_payload(1.0, [0, 0, 0.02])\nset_gravity([0, 0, 9.82])",
    """
    a = get_target_tcp_pose()
    b = pose_trans(get_actual_tcp_pose(), pose_inv(a))
    c = interpolate_pose(a, pose_add(a, b), 0.5)
    d = get_inverse_kin(a)
    e = get_forward_kin(d, p[0, 0, 0.1, 0, 0, 0])
    f = wrench_trans(a, get_tcp_force())
    g = rpy2rotvec(rotvec2rpy([0, 0, 1]))
    h = is_within_safety_limits(a) and get_inverse_kin_has_solution(a)
    """,
    "movej([0, -1.3, 1.7, -1.9, -1.5, 0.1])\nmovej(pose_trans(get_target_tcp_pose(), p[0, 0, -0.02, 0, 0, 0]))",
    """
    a = get_target_tcp_pose()
    movel(pose_trans(a, p[0, 0, -0.02, 0, 0, 0]), r=0.005)
    movep(pose_trans(a, p[0.02, 0, -0.02, 0, 0, 0]), r=0.005)
    movec(pose_trans(a, p[0.01, 0.01, 0, 0, 0, 0]), a)
    """,
    "speedj([0.1, 0, 0, 0, 0, 0], 1, 0.1)\nstopj(2)",
    "speedl([0, 0, 0.01, 0, 0, 0], 1, 0.1)\nstopl(2)",
    "servoc(pose_trans(get_target_tcp_pose(), p[0, 0, -0.01, 0, 0, 0]))\nstopl(2)",
    "servoj(get_actual_joint_positions(), t=0.1)\nstopj(2)",
    "force_mode(get_target_tcp_pose(), [0, 0, 1, 0, 0, 0], [0, 0, 5, 0, 0, 0], 2, [1, 1, 1, 1, 1, 1])\nsleep(0.1)",
    "freedrive_mode([1, 0, 1, 0, 0, 0], p[0, 0, 0, 0, 0, 0.1])\nsleep(0.1)",
)


def main(model: str) -> None:
    """Print one kernel a line."""
    brain = make_brain(model=model)
    before = loaded_kernels()
    tick(brain, 200)
    for program in PROGRAMS:
        run(brain, program)
    sys.stdout.write("\n".join(name for name, count in loaded_kernels().items() if count != before.get(name)))


if __name__ == "__main__":
    main(sys.argv[1])
