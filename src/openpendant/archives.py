"""SentArchive: a zip that somebody sends, looked at and unpacked without trust in anything that is in it."""

import io
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from .errors import InputError
from .said import say

LARGEST_BYTES = 256 * 1024 * 1024
"""Of all files together, unpacked."""
CHUNK = 1 << 20
PLAIN = (0, 0o100000)
"""Kinds of files in Unix's words: not said, and a plain one."""


class SentArchive:
    """The plain files of a zip. Nothing is written but by `write`, and never more than is allowed."""

    def __init__(self, data: bytes, most_files: int) -> None:
        """Look at what is in it.

        Raises:
            InputError: It is not a zip, or holds too many files, encrypted ones, links, or paths that point outside.
        """
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, OSError) as error:
            raise InputError(say("archive.no_zip", why=str(error))) from None
        files = [info for info in self._archive.infolist() if not info.is_dir()]
        if len(files) > most_files:
            raise InputError(say("archive.many_files", count=len(files), most=most_files))
        self.places = tuple(_checked(info) for info in files)
        """Where its files are in it, in its order."""
        self._files = files
        self._left = LARGEST_BYTES

    def write(self, number: int, target: Path, most: int | None = None) -> None:
        """Write a file of `places`, counting what really comes out of it.

        Args:
            number: Its place in `places`.
            target: Where it goes.
            most: How many bytes it may have; None: as many as all together.

        Raises:
            InputError: It is broken, there is such a file already, or all together become too large.
        """
        info, size = self._files[number], 0
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with self._archive.open(info) as source, target.open("xb") as out:
                while chunk := source.read(CHUNK):
                    self._left -= len(chunk)
                    size += len(chunk)
                    if most is not None and size > most:
                        raise InputError(say("archive.large_file", file=info.filename[:120], most=most))
                    if self._left < 0:
                        raise InputError(say("archive.too_large", most=LARGEST_BYTES))
                    out.write(chunk)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
            raise InputError(say("archive.broken", file=info.filename[:120], why=str(error))) from None
        except OSError as error:
            raise InputError(say("archive.not_written", file=info.filename[:120], why=str(error.strerror))) from None


def _checked(info: zipfile.ZipInfo) -> PurePosixPath:
    name = info.filename
    place = PurePosixPath(name)
    if not place.parts or place.is_absolute() or "\\" in name or ".." in place.parts or "\0" in name or ":" in name:
        raise InputError(say("archive.outside", file=name[:120]))
    if (info.external_attr >> 16) & 0o170000 not in PLAIN:
        raise InputError(say("archive.not_regular", file=name[:120]))
    if info.flag_bits & 1:
        raise InputError(say("archive.encrypted", file=name[:120]))
    return place
