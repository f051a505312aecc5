"""OpenPendant: program, operate, watch and teach robots from a virtual twin."""

__version__ = "0.1.0"
