"""Archives: a project as one zip file, to send and to take in. What comes in is not trusted."""

import io
import re
import zipfile
from pathlib import Path, PurePosixPath

from openpendant.archives import SentArchive
from openpendant.errors import InputError
from openpendant.said import say
from openpendant.scene.document import CELL_FILE

ALLOWED = frozenset({".json", ".stl", ".obj", ".mtl", ".ply", ".glb", ".gltf", ".bin", ".png", ".jpg", ".md", ".txt"})
"""Endings of what a project may hold."""
MOST_FILES = 2000
MOST_DEEP = 8
LARGEST_DOCUMENT = 16 * 1024 * 1024
"""Of a JSON file, bytes unpacked: ten thousand objects have four million."""
PART = re.compile(r"[\w\-. ()+]{1,100}")


def pack_project(folder: Path) -> bytes:
    """Return the files of a project as a zip; nothing of what is ours alone (journal, caches)."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            inside = path.relative_to(folder)
            hidden = any(part.startswith(".") for part in inside.parts)
            if path.is_file() and not path.is_symlink() and not hidden and path.suffix.lower() in ALLOWED:
                archive.write(path, inside.as_posix())
    return out.getvalue()


def unpack_project(data: bytes, folder: Path) -> None:
    """Write the files of a zip into an empty folder.

    A cell may stand at the top of the archive, or inside the one folder that it holds.

    Raises:
        InputError: It is not a zip, holds no cell, or anything in it is not allowed; names what. The folder may
            then hold some files, and is to be thrown away.
    """
    archive = SentArchive(data, MOST_FILES)
    for place in archive.places:
        _check_name(place)
    top = _top(archive.places)
    for number, place in enumerate(archive.places):
        most = LARGEST_DOCUMENT if place.suffix.lower() == ".json" else None
        archive.write(number, folder / Path(*place.parts[len(top.parts) :]), most)


def _check_name(place: PurePosixPath) -> None:
    """Refuse what a project does not hold."""
    name = str(place)
    if any(not _fits(part) for part in place.parts):
        raise InputError(say("archive.name", file=name[:120]))
    if len(place.parts) > MOST_DEEP:
        raise InputError(say("archive.deep", file=name[:120], most=MOST_DEEP))
    if place.suffix.lower() not in ALLOWED:
        raise InputError(say("archive.ending", file=name, endings=", ".join(sorted(ALLOWED))))


def _fits(part: str) -> bool:
    return PART.fullmatch(part) is not None and not part.startswith(".") and not part.endswith((" ", "."))


def _top(names: tuple[PurePosixPath, ...]) -> PurePosixPath:
    """Return the folder of the archive in which the cell stands."""
    found = [name.parent for name in names if name.name == CELL_FILE and len(name.parts) <= 2]
    if len(found) != 1:
        raise InputError(say("archive.several_cells" if found else "archive.no_cell", cell=CELL_FILE))
    outside = [name for name in names if found[0] not in name.parents]
    if outside:
        raise InputError(say("archive.beside_cell", file=str(outside[0])))
    seen: set[str] = set()
    for name in names:
        if str(name).lower() in seen:
            raise InputError(say("archive.twice", file=str(name)))
        seen.add(str(name).lower())
    return found[0]
