"""Compiled inner loops: distances between convex bodies, a tree of boxes, configurations and paths.

Bodies are rows of two arrays, so that thousands of configurations are checked without returning to Python.
"""

__all__ = []
