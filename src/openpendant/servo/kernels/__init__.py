"""Compiled kernels of the servo: one joint's limits, the chain, the reference, the quadratic program."""
