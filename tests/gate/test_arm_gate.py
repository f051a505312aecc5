"""Who may move an arm, with what, and how it comes to rest when not."""

import numpy as np
import pytest
from gating import DT, TICK_NS, stand, worst

from openpendant import robots
from openpendant.errors import InputError, UnknownNameError
from openpendant.gate import Allowed, Gate, Held, Setpoint, Space
from openpendant.kinematics import forward
from openpendant.motion import MoveJoint, plan

MS = 1_000_000


def moving(**more):
    """An arm in full motion after somebody's setpoints."""
    made = stand(**more)
    made.clutch_in()
    step = 0.004 * np.ones(6)
    for k in range(60):
        q = made.rows[0] + step * (k * k / 60.0 if k < 60 else 0)
        answer = made.setpoint(q, dead_man=True)
        assert isinstance(answer, Allowed)
    assert not made.gate.at_rest("arm")
    return made, q, step


def comes_to_rest(made, kind: str) -> None:
    held = made.gate.held("arm")
    assert held is not None
    assert held.kind == kind, held
    before = len(made.rows)
    answer = made.until_rest()
    assert isinstance(answer, Held)
    assert len(made.rows) > before + 3, "a controlled stop takes time"
    shares = worst(made.facts, made.rows)
    assert max(shares["velocity"], shares["acceleration"], shares["jerk"]) <= 1.0001, shares
    assert made.silence().q is None, "an arm at rest is sent nothing"


def test_nobody_moves_an_arm_before_a_clutch_in():
    made = stand()
    answer = made.setpoint(made.q)
    assert isinstance(answer, Held)
    assert (answer.kind, answer.q) == ("clutch", None)
    made.clutch_in()
    assert isinstance(made.setpoint(made.q + 1e-5), Allowed)


def test_only_the_holder_of_control_moves_the_arm():
    made, q, step = moving()
    answer = made.setpoint(q - 0.1, source="somebody")
    assert isinstance(answer, Held)
    assert (answer.kind, answer.latched) == ("lease", False)
    assert "hand has" in answer.reason
    assert isinstance(made.setpoint(q + step), Allowed), "a stranger does not disturb the holder"
    assert made.gate.clutch_in("somebody", "arm", made.q).kind == "lease"
    made.gate.grant("somebody")
    comes_to_rest(made, "lease")
    assert made.gate.clutch_in("somebody", "arm", made.q) is None


def test_control_that_is_taken_stops_the_arm():
    made, *_ = moving()
    made.gate.revoke("its owner has left")
    comes_to_rest(made, "lease")
    assert made.gate.clutch_in("hand", "arm", made.q).kind == "lease"


def test_anybody_may_stop():
    made, *_ = moving()
    made.gate.stop("the red button")
    comes_to_rest(made, "stop")
    assert "red button" in made.gate.held("arm").reason


def test_a_hold_latches_until_a_new_clutch_in_from_the_measured_pose():
    made, q, _ = moving()
    made.gate.stop()
    assert isinstance(made.setpoint(q), Held)
    assert made.gate.clutch_in("hand", "arm", made.q).kind == "stop", "not while it still moves"
    made.until_rest()
    assert isinstance(made.setpoint(q), Held)
    made.q = made.q + 0.01
    made.clutch_in()
    answer = made.setpoint(made.q)
    assert isinstance(answer, Allowed)
    assert np.abs(answer.q - made.q).max() < 1e-6


def test_letting_go_stops():
    made, *_ = moving()
    made.gate.release("somebody", "arm")
    assert made.gate.held("arm") is None
    made.gate.release("hand", "arm")
    comes_to_rest(made, "clutch")


def test_silence_stops():
    made, *_ = moving()
    made.silence(24)
    assert made.gate.held("arm") is None
    made.silence(4)
    comes_to_rest(made, "stale")


def test_a_burst_after_a_stall_is_old():
    made = stand(offset_ns=None)
    made.clutch_in()
    skew = 77_000_000_000
    for _ in range(100):
        made.setpoint(made.q, made.now_ns - skew)
    late = made.now_ns - skew
    made.silence(20)
    answer = made.setpoint(made.q, late + TICK_NS)
    assert isinstance(answer, Allowed), "80 ms are allowed"
    made.silence(45)
    assert made.gate.held("arm").kind == "stale"
    made.clutch_in()
    for k in range(40):
        answer = made.setpoint(made.q, late + (k + 10) * TICK_NS)
        assert isinstance(answer, Held), "they come quickly now, and are old all the same"
        assert answer.kind == "stale"


