"""The version of OpenPendant; by itself, so that every room can tell it."""

__all__ = ["__version__"]

__version__ = "0.1.0"
