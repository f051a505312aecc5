"""Every documented function runs, is accepted and reported, or is refused with its reason; the page says which."""

import numpy as np
import pytest
from ur_brain import READY, Tracer, failure, make_brain, run, start, tick, until, words
from urscript_functions import PAGE, newest_functions, page

from openpendant.dialects.urscript import REQUIRED, catalogue
from openpendant.errors import InputError
from openpendant.protocols.rtde import VARIABLES
from openpendant.protocols.ur_primary import ToolCommunicationInfo
from openpendant.virtual.ur import (
    MODELS,
    ClosedSockets,
    ErrorCode,
    Note,
    RuntimeException,
    RuntimeState,
    SafetyMode,
    UrController,
)
from openpendant.virtual.ur.builtins.without_effect import ACCEPTED, REFUSED
from openpendant.virtual.ur.setup import UrSetup, brain_maker
from openpendant.virtual.ur.versions import FUNCTIONS_SINCE, VARIABLES_SINCE, parse_version

NEWEST = parse_version("5.25")


def call_of(name: str) -> str:
    """Return a call with as many arguments as the function must have."""
    return f"{name}({', '.join('0' for one in catalogue()[name] if one.default is REQUIRED)})"


def test_the_page_is_what_the_code_does():
    assert PAGE.read_text() == page(), "run python tools/urscript_functions.py"


def test_no_documented_function_is_missing():
    known = set(newest_functions()) | {"sync"}
    assert set(catalogue()) <= known
    assert not set(ACCEPTED) & set(REFUSED)
    assert "| missing |" not in PAGE.read_text()


@pytest.fixture(scope="module")
def newest() -> UrController:
    return make_brain(version=NEWEST)


@pytest.mark.parametrize("name", sorted(ACCEPTED))
def test_an_accepted_call_is_reported_once(newest: UrController, name: str):
    call = call_of(name)
    told = run(newest, f"{call}\n{call}")
    assert [one.text.partition(" ")[0] for one in told if isinstance(one, Note)] == [name]
    assert ACCEPTED[name] in next(one.text for one in told if isinstance(one, Note))
    assert words(told) == []


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_a_refused_call_says_why_and_one_that_is_not_made_does_not_matter(newest: UrController, name: str):
    call = call_of(name)
    assert failure(newest, call) == f"Runtime error: {name} is refused by a virtual controller: {REFUSED[name]}"
    run(newest, f"if False:\n  {call}\nend")


@pytest.mark.parametrize("name", sorted(FUNCTIONS_SINCE))
def test_a_function_exists_from_its_version_on(name: str):
    first = FUNCTIONS_SINCE[name]
    before = make_brain(version=(first[0], first[1] - 1, 0, 0))
    assert name not in before.functions
    assert name in make_brain(version=(*first, 0, 0)).functions
    before.run_script(f"def late():\n  {call_of(name)}\nend\n")
    told = next(one for one in before.messages() if isinstance(one, RuntimeException))
    assert (told.line, told.column, told.key) == (2, 3, f"compile_error_name_not_found:{name}:")


def test_versions_say_what_they_are():
    brain = make_brain(version=parse_version("5.22.1"))
    assert brain.dashboard("PolyscopeVersion") == "URSoftware 5.22.1.0 (date unknown)"
    assert (brain.version.major, brain.version.minor, brain.version.bugfix) == (5, 22, 1)
    assert parse_version("5.11") == parse_version("5.11.5") == (5, 11, 5, 1010327)
    assert parse_version("5.12.3.77") == (5, 12, 3, 77)
    assert make_brain(version=NEWEST).lacking_variables == frozenset()
    assert brain.lacking_variables == set(VARIABLES_SINCE)
    assert set(VARIABLES_SINCE) <= set(VARIABLES)
    for wrong in ("5", "5.10", "5.26", "10.8", "5.x", "", "5.11.5.1.1"):
        with pytest.raises(InputError, match=r"5\.11 to 5\.25"):
            parse_version(wrong)


def test_a_setup_takes_the_version_and_refuses_one_that_is_not_known():
    made = brain_maker(UrSetup(polyscope="5.22"))
    assert made(ClosedSockets()).dashboard("version") == "5.22.0.0"
    with pytest.raises(InputError, match=r"5\.26.*5\.11 to 5\.25"):
        UrSetup(polyscope="5.26").check()


def test_joint_positions_are_where_the_program_has_commanded_the_joints():
    brain = make_brain()
    told = run(brain, "speedj([0.5, 0, 0, 0, 0, 0], 0.25, 0.5)\nq = get_joint_positions()\ntextmsg(q[0])")
    # A trapezoid of velocity: a·t²/2 from rest, whatever the drives lag behind.
    assert float(words(told)[0]) - READY[0] == pytest.approx(0.25 * 0.5**2 / 2, abs=1e-9)


def test_the_tools_serial_line_is_told_on_the_primary_interface():
    brain = make_brain()
    run(brain, "set_tool_voltage(24)\nset_tool_communication(True, 9600, 2, 1, 1.5, 3.5)")
    told = next(one for one in brain.primary_state() if isinstance(one, ToolCommunicationInfo))
    assert (told.enabled, told.baud_rate, told.parity, told.stop_bits) == (True, 9600, 2, 1)
    assert (told.rx_idle_chars, told.tx_idle_chars) == (1.5, 3.5)
    assert "9600" in failure(brain, "set_tool_communication(True, 9601, 0, 1, 1.5, 3.5)")
    assert "1 to 40" in failure(brain, "set_tool_communication(True, 9600, 0, 1, 0.5, 3.5)")