def test_a_clock_that_jumps_holds_and_is_learnt_anew():
    made = stand(offset_ns=None)
    made.clutch_in()
    for _ in range(100):
        made.setpoint(made.q)
    assert isinstance(made.setpoint(made.q, made.now_ns - 3600_000 * MS), Allowed), "an older sample is left out"
    assert isinstance(made.setpoint(made.q, made.now_ns + 3600_000 * MS), Allowed)
    made.silence(80)
    assert made.gate.held("arm").kind == "stale"
    for _ in range(3000):
        if made.gate.held("arm") is not None:
            made.clutch_in()
        answer = made.setpoint(made.q)
    assert isinstance(answer, Allowed)


def test_only_the_newest_counts():
    made = stand()
    made.clutch_in()
    target = made.q + 0.0005
    newest = made.now_ns + TICK_NS
    made.setpoint(target, newest)
    answer = made.setpoint(target - 0.1, newest - 1)
    assert isinstance(answer, Allowed)
    for _ in range(20):
        made.silence()
    assert np.abs(made.q - target).max() < 1e-9


def test_slow_sources_get_three_of_their_periods():
    made = stand()
    made.clutch_in()
    for _ in range(20):
        assert isinstance(made.setpoint(made.q), Allowed)
        made.silence(19)
    assert made.silence(30).kind is not None if isinstance(made.silence(), Held) else True
    made.silence(60)
    assert made.gate.held("arm").kind == "stale"


def test_the_dead_mans_button_stops():
    made, q, step = moving(dead_man=True)
    answer = made.setpoint(q + step, dead_man=False)
    assert isinstance(answer, Held)
    comes_to_rest(made, "dead-man")
    made.clutch_in()
    assert made.setpoint(made.q).kind == "dead-man", "a source without a button counts as one that is not held"


@pytest.mark.parametrize("bad", [np.full(6, np.nan), np.zeros(5), np.array([np.inf, 0, 0, 0, 0, 0]), "what", None])
def test_no_joints_stop(bad):
    made, *_ = moving()
    assert made.setpoint(bad).kind == "input"
    comes_to_rest(made, "input")


def test_a_jump_stops():
    made, q, _ = moving()
    answer = made.setpoint(q + 2.0)
    assert "away" in answer.reason
    comes_to_rest(made, "jump")


def test_a_robot_that_does_not_follow_is_held():
    made, q, _ = moving()
    made.now_ns += TICK_NS
    answer = made.gate.pass_setpoint(Setpoint("hand", "arm", q, made.now_ns), made.rows[0] - 1.0, made.now_ns)
    assert answer.kind == "following"
    made, q, _ = moving()
    made.now_ns += TICK_NS
    late = made.now_ns - 300 * MS
    answer = made.gate.pass_setpoint(Setpoint("hand", "arm", q, made.now_ns), made.q, made.now_ns, measured_ns=late)
    assert answer.kind == "robot"
    made, *_ = moving()
    assert made.gate.tick("arm", np.full(6, np.nan), made.now_ns + TICK_NS).kind == "robot"


def test_the_tool_stays_in_its_space():
    made = stand()
    p = (forward(made.facts.chain, made.q) @ made.facts.T_flange_tool)[:3, 3]
    space = Space(p - 0.1, p + 0.1, np.eye(4))
    made = stand(spaces=(space,))
    made.clutch_in()
    rng = np.random.default_rng(3)
    border = False
    for k in range(900):
        if k % 90 == 0:
            v = rng.normal(size=6)
        answer = made.setpoint(made.q + 0.1 * v)
        border |= isinstance(answer, Allowed) and "outside the allowed space" in answer.why
        T = forward(made.facts.chain, made.q) @ made.facts.T_flange_tool
        assert space.outside_m(T[:3, 3]) < 1e-3
    assert border


def test_a_tool_outside_its_space_may_come_back():
    made = stand()
    p = (forward(made.facts.chain, made.q) @ made.facts.T_flange_tool)[:3, 3]
    R = np.linalg.norm(p[:2])
    space = Space(np.array([-2.0, -2.0, -2.0]), np.array([2.0, 2.0, 2.0]), np.eye(4))
    turned = np.arctan2(p[1], p[0])
    assert R > 0.1
    space = Space(np.array([-2.0, p[1] + 0.02, -2.0]), np.array([2.0, 2.0, 2.0]), np.eye(4))
    made = stand(spaces=(space,))
    made.clutch_in()
    start = space.outside_m(p)
    for side in (1.0, -1.0):
        for _ in range(60):
            made.setpoint(made.q + side * 0.05 * np.eye(6)[0])
    T = forward(made.facts.chain, made.q) @ made.facts.T_flange_tool
    assert space.outside_m(T[:3, 3]) <= start + 1e-3
    assert turned == np.arctan2(p[1], p[0])


def tool_at(made, q) -> np.ndarray:
    return (forward(made.facts.chain, q) @ made.facts.T_flange_tool)[:3, 3]


