"""What control programs of the maker's newest client library are written with: each construct by itself."""

import pytest
from ur_brain import make_brain, run, words

from openpendant.virtual.ur import ErrorCode, RuntimeException

WORDS = {
    "defaults of parameters": (
        """
        def retry(host, attempts=5, dt=0.2):
          textmsg(host, attempts * dt)
        end
        retry("a")
        retry("b", 2)
        retry("c", dt=1)
        """,
        ["a1", "b0.4", "c5"],
    ),
    "conditions over lines": (
        """
        kind = 9
        if kind == 3 or
          kind == 9 or
          kind == 10:
          textmsg("circle")
        # A comment between branches.
        elif kind == 4:
          textmsg("other")
        end
        """,
        ["circle"],
    ),
    "lists times numbers, from both sides": (
        """
        a = [1, 2, 3, 4, 5, 6]
        t = 2.0
        textmsg((-3 * a + a * 3 - a * 2 * t) / pow(t, 2))
        textmsg(0.5 * (20.0 * a - a * 18))
        """,
        ["[-1, -2, -3, -4, -5, -6]", "[1, 2, 3, 4, 5, 6]"],
    ),
    "texts of anything": (
        """
        q = [1.5, 2]
        textmsg("calling(",
          str_cat(True, str_cat(", ",
            str_cat(to_str(q), str_cat(q, ")")))))
        """,
        ["calling(True, [1.5, 2][1.5, 2])"],
    ),
    "a remainder of seconds": (
        """
        count = 2500
        if count * get_steptime() % 5.0 == 0:
          textmsg(norm(-0.5) / get_steptime())
        end
        """,
        ["250"],
    ),
    "one thread at a time": (
        """
        worker = 0
        busy = False
        thread clear():
          sync()
          busy = False
        end
        def request():
          if not busy:
            busy = True
            worker = run clear()
          end
        end
        def finish():
          join worker
          worker = 0
        end
        finish()
        request()
        request()
        finish()
        kill worker
        textmsg(busy)
        """,
        ["False"],
    ),
    "a number as a condition": (
        """
        near = get_target_joint_positions()
        given = 1.0
        if given:
          q = get_inverse_kin(get_target_tcp_pose(), near)
          textmsg(norm(q - near) < 0.001)
        end
        """,
        ["True"],
    ),
    "a window that nobody waits for": (
        """
        popup(str_cat("speed ", 1), title="External", blocking=False, warning=True)
        popup("no", error = True, blocking = False)
        textmsg("on")
        """,
        ["on"],
    ),
    "joints for a process move, a circle by joints and a pose": (
        """
        here = get_target_tcp_pose()
        movep(get_inverse_kin(pose_add(here, p[0, 0, 0.01, 0, 0, 0])), a = 1.2, v = 0.1, r = 0.0)
        via = get_inverse_kin(pose_add(here, p[0.01, 0, 0.01, 0, 0, 0]))
        movec(via, here, 1.2, 0.1, 0, 0)
        textmsg(point_dist(get_target_tcp_pose(), here) < 0.001)
        """,
        ["True"],
    ),
    "an external sensor": ("ft_rtde_input_enable(True, 1.0, [0, 0, 0], [0, 0, 0])\ntextmsg(1)", ["1"]),
}


@pytest.mark.parametrize("version", [(5, 11, 5, 0), (5, 25, 0, 0)], ids=["5.11", "5.25"])
@pytest.mark.parametrize("name", WORDS)
def test_it_runs(name: str, version: tuple[int, int, int, int]):
    text, expected = WORDS[name]
    told = run(make_brain(version=version), text)
    assert words(told) == expected
    assert not [one for one in told if isinstance(one, ErrorCode | RuntimeException)]
