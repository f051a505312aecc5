"""Studio: open projects, the people in them, their checks; one task for each client, none waits for another."""

from .rooms import Rooms
from .talking import LONGEST_MESSAGE, talk_project

__all__ = ["LONGEST_MESSAGE", "Rooms", "talk_project"]
