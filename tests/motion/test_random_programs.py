"""Properties of thousands of random programs: limits, zones, geometry, stops."""

import pickle
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from motion_programs import ARMS, T_TOOL, angle_between, arm_and_limits, planned, random_moves, worst_differences

from openpendant.motion import (
    Blocked,
    MoveArc,
    MoveJoint,
    MoveLine,
    Speed,
    Trajectory,
    corner_triangles,
    find_zone,
    plan,
    stop_along,
)
from openpendant.motion.pieces import arc_piece, line_piece

SEEDS = range(40)
CASES = [(name, seed) for name in ARMS for seed in SEEDS]
FEW = [(name, seed) for name in ARMS for seed in range(12)]


def check_limits(trajectory):
    assert max(trajectory.worst_ratios()) <= 1.0
    assert max(worst_differences(trajectory)) <= 1.0 + 1e-9
    samples = trajectory.sample(0.001)
    limits = trajectory.limits
    for value, limit in (
        (samples.qd, limits.velocity),
        (samples.qdd, limits.acceleration),
        (samples.qddd, limits.jerk),
    ):
        assert (np.abs(value) <= limit).all()
    assert (samples.q >= limits.lower).all()
    assert (samples.q <= limits.upper).all()


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_limits_are_never_exceeded(name, seed):
    check_limits(planned(name, seed)[1])


