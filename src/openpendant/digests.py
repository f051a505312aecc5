"""digest_files: the name of what is made from files, so that a change of any of them is another name."""

import hashlib
from collections.abc import Iterable
from pathlib import Path


def digest_files(paths: Iterable[Path]) -> str:
    """Return 16 hexadecimal digits for the names and contents of files, in the order given.

    Folders do not count: the same files have the same digest in a checkout and where they are installed.
    """
    digest = hashlib.sha256()
    for path in paths:
        content = path.read_bytes()
        digest.update(f"{path.name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:16]
