"""Reach: the outline of what an arm can reach, as a profile about its first axis."""

from .profile import reach_profile

__all__ = ["reach_profile"]
