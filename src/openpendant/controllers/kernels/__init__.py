"""Kernels of the controllers' room, compiled by numba."""
