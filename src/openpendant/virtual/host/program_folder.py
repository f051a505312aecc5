"""ProgramFolder: the programs of a virtual controller that stand in a folder of the user."""

from pathlib import Path


class ProgramFolder:
    """The programs that can be loaded, by name; the folder is read once a second."""

    def __init__(self, folder: Path | None, endings: tuple[str, ...], *, every_ticks: int) -> None:
        """List files with these endings; None: there is no folder."""
        self._folder, self._endings, self._every = folder, endings, every_ticks
        self._listed: tuple[str, ...] = ()
        self._until = 0

    def names(self, ticks: int) -> tuple[str, ...]:
        """Return their names; `ticks` is the present time: the folder is read again only after a while."""
        if ticks >= self._until and self._folder is not None and self._folder.is_dir():
            self._until = ticks + self._every
            self._listed = tuple(sorted(one.name for one in self._folder.iterdir() if one.suffix in self._endings))
        return self._listed
