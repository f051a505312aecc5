"""Write the two lock files from what is installed in this environment.

`requirements.lock` holds what OpenPendant needs to run, `requirements-dev.lock` adds what its tests,
checks and benchmarks need. Run it with `make lock` after changing the dependencies in pyproject.toml.
"""

import re
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def closure(wanted: list[str]) -> dict[str, str]:
    """Return name -> version of everything that `wanted` needs here, themselves included."""
    found: dict[str, str] = {}
    todo = [Requirement(text) for text in wanted]
    while todo:
        requirement = todo.pop()
        name = normal(requirement.name)
        extras = requirement.extras or {""}
        if not any(requirement.marker is None or requirement.marker.evaluate({"extra": e}) for e in extras):
            continue
        try:
            here = distribution(requirement.name)
        except PackageNotFoundError:
            raise SystemExit(f"{name} is not installed here; run `make dev-setup` first") from None
        if name in found and not requirement.extras:
            continue
        found[name] = here.version
        for text in here.requires or []:
            child = Requirement(text)
            if any(child.marker is None or child.marker.evaluate({"extra": e}) for e in extras):
                todo.append(child)
    return found


def write(path: Path, head: str, pins: dict[str, str]) -> None:
    lines = [f"{name}=={version}" for name, version in sorted(pins.items())]
    path.write_text("\n".join([f"# {head}", "# Written by `make lock`.", *lines, ""]))


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    run = closure([*project["project"]["dependencies"], *project["build-system"]["requires"]])
    dev = closure(project["dependency-groups"]["dev"])
    write(ROOT / "requirements.lock", "What OpenPendant needs to be built and to run.", run)
    extra = {name: version for name, version in dev.items() if name not in run}
    write(ROOT / "requirements-dev.lock", "What tests, checks and benchmarks need beside requirements.lock.", extra)


if __name__ == "__main__":
    main()
