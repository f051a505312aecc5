"""ControllerFiles: the disks of a controller, each a folder; nothing outside of them can be named."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from .refusal import ControllerRefusal, NotThere

HOME, RAMDISK = "HOME", "RAMDISK"
MEMORY = ".controller.json"
"""What the controller itself keeps in HOME:; clients and programs do not see it."""
LONGEST_PATH, LONGEST_NAME = 1000, 250
MOST_BYTES = 16 << 20
"""Of one file."""


class ControllerFiles:
    """Files by path: `HOME:/a.csv` of RAPID, `$HOME/a.csv` and `hd0a/…/HOME/a.csv` of Robot Web Services."""

    def __init__(self, home: Path, ramdisk: Path) -> None:
        """Use two folders that exist."""
        self._roots = {HOME: home.resolve(), RAMDISK: ramdisk.resolve()}

    def find(self, path: str) -> Path:
        """Return where a path of the controller is.

        Raises:
            NotThere: It names no disk of the controller.
            ControllerRefusal: It leads out of its disk.
        """
        disk, _, rest = path.replace("\\", "/").lstrip("/$").partition("/")
        if ":" in disk:
            disk, _, first = disk.partition(":")
            rest = f"{first}/{rest}"
        root = self._roots.get(disk.upper())
        if root is None:
            raise NotThere(f"no disk named {disk[:40]!r}; known: {', '.join(self._roots)}")
        if "\0" in rest:
            raise ControllerRefusal("a path with a zero byte")
        parts = [part for part in PurePosixPath(rest).parts if part != "/"]
        if len(rest) > LONGEST_PATH or any(len(part.encode()) > LONGEST_NAME for part in parts):
            raise ControllerRefusal(f"{path[:80]!r} is too long")
        with _refusing(path):
            found = root.joinpath(*parts).resolve()
        if not found.is_relative_to(root):
            raise ControllerRefusal(f"{path[:80]!r} leads out of its disk")
        if found == self._roots[HOME] / MEMORY:
            raise ControllerRefusal(f"{path[:80]!r} belongs to the controller")
        return found

    def read(self, path: str) -> bytes:
        """Return a file.

        Raises:
            NotThere: There is none.
        """
        found = self.find(path)
        if not found.is_file():
            raise NotThere(f"no file {path[:80]!r}")
        with _refusing(path):
            return found.read_bytes()

    def write(self, path: str, data: bytes) -> bool:
        """Write a file whole; return whether it is new.

        Raises:
            ControllerRefusal: It is too large, or a folder.
        """
        found = self.find(path)
        if len(data) > MOST_BYTES or found.is_dir():
            raise ControllerRefusal(f"{path[:80]!r} cannot be written: a folder, or more than {MOST_BYTES} bytes")
        new = not found.exists()
        with _refusing(path):
            found.parent.mkdir(parents=True, exist_ok=True)
            found.write_bytes(data)
        return new

    def append(self, path: str, data: bytes) -> None:
        """Write at the end of a file, which is made if there is none.

        Raises:
            ControllerRefusal: It would become too large, or is a folder.
        """
        found = self.find(path)
        size = found.stat().st_size if found.exists() else 0
        if found.is_dir() or size + len(data) > MOST_BYTES:
            raise ControllerRefusal(f"{path[:80]!r} cannot be written: a folder, or more than {MOST_BYTES} bytes")
        with _refusing(path), found.open("ab") as file:
            file.write(data)

    def size(self, path: str) -> int:
        """Return the bytes of a file.

        Raises:
            NotThere: There is none.
        """
        found = self.find(path)
        if not found.is_file():
            raise NotThere(f"no file {path[:80]!r}")
        return found.stat().st_size

    def delete(self, path: str) -> None:
        """Delete a file.

        Raises:
            NotThere: There is none.
        """
        found = self.find(path)
        if not found.is_file():
            raise NotThere(f"no file {path[:80]!r}")
        with _refusing(path):
            found.unlink()

    def list(self, path: str) -> tuple[Path, ...] | None:
        """Return what is in a folder, by name; None: the path is none."""
        found = self.find(path)
        return tuple(sorted(one for one in found.iterdir() if one.name != MEMORY)) if found.is_dir() else None


@contextmanager
def _refusing(path: str) -> Generator[None]:
    """Make a refusal of what the computer's own disk does not do."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        raise ControllerRefusal(f"{path[:80]!r}: {error}") from None
