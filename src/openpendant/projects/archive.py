"""Archives: a project as one zip file, to send and to take in. What comes in is not trusted."""

import io
import re
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from openpendant.errors import InputError
from openpendant.scene.reading import CELL_FILE

__all__ = ["ALLOWED", "LARGEST_BYTES", "pack_project", "unpack_project"]

ALLOWED = frozenset({".json", ".stl", ".obj", ".mtl", ".ply", ".glb", ".gltf", ".bin", ".png", ".jpg", ".md", ".txt"})
"""Endings of what a project may hold."""
LARGEST_BYTES = 256 * 1024 * 1024
MOST_FILES = 2000
MOST_DEEP = 8
CHUNK = 1 << 20
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
        InputError: It is no zip, holds no cell, or anything in it is not allowed; names what. The folder may
            then hold some files, and is to be thrown away.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, OSError) as error:
        raise InputError(f"this is no zip archive: {error}") from None
    with archive:
        files = [info for info in archive.infolist() if not info.is_dir()]
        if len(files) > MOST_FILES:
            raise InputError(f"the archive holds {len(files)} files; at most {MOST_FILES} are allowed")
        names = [_checked(info) for info in files]
        top = _top(names)
        left = LARGEST_BYTES
        for info, name in zip(files, names, strict=True):
            target = folder / Path(*name.parts[len(top.parts) :])
            target.parent.mkdir(parents=True, exist_ok=True)
            left = _write(archive, info, target, left)


def _checked(info: zipfile.ZipInfo) -> PurePosixPath:
    """Return the place of a file, if it may come in."""
    name = info.filename
    path = PurePosixPath(name)
    if not path.parts or path.is_absolute() or "\\" in name or any(not _fits(part) for part in path.parts):
        raise InputError(
            f"the archive holds {name[:120]!r}; names are letters, digits, spaces and -_.()+, inside the folder"
        )
    if len(path.parts) > MOST_DEEP:
        raise InputError(f"the archive holds {name[:120]!r}; files lie at most {MOST_DEEP} folders deep")
    kind = (info.external_attr >> 16) & 0o170000
    if kind not in (0, 0o100000):
        raise InputError(f"{name!r} in the archive is no plain file; links and devices are not allowed")
    if path.suffix.lower() not in ALLOWED:
        raise InputError(f"{name!r} in the archive is not allowed; allowed endings: {', '.join(sorted(ALLOWED))}")
    if info.flag_bits & 1:
        raise InputError(f"{name!r} in the archive is encrypted; that cannot be read")
    return path


def _fits(part: str) -> bool:
    return PART.fullmatch(part) is not None and not part.startswith(".") and not part.endswith((" ", "."))


def _top(names: list[PurePosixPath]) -> PurePosixPath:
    """Return the folder of the archive in which the cell stands."""
    found = [name.parent for name in names if name.name == CELL_FILE and len(name.parts) <= 2]
    if len(found) != 1:
        what = "no cell" if not found else "several cells"
        raise InputError(f"the archive holds {what}; allowed is one {CELL_FILE}, at its top or in its one folder")
    outside = [name for name in names if found[0] not in name.parents]
    if outside:
        raise InputError(f"the archive holds {str(outside[0])!r} outside the folder of its cell")
    seen: set[str] = set()
    for name in names:
        if str(name).lower() in seen:
            raise InputError(f"the archive holds {str(name)!r} twice")
        seen.add(str(name).lower())
    return found[0]


def _write(archive: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path, left: int) -> int:
    """Write one file, counting what really comes out of it; return how many bytes may still come."""
    try:
        with archive.open(info) as source, target.open("xb") as out:
            while chunk := source.read(CHUNK):
                left -= len(chunk)
                if left < 0:
                    raise InputError(f"the archive holds more than {LARGEST_BYTES} bytes; that is the most allowed")
                out.write(chunk)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise InputError(f"{info.filename!r} in the archive is broken: {error}") from None
    return left
