"""Compiled kernels of the gate: plain arrays, no checks."""
