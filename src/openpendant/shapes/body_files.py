"""Bodies as files: from a folder with a `visuals.py` to a GLB of each link and the collision shapes of all links.

The files are named by a digest of everything they are made from: the description, the facts beside it and the code of
this room. Who finds the name has the right bodies, wherever they were made. Nothing here needs more than
numpy, scipy, scikit-image, fast-simplification and msgspec, so that bodies can be made where a wheel is built.
"""

import contextlib
import importlib
import secrets
import shutil
import sys
from collections.abc import Mapping
from importlib.abc import MetaPathFinder
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import cast

from openpendant.digests import digest_files
from openpendant.errors import RobotFileError

from .collision import encode_collision
from .fit import fit_collision
from .glb import encode_glb
from .mesh import Part

VISUALS = "visuals.py"


class BodyFiles:
    """The files of one description in one folder; they need not be there."""

    def __init__(self, folder: Path, into: Path) -> None:
        """Read what the bodies are made from.

        Args:
            folder: Holds the `visuals.py`.
            into: Holds bodies of any number of descriptions.
        """
        self.folder = folder
        name = f"{folder.name}-{_digest(folder)}"
        self.visuals = into / name
        """A folder: `<link>.glb` for each link."""
        self.collision = into / f"{name}.collision.json"

    @property
    def complete(self) -> bool:
        """Whether all of them are there; each appears whole or not at all."""
        return self.visuals.is_dir() and self.collision.is_file()

    def make_visuals(self, parts: Mapping[str, list[Part]] | None = None) -> None:
        """Write the GLBs unless they are there. Several processes may do so at once.

        Raises:
            RobotFileError: The description cannot be used.
        """
        if self.visuals.is_dir():
            return
        aside = self._aside()
        aside.mkdir(parents=True)
        try:
            for link, own in (parts or build_parts(self.folder)).items():
                (aside / f"{link}.glb").write_bytes(encode_glb(own, link))
            # Another process may have been quicker: a folder that is not empty cannot be replaced, and
            # its content is the same as ours.
            with contextlib.suppress(OSError):
                aside.rename(self.visuals)
        finally:
            shutil.rmtree(aside, ignore_errors=True)

    def make_collision(self, parts: Mapping[str, list[Part]] | None = None) -> None:
        """Fit and write the collision shapes unless they are there; as `make_visuals`, but it takes seconds."""
        if self.collision.is_file():
            return
        parts = parts or build_parts(self.folder)
        # Links that are built alike share their list of parts, and then their shapes.
        fitted = {id(own): fit_collision([part.mesh for part in own]) for own in parts.values()}
        aside = self._aside()
        aside.parent.mkdir(parents=True, exist_ok=True)
        try:
            aside.write_bytes(encode_collision({link: fitted[id(own)] for link, own in parts.items()}))
            aside.replace(self.collision)
        finally:
            aside.unlink(missing_ok=True)

    def _aside(self) -> Path:
        # Not from tempfile, whose files only their owner may read: bodies of an installation are for all its users.
        return self.visuals.with_name(f".{self.folder.name}-{secrets.token_hex(6)}")


def make_bodies(folder: Path, into: Path) -> None:
    """Write all files of the description in `folder` unless they are there.

    Raises:
        RobotFileError: The description cannot be used.
    """
    files = BodyFiles(folder, into)
    if not files.complete:
        parts = build_parts(folder)
        files.make_visuals(parts)
        files.make_collision(parts)


def build_parts(folder: Path) -> dict[str, list[Part]]:
    """Run the `build` of a folder's `visuals.py`: parts by link.

    Raises:
        RobotFileError: The file has no `build`.
    """
    path = folder / VISUALS
    # The folder stands in as a package, so that a long description may be spread over several files.
    package = ModuleType(f"openpendant_visuals_{folder.name}_{secrets.token_hex(4)}")
    package.__path__ = [str(folder)]
    sources = _Sources(package.__name__, folder)
    sys.modules[package.__name__] = package
    sys.meta_path.insert(0, sources)
    try:
        module = importlib.import_module(f"{package.__name__}.{path.stem}")
    finally:
        sys.meta_path.remove(sources)
        for name in [name for name in sys.modules if name.split(".")[0] == package.__name__]:
            del sys.modules[name]
    build = getattr(module, "build", None)
    if not callable(build):
        raise RobotFileError(path, "has no function build() -> dict of parts by link")
    return cast(dict[str, list[Part]], build())


class _SourceLoader(SourceFileLoader):
    """Compiles the text as it is: Python takes a .pyc for fresh that is of the same second and size as another text."""

    def path_stats(self, path: str) -> Mapping[str, int]:
        raise OSError(f"{path}: nothing compiled earlier is used")


class _Sources(MetaPathFinder):
    """Finds the modules of one description."""

    def __init__(self, package: str, folder: Path) -> None:
        self._package = package
        self._files = FileFinder(str(folder), (_SourceLoader, [".py"]))

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        return self._files.find_spec(fullname) if fullname.rpartition(".")[0] == self._package else None


def _digest(folder: Path) -> str:
    own = Path(__file__).parent
    return digest_files((*sorted(folder.glob("*.py")), *sorted(folder.glob("*.toml")), *sorted(own.glob("*.py"))))
