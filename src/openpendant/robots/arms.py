"""Builds the arms of a robot: chains and their frames, from the tree."""

import numpy as np
from numpy.typing import NDArray

from openpendant.kinematics import Arm, Attachment, Chain

from .conventions import Convention
from .facts import ArmFacts
from .tree import Edge, Tree

Array = NDArray[np.float64]


def build_arm(facts: ArmFacts, tree: Tree, convention: Convention) -> Arm:
    """Return the arm with every frame that its joints carry, named as the arm shows them."""
    chain = build_chain(facts, tree)
    bases = tree.rigid_with(facts.base)
    frames = {
        presented_name(facts, name): attachment
        for name in tree.nodes
        if (attachment := _attach(name, facts, tree, bases)) is not None
    }
    return Arm(
        facts.name,
        chain,
        base=facts.base,
        flange=presented_name(facts, facts.flange),
        frames=frames,
        bases={presented_name(facts, name): T for name, T in bases.items()},
        joint_titles=tuple(tree.edge(joint).title for joint in facts.joints),
        describe=convention.describer(chain),
        redundancy=facts.joints.index(facts.redundancy) if facts.redundancy else None,
    )


def presented_name(facts: ArmFacts, name: str) -> str:
    """Return the name under which the arm shows a link or frame of the robot."""
    for shown, meant in facts.presents.items():
        if meant == name:
            return shown
    return name


def build_chain(facts: ArmFacts, tree: Tree) -> Chain:
    """Return the chain from base to flange; fixed links in between are folded into the joints' frames."""
    path = tree.path(facts.base, facts.flange) or ()
    moving: list[Edge] = []
    T_parent_joint: list[Array] = []
    T = np.eye(4)
    for edge in path:
        T = T @ edge.T_parent_child
        if edge.moves:
            moving.append(edge)
            T_parent_joint.append(T)
            T = np.eye(4)
    by_name = {edge.name: edge for edge in moving}
    counted = [by_name[name] for name in facts.joints]
    return Chain(
        names=facts.joints,
        order=np.array([facts.joints.index(edge.name) for edge in moving], dtype=np.int64),
        T_parent_joint=np.array(T_parent_joint),
        axis=np.array([edge.axis for edge in moving]),
        prismatic=np.array([edge.kind == "prismatic" for edge in moving]),
        T_last_flange=T,
        lower=np.array([edge.lower for edge in counted]),
        upper=np.array([edge.upper for edge in counted]),
    )


def _attach(name: str, facts: ArmFacts, tree: Tree, bases: dict[str, Array]) -> Attachment | None:
    """Return where `name` sits on the chain, or None where it is not of this arm or moves by other joints."""
    if name in bases:
        return Attachment(-1, bases[name])
    path = tree.path(facts.base, name)
    flange_path = tree.path(facts.base, facts.flange) or ()
    if path is None:
        return None
    moving = [edge.name for edge in path if edge.moves]
    if moving != [edge.name for edge in flange_path if edge.moves][: len(moving)]:
        return None
    T = np.eye(4)
    for edge in path:
        T = np.eye(4) if edge.moves else T @ edge.T_parent_child
    return Attachment(len(moving) - 1, T)
