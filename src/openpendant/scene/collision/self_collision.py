"""Which links of a robot may touch: neighbours, and what its shapes let touch always."""

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from openpendant.digests import digest_files
from openpendant.documents import write_atomic
from openpendant.robots import Robot
from openpendant.scene.document import Cell, CellRobot
from openpendant.scene.placement import Scene
from openpendant.user_folders import cache_folder

from .kernels.contact_counts import count_touches, measure_gaps
from .tables import NO_RULES, LinkRules, SceneLayout, lay_out

SAMPLES = 3000
SEED = 20240501
ALWAYS = 0.98
"""Links that touch in so large a share of all configurations touch because their shapes are wide, not because the
robot would break."""
GAP_SAMPLES = 100
NEAR_M = 0.1
Why = Literal["neighbours", "always", "sometimes", "never"]


class LinkPair(msgspec.Struct, frozen=True):
    """Two links of a robot and how often they touch."""

    a: str
    b: str
    why: Why
    share: float
    """Of all sampled configurations in which they touch."""
    farthest_m: float
    """The greatest distance they had in a sample; 1e9 against links that do not move."""

    @property
    def ignored(self) -> bool:
        """Whether the pair is not checked.

        One that was never seen touching is checked too: a sample is not proof, and the check is cheap.
        """
        return self.why in ("neighbours", "always")

    @property
    def always_near(self) -> bool:
        """Whether they are near each other whatever the robot does, so that their distance is not worth reporting."""
        return self.farthest_m < NEAR_M


_known: dict[str, tuple[LinkPair, ...]] = {}


def link_rules(scene: Scene) -> LinkRules:
    """Return what holds for pairs of links of all robots of a cell."""
    pairs = [pair for name in scene.robots for pair in link_pairs(scene, name)]
    return LinkRules(
        frozenset(frozenset((pair.a, pair.b)) for pair in pairs if pair.ignored),
        frozenset(frozenset((pair.a, pair.b)) for pair in pairs if pair.always_near),
    )


def link_pairs(scene: Scene, name: str) -> tuple[LinkPair, ...]:
    """Return all pairs of links of a robot of a cell, with its tools, and whether they may touch.

    Found by sampling, deterministic, and kept in the cache under a digest of shapes and code.
    """
    item = next(robot for robot in scene.cell.robots if robot.name == name)
    tools = tuple(tool for tool in scene.cell.tools if tool.name in item.tools.values())
    # Where it stands and how it starts does not matter; its name is only put before the links.
    alone = Cell(name="alone", robots=(CellRobot(name="r", model=item.model, tools=item.tools),), tools=tools)
    layout = lay_out(Scene(alone, scene.folder), (), NO_RULES)
    key = _digest(layout)
    pairs = _known.get(key)
    if pairs is None:
        kept = cache_folder() / "link-pairs" / f"{item.model}-{key}.json"
        pairs = _read(kept)
        if pairs is None:
            pairs = _sampled(layout, scene.robots[item.name])
            kept.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(kept, msgspec.json.encode(pairs))
        _known[key] = pairs
    return tuple(msgspec.structs.replace(p, a=f"{item.name}/{p.a}", b=f"{item.name}/{p.b}") for p in pairs)


def _digest(layout: SceneLayout) -> str:
    digest = hashlib.sha256(_code().encode())
    for array in (*layout.tables, *_limits(layout)):
        digest.update(np.ascontiguousarray(array).tobytes())
    digest.update("\n".join((*layout.moving_owners, "", *layout.standing_owners)).encode())
    return digest.hexdigest()[:20]


@lru_cache(maxsize=1)
def _code() -> str:
    """Return a digest of what samples and judges: pairs that other code has found are not used."""
    own = Path(__file__)
    return digest_files((own, *sorted((own.parent / "kernels").glob("*.py"))))


def _read(path: Path) -> tuple[LinkPair, ...] | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=tuple[LinkPair, ...])
    except (OSError, msgspec.MsgspecError):
        return None


def _sampled(layout: SceneLayout, robot: Robot) -> tuple[LinkPair, ...]:
    tables = layout.tables
    movers, standers = layout.moving_owners, layout.standing_owners
    moving = np.zeros((len(movers), len(movers)), dtype=np.int64)
    standing = np.zeros((len(movers), len(standers)), dtype=np.int64)
    Q = _configurations(layout)
    count_touches(tables, Q, moving, standing)
    farthest = np.zeros((len(movers), len(movers)))
    measure_gaps(tables, Q[:GAP_SAMPLES], farthest)
    neighbours = _neighbours(layout, robot)
    rigid = {owner: (body.arm, body.joint) for body in layout.moving_bodies for owner in (body.owner,)}
    out: list[LinkPair] = []
    for i, a in enumerate(movers):
        out += [
            _judged(a, movers[j], int(moving[i, j] + moving[j, i]), neighbours, float(farthest[i, j]))
            for j in range(i + 1, len(movers))
            if rigid[a] != rigid[movers[j]]
        ]
        out += [_judged(a, b, int(standing[i, j]), neighbours, np.inf) for j, b in enumerate(standers)]
    return tuple(out)


def _judged(a: str, b: str, count: int, neighbours: set[frozenset[str]], farthest_m: float) -> LinkPair:
    share = count / SAMPLES
    a, b = a.split("/", 1)[1], b.split("/", 1)[1]
    if frozenset((a, b)) in neighbours:
        why: Why = "neighbours"
    elif share >= ALWAYS:
        why = "always"
    else:
        why = "sometimes" if count else "never"
    return LinkPair(a, b, why, share, min(farthest_m, 1e9))


def _limits(layout: SceneLayout) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return lower and upper limits of all joints; joints without limits have one turn."""
    lower = np.concatenate([np.zeros(0), *(arm.kinematics.limits_lower for arm in layout.arms)])
    upper = np.concatenate([np.zeros(0), *(arm.kinematics.limits_upper for arm in layout.arms)])
    return np.where(np.isfinite(lower), lower, -np.pi), np.where(np.isfinite(upper), upper, np.pi)


def _configurations(layout: SceneLayout) -> NDArray[np.float64]:
    """Return configurations spread evenly over the limits."""
    lower, upper = _limits(layout)
    return np.random.default_rng(SEED).uniform(lower, upper, (SAMPLES, len(lower)))


def _neighbours(layout: SceneLayout, robot: Robot) -> set[frozenset[str]]:
    """Return links that one joint connects, links without a body passed over."""
    solid = {body.owner.split("/", 1)[1] for body in (*layout.moving_bodies, *layout.standing_bodies)}
    found: set[frozenset[str]] = set()
    for edge in robot.tree.edges:
        if not edge.moves:
            continue
        parent: str = edge.parent
        while parent not in solid and (up := robot.tree.edge_to.get(parent)) is not None:
            parent = up.parent
        found.add(frozenset((edge.child, parent)))
    return found
