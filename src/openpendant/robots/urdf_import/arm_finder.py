"""Finds the arms in a URDF: chains of moving joints that end where a tool would be mounted."""

import re
from dataclasses import dataclass

from .model import UrdfJoint, UrdfModel

LONG = 4
"""A chain with this many joints is an arm; what branches off behind it is its hand."""
VERY_LONG = 6
"""Behind this many joints a last one that slides is a jaw."""
TIPS = ("tool0", "flange", "tcp", "tool_frame", "ee_link", "end_effector", "tool", "hand", "gripper", "ee")
"""What the mounting face is called, best first."""
BASES = ("base_link",)
SIDES = {"left": re.compile(r"(^|[_-])(left|l)([_-]|\d|$)"), "right": re.compile(r"(^|[_-])(right|r)([_-]|\d|$)")}


@dataclass(frozen=True)
class FoundArm:
    """A chain of the URDF that people would call an arm."""

    name: str
    base: str
    flange: str
    joints: tuple[str, ...]
    """From base to flange."""


def find_arms(model: UrdfModel) -> tuple[FoundArm, ...]:
    """Return the arms of a robot; none where nothing moves.

    Grippers are left out: joints that follow others, what branches behind a long chain, and a last
    joint that slides behind six others.
    """
    tree = _Branches(model)
    chains = list(dict.fromkeys(_shorten(chain) for chain in tree.chains(model.root, ())))
    chains = [one for one in chains if one and not any(one != other and one == other[: len(one)] for other in chains)]
    names = _name(chains)
    return tuple(
        FoundArm(name, tree.base(chain), tree.tip(chain[-1].child), tuple(joint.name for joint in chain))
        for name, chain in zip(names, chains, strict=True)
    )


Chain = tuple[UrdfJoint, ...]


class _Branches:
    """The joints below each link."""

    def __init__(self, model: UrdfModel) -> None:
        self.model = model
        self.below: dict[str, list[UrdfJoint]] = {}
        for joint in model.joints.values():
            self.below.setdefault(joint.parent, []).append(joint)

    def rigid(self, link: str) -> list[str]:
        """Return `link` and everything fixed to it, nearest first."""
        found = [link]
        for name in found:
            found.extend(joint.child for joint in self.below.get(name, ()) if joint.kind == "fixed")
        return found

    def chains(self, link: str, so_far: Chain) -> list[Chain]:
        """Return the longest chains of moving joints from `link` on, hands left out."""
        chains: list[Chain] = []
        waiting = [(link, so_far)]
        while waiting:
            at, chain = waiting.pop()
            moving = [joint for name in self.rigid(at) for joint in self.below.get(name, ()) if joint.kind != "fixed"]
            own = [joint for joint in moving if joint.mimic is None]
            hand = len(chain) >= LONG and len(moving) > 1
            if not own or hand:
                chains.append(chain)
                continue
            waiting.extend((joint.child, (*chain, joint)) for joint in reversed(own))
        return chains

    def tip(self, link: str) -> str:
        """Return the frame at which a tool would be mounted: by its name, else the last moving link itself."""
        names = self.rigid(link)
        for wanted in TIPS:
            for name in names:
                if wanted in re.split(r"[_.-]", name.lower()) or name.lower().endswith(wanted):
                    return name
        return link

    def base(self, chain: Chain) -> str:
        """Return `base_link` where the chain stands on it, else the root."""
        above = {joint.child: joint.parent for joint in self.model.joints.values()}
        name = chain[0].parent
        while name != self.model.root and name not in BASES:
            name = above[name]
        return name


def _shorten(chain: Chain) -> Chain:
    while len(chain) > VERY_LONG and chain[-1].kind == "prismatic":
        chain = chain[:-1]
    return chain


def _name(chains: list[Chain]) -> list[str]:
    if len(chains) == 1:
        return ["arm"]
    words = [" ".join(joint.name.lower() for joint in chain) for chain in chains]
    sided = [[side for side, pattern in SIDES.items() if all(map(pattern.search, word.split()))] for word in words]
    if len(chains) == 2 and sorted(sided) == [["left"], ["right"]]:
        return [sides[0] for sides in sided]
    return [f"arm_{number}" for number in range(1, len(chains) + 1)]
