"""The table of docs/virtual-ur-functions.md: python tools/urscript_functions.py writes it.

Every documented function of URScript, and what becomes of a call on the virtual controller.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from openpendant.dialects.urscript import Builtin, catalogue
from openpendant.dialects.urscript.catalogue import INTERFACES, INTERNALS, MATHEMATICS, MOTION
from openpendant.dialects.urscript.machine import with_core
from openpendant.virtual.ur import UrController, UrOptions, ur_model
from openpendant.virtual.ur.builtins.without_effect import ACCEPTED, REFUSED
from openpendant.virtual.ur.versions import FUNCTIONS_SINCE, NEWEST

PAGE = Path(__file__).resolve().parent.parent / "docs" / "virtual-ur-functions.md"
MODULES = {"Motion": MOTION, "Internals": INTERNALS, "Mathematics": MATHEMATICS, "Interfaces": INTERFACES}
OF_THE_LANGUAGE = ("sync",)
"""Documented as functions, and statements to the machine."""
HEAD = """# URScript functions on the virtual UR

<!-- python tools/urscript_functions.py -->

Every function of the script manual (e-Series, up to 5.25), and what a call does on a [virtual UR](virtual-ur.md).
*Runs*: as the manual says, within what a virtual arm is. *Accepted*: the call does nothing; the pendant tells why, once
for each program. *Refused*: a program may hold the call, but ends with a runtime error where it is made. Before the
version in the last column, the function does not exist, and a program that names it is not compiled.
"""


def newest_functions() -> Mapping[str, Builtin]:
    """Return what programs can call on the newest version."""
    brain = UrController(ur_model("ur3e"), options=UrOptions(version=(*NEWEST, 0, 0)))
    return with_core(brain.functions, lambda: 0.0)


def rows(module: str, functions: Mapping[str, Builtin]) -> Iterator[str]:
    """Yield the row of every function of a module, by name."""
    known = catalogue()
    for name in sorted(line.partition("(")[0] for line in MODULES[module].split("\n") if line):
        shown = f"`{name}({', '.join(one.name for one in known[name])})`"
        since = ".".join(map(str, FUNCTIONS_SINCE[name])) if name in FUNCTIONS_SINCE else ""
        yield f"| {shown} | {fate(name, functions)} | {since} |"


def fate(name: str, functions: Mapping[str, Builtin]) -> str:
    """Return what becomes of a call."""
    if name in ACCEPTED:
        return f"accepted: {ACCEPTED[name]}"
    if name in REFUSED:
        return f"refused: {REFUSED[name]}"
    return "runs" if name in functions or name in OF_THE_LANGUAGE else "missing"


def page() -> str:
    """Return the whole page."""
    functions = newest_functions()
    text = HEAD
    for module in MODULES:
        head = f"\n## {module}\n\n| function | a call | since |\n|---|---|---|\n"
        text += head + "".join(f"{row}\n" for row in rows(module, functions))
    return text


if __name__ == "__main__":
    PAGE.write_text(page())
    sys.stdout.write(f"{PAGE}\n")
