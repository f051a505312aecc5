"""The functions of the controller that programs call, as tables for the URScript machine."""

from .table import make_builtins

__all__ = ["make_builtins"]
