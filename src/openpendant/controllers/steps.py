"""Steps: work that waits for answers, one piece at every poll."""

from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")
Steps = Generator[None, None, T]
"""Yields where it has to wait; returns what was to be had. Raises ControllerError where the controller refuses."""
