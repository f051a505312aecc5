"""Pool: processes for what takes long (check, plan, export), so that nothing else waits for it."""

from .progress import show_progress
from .work_pool import Work, WorkerDied, WorkPool

__all__ = ["Work", "WorkPool", "WorkerDied", "show_progress"]
