"""The version of OpenPendant; by itself, so that every room can tell it."""

__version__ = "0.1.0"
