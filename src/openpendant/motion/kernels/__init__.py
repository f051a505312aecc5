"""Compiled kernels of the motion room: plain arrays in and out, no checks."""
