"""Compiled kernels of virtual arms of any number of joints: plain arrays in and out, nothing checked."""
