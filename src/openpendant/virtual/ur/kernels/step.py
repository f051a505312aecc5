"""The length of a tick."""

TICKS_PER_S = 500
DT = 1.0 / TICKS_PER_S