@pytest.mark.parametrize(("name", "seed"), [("irb120", 1820), ("irb120", 2120), ("rx90l", 1886), ("ur3e", 3323)])
def test_limits_hold_where_a_joint_turns_at_its_limit_or_cells_are_tiny(name, seed):
    check_limits(planned.__wrapped__(name, seed)[1])


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_it_starts_and_ends_exactly_at_rest(name, seed):
    arm, _, home = arm_and_limits(name)
    moves, trajectory = planned(name, seed)
    for t, q in ((0.0, home), (trajectory.duration, None)):
        at, qd, qdd = trajectory.at(t)
        assert np.abs(qd).max() < 1e-9
        assert np.abs(qdd).max() < 1e-6
        if q is not None:
            assert np.abs(at - q).max() < 1e-12
    last = moves[-1]
    if isinstance(last, MoveJoint):
        assert np.abs(trajectory.q_end - last.q_end).max() < 1e-12
    else:
        assert np.abs(arm.fk(trajectory.q_end) @ T_TOOL - last.T_end).max() < 1e-9


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_velocity_and_acceleration_are_continuous(name, seed):
    trajectory = planned(name, seed)[1]
    t = trajectory.breaks[1:-1]
    before, after = trajectory.samples_at(t - 1e-9), trajectory.samples_at(t + 1e-9)
    for name_, bound in (("q", 1e-7), ("qd", 1e-6), ("qdd", 1e-5)):
        assert np.abs(getattr(before, name_) - getattr(after, name_)).max() < bound
    inner = trajectory.knots[1:-1]
    place = np.array([trajectory.time_of(s) for s in inner[:: max(1, len(inner) // 50)]])
    before, after = trajectory.samples_at(place - 1e-8), trajectory.samples_at(place + 1e-8)
    assert np.abs(before.qdd - after.qdd).max() < 1e-3


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_it_rests_only_where_a_stop_was_asked_for(name, seed):
    moves, trajectory = planned(name, seed)
    asked = [0.0, trajectory.duration]
    asked += [span.end_s for span, move in zip(trajectory.spans, moves, strict=True) if move.zone.fine]
    asked += [corner.enter_s for corner in trajectory.corners if corner.space == "stop"]
    t = np.arange(0.0, trajectory.duration, 0.002)
    far = np.min(np.abs(t[:, None] - np.array(asked)), axis=1) > 0.03
    speed = np.abs(trajectory.samples_at(t[far]).qd).max(axis=1, initial=0.0)
    assert (speed > 1e-6).all()


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_asked_speeds_are_kept(name, seed):
    arm, limits, _ = arm_and_limits(name)
    moves, trajectory = planned(name, seed)
    samples = trajectory.sample(0.001)
    T = arm.fk(samples.q, check_limits=False) @ T_TOOL
    dt = np.diff(samples.t)
    way = np.linalg.norm(np.diff(T[:, :3, 3], axis=0), axis=1) / dt
    turn = angle_between(T[1:, :3, :3], T[:-1, :3, :3]) / dt
    for span, move in zip(trajectory.spans, moves, strict=True):
        inside = (samples.t[:-1] >= span.start_s) & (samples.t[1:] <= span.end_s)
        assert way[inside].max(initial=0.0) <= move.speed.tool_m_s * 1.001
        assert turn[inside].max(initial=0.0) <= move.speed.turn_rad_s * 1.001 + 1e-4
        part = np.abs(samples.qd[:-1][inside]) / limits.velocity
        assert part.max(initial=0.0) <= move.speed.joint_fraction * 1.001


def geometry(name, seed):
    """Yield for every move: the move, joints and poses at its start, and the tool's piece (None for joint moves)."""
    arm, _, home = arm_and_limits(name)
    moves, trajectory = planned(name, seed)
    q_nodes = {corner.move: corner.q_corner for corner in trajectory.corners}
    T_start, q_start = arm.fk(home) @ T_TOOL, home
    for index, (move, span) in enumerate(zip(moves, trajectory.spans, strict=True)):
        piece = None
        if isinstance(move, MoveLine):
            piece = line_piece(T_start, move.T_end)
        elif isinstance(move, MoveArc):
            piece = arc_piece(T_start, move.T_via, move.T_end, move.orientation)
        yield index, move, span, q_start, T_start, piece
        if isinstance(move, MoveJoint):
            q_start = move.q_end
            T_start = arm.fk(q_start) @ T_TOOL
        else:
            T_start = move.T_end
            q_start = q_nodes[index] if index in q_nodes else trajectory.at(span.end_s).q


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_outside_zones_the_tool_is_on_its_line(name, seed):
    arm, limits, _ = arm_and_limits(name)
    trajectory = planned(name, seed)[1]
    leave = 0.0
    for _, move, span, q_start, _, piece in geometry(name, seed):
        corner = span.corner
        end = span.end_s if corner is None else corner.enter_s
        t = np.linspace(max(leave, span.start_s), end, 60)
        leave = 0.0 if corner is None else corner.leave_s
        q = trajectory.samples_at(t).q
        if isinstance(move, MoveJoint):
            way = (move.q_end - q_start) / limits.velocity
            off = (q - q_start) / limits.velocity
            along = np.outer(off @ way / max(float(way @ way), 1e-18), way)
            assert np.abs(off - along).max() < 1e-8
        elif piece is not None:
            T = arm.fk(q, check_limits=False) @ T_TOOL
            grid = np.linspace(0.0, piece.length, 20001)
            on = piece.at(grid)
            apart = np.linalg.norm(T[:, None, :3, 3] - on[None, :, :3, 3], axis=2) if piece.way_m > 1e-4 else None
            if apart is not None:
                near = apart.argmin(axis=1)
                # Distance to the chord between the two nearest grid points.
                step = on[np.minimum(near + 1, len(grid) - 1), :3, 3] - on[np.maximum(near - 1, 0), :3, 3]
                step /= np.linalg.norm(step, axis=1, keepdims=True)
                gap = T[:, :3, 3] - on[near, :3, 3]
                gap -= step * np.einsum("ij,ij->i", gap, step)[:, None]
                assert np.linalg.norm(gap, axis=1).max() < 1e-6
                assert angle_between(T[:, :3, :3], on[near, :3, :3]).max() < 1e-6 + 2.0 * piece.turn_rad / 20000


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_corners_stay_inside_their_zone(name, seed):
    arm, _, _ = arm_and_limits(name)
    moves, trajectory = planned(name, seed)
    for corner in trajectory.corners:
        if corner.space == "stop":
            continue
        zone = moves[corner.move].zone
        q = trajectory.samples_at(np.linspace(corner.enter_s, corner.leave_s, 60)).q
        T = arm.fk(q, check_limits=False) @ T_TOOL
        T_corner = arm.fk(corner.q_corner) @ T_TOOL
        assert np.linalg.norm(T[:, :3, 3] - T_corner[:3, 3], axis=1).max() <= zone.radius_m + 1e-6
        assert angle_between(T[:, :3, :3], T_corner[None, :3, :3]).max() <= zone.turn + 1e-5
        assert corner.reached_m <= zone.radius_m + 1e-9
        assert np.abs(trajectory.at(corner.enter_s).q - corner.q_enter).max() < 1e-6
        assert np.abs(trajectory.at(corner.leave_s).q - corner.q_leave).max() < 1e-6


@pytest.mark.parametrize(("name", "seed"), FEW)
def test_a_stop_stays_on_the_path_and_keeps_the_limits(name, seed):
    trajectory = planned(name, seed)[1]
    rng = np.random.default_rng(seed)
    for t in rng.uniform(0.0, trajectory.duration, 6):
        stop = stop_along(trajectory, float(t))
        q = stop.samples_at(np.arange(0.0, stop.duration + 0.004, 0.001)).q
        hardest = np.abs(np.diff(q, n=2, axis=0)).max(axis=0) / 0.001**2 if len(q) > 2 else np.zeros(1)
        if (hardest <= 1.001 * trajectory.limits.acceleration).all():
            check_limits(stop)
        else:
            assert (hardest <= 1.01 * trajectory.limits.stop.deceleration).all(), "no gentle stop: the shortest one"
        for mine, theirs in list(zip(stop.at(0.0), trajectory.at(float(t)), strict=True))[:2]:
            assert np.abs(mine - theirs).max() < 1e-7
        assert np.abs(stop.at(stop.duration).qd).max() < 1e-6
        place = np.array([stop.place_at(x) for x in np.linspace(0.0, stop.duration, 20)])
        assert (np.diff(place) >= -1e-12).all()
        assert stop.duration <= min(trajectory.duration - t, 1.0) + 1e-9
        same = trajectory.samples_at(np.array([trajectory.time_of(s) for s in place])).q
        assert np.abs(stop.samples_at(np.linspace(0.0, stop.duration, 20)).q - same).max() < 1e-6


@pytest.mark.parametrize(("name", "seed"), FEW)
def test_more_speed_never_takes_longer(name, seed):
    arm, limits, home = arm_and_limits(name)
    durations = []
    for mm_s in (30.0, 120.0, 500.0, 2000.0):
        moves = random_moves(np.random.default_rng(seed), arm, home, 4, Speed.from_mm_s(mm_s))
        found = plan(arm, limits, home, moves, T_TOOL)
        durations.append(found.duration if isinstance(found, Trajectory) else 0.0)
    # The search for the fastest law ends within half a per cent.
    assert all(faster <= slower * 1.005 for slower, faster in pairwise(durations))


@pytest.mark.parametrize(("name", "seed"), FEW)
def test_a_zone_is_never_slower_than_a_stop(name, seed):
    arm, limits, home = arm_and_limits(name)
    moves = [replace(move, zone=find_zone("fine")) for move in planned(name, seed)[0]]
    stops = plan(arm, limits, home, moves, T_TOOL)
    assert isinstance(stops, Trajectory)
    for zone in ("z0", "z1", "z5", "z10", "z50"):
        rounded = plan(arm, limits, home, [replace(move, zone=find_zone(zone)) for move in moves], T_TOOL)
        assert isinstance(rounded, Trajectory)
        assert rounded.duration <= stops.duration
        check_limits(rounded)


@pytest.mark.parametrize(("name", "seed"), FEW)
def test_triangles_hold_the_corner(name, seed):
    arm, _, _ = arm_and_limits(name)
    trajectory = planned(name, seed)[1]
    corners = {corner.move: corner for corner in trajectory.corners}
    for triangle in corner_triangles(arm, trajectory, T_TOOL):
        corner = corners[triangle.move]
        rows, columns, _ = triangle.Q.shape
        assert (rows, columns) == (5, 13)
        for row in triangle.Q:
            assert np.abs(row[0] - corner.q_enter).max() < 1e-6
            assert np.abs(row[-1] - corner.q_leave).max() < 1e-6
        assert np.abs(triangle.Q[0, columns // 2] - corner.q_corner).max() < 1e-6


def test_a_trajectory_survives_pickling():
    _, trajectory = planned("ur3e", 1)
    copy = pickle.loads(pickle.dumps(trajectory))
    assert copy.duration == trajectory.duration
    assert np.array_equal(copy.sample(0.01).q, trajectory.sample(0.01).q)


def test_slowing_down_scales_time_only():
    _, trajectory = planned("irb120", 2)
    slow = trajectory.slow_down(0.25)
    assert slow.duration == pytest.approx(4.0 * trajectory.duration)
    t = np.linspace(0.0, trajectory.duration, 50)
    assert np.abs(slow.samples_at(4.0 * t).q - trajectory.samples_at(t).q).max() < 1e-9
    assert np.abs(4.0 * slow.samples_at(4.0 * t).qd - trajectory.samples_at(t).qd).max() < 1e-9
    assert slow.spans[0].end_s == pytest.approx(4.0 * trajectory.spans[0].end_s)


@pytest.mark.soak
@pytest.mark.parametrize("name", ARMS)
def test_limits_are_never_exceeded_by_two_thousand_more(name):
    for seed in range(1000, 3000):
        check_limits(planned.__wrapped__(name, seed)[1])


def test_blocked_programs_occur_among_the_random_ones():
    arm, limits, home = arm_and_limits("irb120")
    found = [plan(arm, limits, home, random_moves(np.random.default_rng(s), arm, home, 12), T_TOOL) for s in range(12)]
    assert any(isinstance(one, Blocked) for one in found)
