"""Make the bodies of the robots that come with OpenPendant, as files of the package: `python tools/bodies.py`.

`make` and the build hook run it. Bodies that were made from the sources as they are now are kept, all others removed.
It takes some twenty seconds of one core the first time, a moment afterwards.
"""

import shutil
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent / "src"
ROBOTS = SOURCES / "openpendant" / "robots"
MADE = "made"
STALE_S = 3600.0


def make_all(robots: Path = ROBOTS) -> list[Path]:
    """Make what is missing in the folder `made` of a catalogue and return all its files.

    Raises:
        RobotFileError: A description cannot be used.
    """
    # The package is not installed where it is built. Processes that are spawned take the path over.
    sys.path.insert(0, str(SOURCES))
    try:
        from openpendant.shapes import VISUALS, BodyFiles, make_bodies

        into = robots / MADE
        bodies = [BodyFiles(path.parent, into) for path in sorted(robots.glob(f"*/{VISUALS}"))]
        missing = [one.folder for one in bodies if not one.complete]
        if missing:
            with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
                list(pool.map(make_bodies, missing, [into] * len(missing)))
    finally:
        sys.path.remove(str(SOURCES))
    keep = {path.name for one in bodies for path in (one.visuals, one.collision)}
    for path in into.iterdir() if into.is_dir() else ():
        # Hidden is what another process is just writing, or what one that was killed has left.
        abandoned = path.name.startswith(".") and time.time() - path.stat().st_mtime > STALE_S
        if path.name not in keep and (abandoned or not path.name.startswith(".")):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    return sorted(path for one in bodies for path in (*one.visuals.iterdir(), one.collision))


if __name__ == "__main__":
    files = make_all()
    print(f"{len(files)} files, {sum(path.stat().st_size for path in files) / 1e6:.1f} MB")
