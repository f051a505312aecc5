"""Studio: open projects, the people in them, their checks; one task for each client, none waits for another."""

from .open_projects import Rooms
from .socket import LONGEST_MESSAGE, serve_project

__all__ = ["LONGEST_MESSAGE", "Rooms", "serve_project"]