def test_a_jacobian_is_the_change_of_the_pose_and_its_derivative_that_of_the_jacobian():
    brain = make_brain()
    run(brain, "set_tcp(p[0.02, 0, 0.1, 0.1, 0, 0])")
    told = run(
        brain,
        f"""
        q = {list(READY)}
        qd = [0.3, -0.2, 0.5, 0.1, 0, 0.7]
        J = get_jacobian(q)
        a = get_forward_kin(q)
        b = get_forward_kin(q + qd * 0.000001)
        v = J * qd
        textmsg(point_dist(a, b) / 0.000001 - norm([v[0], v[1], v[2]]))
        D = get_jacobian_time_derivative(q, qd)
        textmsg(norm(((get_jacobian(q + qd * 0.0001) * qd - get_jacobian(q - qd * 0.0001) * qd) / 0.0002) - D * qd))
        """,
    )
    assert [float(one) for one in words(told)] == pytest.approx([0.0, 0.0], abs=1e-5)


def test_the_arm_can_be_put_somewhere_while_it_rests():
    brain = make_brain()
    run(brain, "set_pos([0.1, -1.2, 1.3, -1.4, -1.5, 0.2])\ntextmsg(get_actual_joint_positions())")
    assert brain.read("target_q") == pytest.approx([0.1, -1.2, 1.3, -1.4, -1.5, 0.2], abs=1e-9)
    assert "set_pos" in failure(brain, "set_pos([0, 9, 0, 0, 0, 0])")


@pytest.mark.parametrize(("move", "share"), [("optimovej", 0.2), ("optimovej", 1.0), ("optimovel", 0.1)])
def test_an_optimized_move_takes_its_part_of_what_the_joints_can_do(move: str, share: float):
    brain = make_brain(version=NEWEST)
    goal = (
        "[1.5, -1.6, 1.4, -1.2, -1.2, 0.8]"
        if move == "optimovej"
        else "pose_add(get_target_tcp_pose(), p[0, 0.3, 0, 0, 0, 0])"
    )
    start(brain, f"{move}({goal}, a=0.5, v={share})")
    trace = Tracer(brain)
    trace.until_stopped()
    velocity, _, _ = trace.derivatives()
    part = (velocity / np.array(MODELS["ur3e"].velocity)).max()
    assert 0.5 * share < part <= share + 1e-6


@pytest.mark.parametrize("move", ["optimovej", "optimovel"])
def test_optimized_moves_take_joints_and_poses_and_blend(move: str):
    brain = make_brain(version=NEWEST)
    goal = np.add(READY, [0.2, 0.1, -0.1, 0.0, 0.1, 0.1]).tolist()
    run(brain, f"{move}({goal}, v=1, a=1)")
    assert brain.read("target_q") == pytest.approx(goal, abs=1e-6)
    pose = brain.read("target_TCP_pose")
    run(brain, f"movej({list(READY)})\n{move}(p{list(pose)}, a=1, v=1)")
    assert brain.read("target_TCP_pose") == pytest.approx(pose, abs=1e-6)
    start(brain, f"{move}({list(READY)}, a=1, v=0.5, r=0.02)\n{move}({goal}, a=1, v=0.5)")
    until(brain, lambda: brain.read("runtime_state") == RuntimeState.STOPPED)
    assert brain.read("target_q") == pytest.approx(goal, abs=1e-6)
    assert "at most 1" in failure(brain, f"{move}({goal}, a=1.4, v=1)")
    assert "at most 1" in failure(brain, f"{move}({goal}, a=0.5, v=0)")


@pytest.mark.parametrize(("joint", "limit_rad_s"), [(0, 3.3416), (5, 6.4832)])
def test_joint_speeds_are_supervised_where_the_safety_system_does_it(joint: int, limit_rad_s: float):
    """180 °/s is what a joint has, 191 °/s what a safety file allows: 3.3416 rad/s; of a wrist 360 and 371 °/s."""

    def turn(speed: float) -> str:
        qd = [0.0] * 6
        qd[joint] = speed
        return f"speedj({qd}, 30, 0.3)"

    brain = make_brain(start_q=(-1.0, -1.57, 0.0, 0.0, 0.0, 0.0), tool_speed_m_s=10.0)
    run(brain, f"{turn(limit_rad_s - 1e-4)}\nstopj(30)")
    assert brain.read("safety_mode") == SafetyMode.NORMAL
    start(brain, turn(limit_rad_s + 1e-4))
    tick(brain, 3)
    assert brain.read("safety_mode") == SafetyMode.PROTECTIVE_STOP


def test_the_speed_slider_stretches_the_time_of_a_velocity_and_not_its_way():
    ways: list[float] = []
    for slider in (1.0, 0.25):
        brain = make_brain()
        brain.set_speed_slider(slider)
        tick(brain, 400)
        began = brain.ticks
        run(brain, "speedj([0.4, 0, 0, 0, 0, 0], 40, 0.5)\nstopj(40)")
        assert brain.ticks - began == pytest.approx(250 / slider, abs=30)
        ways.append(brain.read("target_q")[0] - READY[0])
    assert ways[1] == pytest.approx(ways[0], abs=0.004)


def test_a_program_may_compute_for_long_between_two_motions():
    brain = make_brain()
    told = run(
        brain,
        """
        thread idle():
          while True:
            sync()
          end
        end
        run idle()
        movej([0.1, -1.4, 1.7, -1.9, -1.57, 0])
        n = 0
        while n < 100000:
          n = n + 1
        end
        textmsg(n)
        """,
    )
    assert words(told) == ["100000"]
    assert not [one for one in told if isinstance(one, ErrorCode)]
