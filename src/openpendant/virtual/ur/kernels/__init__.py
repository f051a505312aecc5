"""Compiled kernels of the virtual Universal Robots arm: plain arrays in and out, nothing checked."""
