"""DT: the length of a tick."""

__all__ = ["DT"]

DT = 0.002
