"""The English of every code: one place for each sentence. Places are as for `str.format`, `!r` puts quotes."""

from .checks import CHECKS
from .documents import DOCUMENTS
from .holds import HOLDS
from .projects import PROJECTS
from .robots import ROBOTS
from .runs import RUNS

__all__ = ["CHECKS", "DOCUMENTS", "HOLDS", "PROJECTS", "ROBOTS", "RUNS", "TEXTS"]

TEXTS: dict[str, str] = {**ROBOTS, **HOLDS, **RUNS, **CHECKS, **DOCUMENTS, **PROJECTS}