def test_the_tool_stays_out_of_a_forbidden_space_and_may_cross_between_allowed_ones():
    made = stand()
    p, turned = tool_at(made, made.q), tool_at(made, made.q + np.array([0.6, 0, 0, 0, 0, 0]))
    half = np.full(3, 0.05)
    away = turned - p
    between = [p + share * away for share in np.linspace(0.0, 0.5, 6)]
    allowed = tuple(Space(np.array(at) - 0.12, np.array(at) + 0.12, np.eye(4)) for at in between)
    forbidden = Space(turned - half, turned + half, np.eye(4), "forbidden", "press")
    made = stand(spaces=(*allowed, forbidden))
    made.clutch_in()
    why = ""
    for _ in range(600):
        answer = made.setpoint(made.q + 0.08 * np.eye(6)[0])
        assert isinstance(answer, Allowed)
        why = answer.why or why
        at = tool_at(made, made.q)
        assert forbidden.outside_m(at) > -1e-3
        assert min(space.outside_m(at) for space in allowed) < 1e-3
    assert np.linalg.norm(tool_at(made, made.q) - p) > 0.1, "one box after the other is crossed"
    assert "space" in why


@pytest.mark.parametrize("kind", ["allowed", "forbidden"])
def test_a_path_that_leads_where_the_tool_may_not_be_is_held_before_it(kind: str):
    made = stand()
    end = made.q + np.array([1.0, 0, 0, 0, 0, 0])
    at = tool_at(made, made.q) if kind == "allowed" else tool_at(made, made.q + 0.5 * (end - made.q))
    space = Space(at - 0.05, at + 0.05, np.eye(4), kind, "press")
    made = stand(spaces=(space,))
    made.clutch_in()
    limits = made.facts.limits
    planned = plan(robots.load("ur3e").arm(), limits, made.q, [MoveJoint(end)])
    Q = planned.samples_at(np.arange(1, int(planned.duration / DT) + 2) * DT).q
    for k in range(len(Q)):
        answer = made.setpoint(Q[k], ahead=Q[k + 1 :])
        if isinstance(answer, Held):
            break
    assert isinstance(answer, Held)
    assert answer.kind == "space"
    assert kind in answer.reason
    made.until_rest()
    outside = [space.outside_m(tool_at(made, q)) for q in made.rows]
    assert (max(outside) if kind == "allowed" else -min(outside)) < 1e-3


def test_a_setpoint_is_as_old_as_the_sample_it_was_made_from():
    made = stand()
    made.clutch_in()
    sample = made.now_ns
    for _ in range(25):
        answer = made.setpoint(made.q + 0.001, intent_ns=sample)
        assert isinstance(answer, Allowed), "100 ms are allowed"
    answer = made.setpoint(made.q + 0.001, intent_ns=sample)
    assert isinstance(answer, Held)
    assert answer.kind == "stale"
    made.until_rest()
    made.clutch_in()
    answer = made.setpoint(made.q + 0.001, intent_ns=made.now_ns + 50 * MS)
    assert isinstance(answer, Held)
    assert "future" in answer.reason


def test_a_clutch_in_can_ask_for_the_dead_man_switch():
    made = stand()
    assert made.gate.clutch_in("hand", "arm", made.q, needs_dead_man=True) is None
    assert isinstance(made.setpoint(made.q + 0.001, dead_man=True), Allowed)
    assert made.setpoint(made.q + 0.001).kind == "dead-man"
    made.until_rest()
    made.clutch_in()
    assert isinstance(made.setpoint(made.q + 0.001), Allowed)


def test_an_arm_at_rest_may_be_less_far_away_than_one_that_moves():
    made = stand()
    made.clutch_in()
    made.gate.tick("arm", made.q + 0.04, made.now_ns + TICK_NS)
    assert made.gate.held("arm") is None
    made.gate.tick("arm", made.q + 0.06, made.now_ns + TICK_NS)
    assert made.gate.held("arm").kind == "following"
    made, *_ = moving()
    v = float(np.abs(made.rows[-1] - made.rows[-2]).max()) / DT
    made.gate.tick("arm", made.q - 0.1 * v, made.now_ns + TICK_NS)
    assert made.gate.held("arm") is None, "a servo that lags by 0.1 s"


def test_misuse_is_told():
    made = stand()
    with pytest.raises(UnknownNameError, match="no arm of this robot"):
        made.gate.tick("leg", made.q, 0)
    with pytest.raises(InputError):
        Gate({}, TICK_NS)
    with pytest.raises(InputError, match="two corners"):
        Space(np.ones(3), np.zeros(3), np.eye(4))
    with pytest.raises(InputError, match="tool speed"):
        stand(tool_speed_m_s=0.0)
    assert made.gate.clutch_in("hand", "arm", np.full(6, np.nan)).kind == "robot"
    assert made.gate.holder == "hand"
    made.gate.forget("hand")
    assert made.gate.holder is None
    assert DT > 0
