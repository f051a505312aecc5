"""Probed: one thing that was found out about an address before anything is connected to it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Probed:
    """What is at an address, or what is wrong with it, in the words of the robot's maker."""

    code: str
    """What it is, for tests and programs; each maker has its own."""
    value: str
    """What the controller said, or which address or port it is about."""
    message: str
    """One sentence for a person: what it is and what to do; from `openpendant.said.say` where it has translations."""
    fine: bool = False
    """False: the robot will not move before this is put right."""
    hopeless: bool = False
    """Whether connecting would not change it; the rest can be put right while it is connected."""
