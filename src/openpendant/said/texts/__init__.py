"""The English of every code: one place for each sentence. Places are as for `str.format`, `!r` puts quotes."""

from .checks import CHECKS
from .documents import DOCUMENTS
from .holds import HOLDS
from .imports import IMPORTS
from .makers import MAKERS
from .projects import PROJECTS
from .requests import REQUESTS
from .robots import ROBOTS
from .runs import RUNS

__all__ = ["CHECKS", "DOCUMENTS", "HOLDS", "IMPORTS", "MAKERS", "PROJECTS", "REQUESTS", "ROBOTS", "RUNS", "TEXTS"]

TEXTS: dict[str, str] = {**ROBOTS, **HOLDS, **RUNS, **CHECKS, **DOCUMENTS, **PROJECTS, **IMPORTS, **REQUESTS, **MAKERS}
