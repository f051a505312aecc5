"""Messages of the library of projects (REST, JSON)."""

from .said import SaidMessage, split_said
from .wire import Wire


class DemoInfo(Wire, frozen=True, kw_only=True):
    """A cell that comes along, to begin with."""

    name: str
    title: str
    notes: str
    robots: list[str]
    programs: list[str]


class ProjectInfo(Wire, frozen=True, kw_only=True):
    """A project of the library."""

    id: str
    title: str
    robots: list[str]
    programs: list[str]
    changed_s: float
    """When one of its files was last changed, seconds since 1970."""
    fault: str | None = None
    """Why it cannot be opened."""
    people: int = 0
    """How many have it open."""
    said: SaidMessage | None = None
    """`fault` by its code; None: it has none."""
    running: tuple[str, ...] = ()
    """Robots of it that are connected, by name."""
    moving: bool = False
    """Whether any of them moves."""
    stop_url: str = ""
    """Where they are stopped, without who asks (`client`, `name`); empty: there is nothing to stop."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "fault")


class NewProject(Wire, frozen=True, kw_only=True):
    """A project to be made."""

    title: str
    demo: str = ""
    """The demo cell to begin with; empty: an empty cell."""


class Removed(Wire, frozen=True, kw_only=True):
    """A project that is in the trash now."""

    kept: str
    """What brings it back."""


class ExportedFile(Wire, frozen=True, kw_only=True):
    """One file of a program in a vendor's language."""

    name: str
    dialect: str
    text: str


class MeshInfo(Wire, frozen=True, kw_only=True):
    """A mesh that was taken into a project."""

    file: str
    """Its path in the project, as a shape names it."""
    scale: float
    """What its numbers are taken times, to be metres."""
    size_m: tuple[float, float, float]
    convex_parts: int
    warnings: list[str]
