"""A motion that begins in contact only gets out of it, at 20 mm/s: by path, by jog and by velocity law, every arm."""

from functools import cache

import numpy as np
import pytest
from loop_bench import ME, Bench, box, cell_of
from measuring import EACH_ARM, Measured

from openpendant.kinematics import jacobian
from openpendant.messages import JointIntent, bus
from openpendant.scene import CollisionWorld, Scene

CREEP_M_S = 0.02
GROWS_M = 0.0005
"""By so much an overlap may grow while the arm brakes from 20 mm/s."""
SIZE = (0.15, 0.15, 0.1)


@cache
def block(model: str, arm: str) -> tuple[tuple[float, float, float], tuple[float, ...], tuple[float, ...]]:
    """Where a block stands under the tool, joints above it, and joints a few millimetres in it."""
    scene = Scene(cell_of(model))
    placed = next(one for one in scene.arms.values() if one.arm == arm)
    q, chain = placed.q_start, placed.kinematics.chain
    T = placed.T_world_base @ placed.kinematics.fk(q) @ placed.T_flange_tcp
    down = jacobian(chain, q)[:3].T @ (placed.T_world_base[:3, :3].T @ np.array([0.0, 0.0, -1.0]))
    way = down / np.abs(down).max()
    x, y, z = T[:3, 3].tolist()
    at = (x, y, z - 0.03 - SIZE[2] / 2.0)
    world = CollisionWorld(Scene(cell_of(model, box("block", SIZE, at))))
    for k in range(1, 400):
        deep = q + 0.002 * k * way
        touched = [one.depth_m for one in world.contacts({placed.key: deep}) if "block" in (one.a, one.b)]
        if touched and max(touched) > 0.003:
            return at, tuple(q.tolist()), tuple(deep.tolist())
    raise AssertionError("the block is not reached")


def in_contact(model: str, arm: str) -> tuple[Bench, Measured, np.ndarray, np.ndarray]:
    """An arm that is in a block; also joints above it, and the direction that leads deeper."""
    at, above, deep = block(model, arm)
    bench = Bench(model, box("block", SIZE, at), arm=arm, start={arm: deep})
    bench.take()
    assert depth(bench, bench.q) > 0.002
    away = np.array(deep) - np.array(above)
    return bench, Measured(bench), np.array(above), away / np.abs(away).max()


def depth(bench: Bench, q: np.ndarray) -> float:
    return max((d for what, d in bench.nearby.around.depths(bench.arm, q).items() if "block" in what), default=0.0)


def never_deeper(bench: Bench) -> bool:
    first = depth(bench, bench.Q[0])
    return all(depth(bench, q) <= first + GROWS_M for q in bench.Q[:: max(1, len(bench.Q) // 100)])


def creeps(bench: Bench, measured: Measured) -> bool:
    """Whether it was slow from its start until nothing touched any more."""
    touches = bench.nearby.around.touches
    out = next((k for k, q in enumerate(bench.Q) if not touches(bench.arm, q[None, :])), len(bench.Q) - 1)
    assert out > 5, "it was not in contact"
    return measured.fastest_of(np.array(bench.Q[: out + 1])) <= CREEP_M_S


@EACH_ARM
def test_a_path_deeper_is_held(model: str, arm: str) -> None:
    bench, measured, _, deeper = in_contact(model, arm)
    assert bench.follow(bench.path(bench.q + 0.15 * deeper)) == bus.Accepted()
    assert bench.until("held", "done", "failed", most=4000) == "held"
    assert "touches" in bench.drive.reason
    assert never_deeper(bench)
    assert creeps(bench, measured)


@EACH_ARM
def test_a_path_out_of_it_is_slow_until_it_is_out(model: str, arm: str) -> None:
    bench, measured, above, _ = in_contact(model, arm)
    assert bench.follow(bench.path(above)) == bus.Accepted()
    assert bench.until("done", "held", "failed", most=10_000) == "done", bench.drive.reason
    assert creeps(bench, measured)
    assert never_deeper(bench)
    assert measured.fastest() > 2.0 * CREEP_M_S, "out of it, it is as fast as ever"


@EACH_ARM
@pytest.mark.parametrize("how", ["jog", "law"])
def test_neither_a_jog_nor_a_law_gets_deeper(model: str, arm: str, how: str) -> None:
    bench, measured, _, deeper = in_contact(model, arm)
    if how == "law":
        q = tuple((bench.q + 0.15 * deeper).tolist())
        law = bus.Approach(holder=ME, job="law", arm=arm, q=q, gain=2.0, exponent=0.6, tolerance_rad=0.002)
        assert bench.ask(law) == bus.Accepted()
        bench.ticks(250)
    else:
        assert bench.ask(bus.EngageArm(holder=ME, job="hand", arm=arm, stops=bench.loop.stops)) == bus.Accepted()
        v = tuple((0.5 * deeper).tolist())
        for _ in range(60):
            bench.loop.intend(JointIntent(source=ME, stamp_ns=bench.now, arm=arm, velocity=v), bench.now)
            bench.ticks(4)
    assert never_deeper(bench)
    assert creeps(bench, measured)
