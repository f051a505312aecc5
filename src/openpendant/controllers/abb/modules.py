"""The RAPID texts that a driver loads: our own, the cell's signals, and programs that it is given."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from openpendant.controllers.jobs import VendorText
from openpendant.dialects.rapid import RapidError, parse_module, rename_program
from openpendant.errors import InputError
from openpendant.said import say

DIALECT = "rapid"
MOTION, SERVER, JOB_MODULE = "OpenPendant", "OpenPendantServer", "OpenPendantJob"
"""Names of our modules, and of their files."""
OWN = tuple(name.lower() for name in (MOTION, SERVER, JOB_MODULE))
SIGNALS = "  ! Signals of the cell"
"""Where the server's own signals begin, to its end."""
SERVER_TASK = "T_OPENPENDANT"
"""The task of the server; the controller's configuration has it."""
ENTRY = "op_job"
"""What the main routine of a program is called beside ours."""
MOST_SIGNALS = 20
"""Of inputs, and of outputs: RAPID's num counts exactly to 2^23."""


@cache
def module_text(name: str) -> str:
    """Return the text of one of our modules."""
    return (Path(__file__).with_name("rapid") / f"{name}.mod").read_text(encoding="ascii")


def motion_text(*, guided: bool) -> str:
    """Return the module of a motion task; not guided: without the instructions that come with option 689-1."""
    text = module_text(MOTION)
    if guided:
        return text
    # A controller that lacks the option links no module that names them.
    for begin, end in (
        ("  LOCAL VAR egmident", "  LOCAL VAR intnum"),
        ("    CASE GUIDE:", "    CASE JOB:"),
        ("  ! Follow the driver", "  ! Answer where"),
    ):
        text = text[: text.index(begin)] + text[text.index(end) :]
    return text


def server_text(inputs: Mapping[str, str], outputs: Mapping[str, str]) -> str:
    """Return the server's module with the cell's signals; ports by their names in the cell, in its order.

    Raises:
        InputError: Too many signals.
    """
    for ports in (inputs, outputs):
        if len(ports) > MOST_SIGNALS:
            raise InputError(say("wiring.too_many", count=len(ports), most=MOST_SIGNALS))
    read = _sum(f"{1 << place}*DInput({port})" for place, port in enumerate(inputs.values()))
    written = _sum(f"{1 << place}*DOutput({port})" for place, port in enumerate(outputs.values()))
    cases = "".join(
        f"    CASE {place}:\n      SetDO {port}, value;\n" for place, port in enumerate(outputs.values(), 1)
    )
    chosen = f"    TEST number\n{cases}    ENDTEST\n" if cases else ""
    whole = module_text(SERVER)
    return whole[: whole.index(SIGNALS)] + (
        f"{SIGNALS}, as they are wired.\n"
        f"  LOCAL PROC set_output(num number, num value)\n{chosen}  ENDPROC\n\n"
        f"  LOCAL FUNC num read_inputs()\n    VAR num bits := 0;\n{read}    RETURN bits;\n  ENDFUNC\n\n"
        f"  LOCAL FUNC num read_outputs()\n    VAR num bits := 0;\n{written}    RETURN bits;\n  ENDFUNC\n"
        "ENDMODULE\n"
    )


def _sum(terms: Iterable[str]) -> str:
    return "".join(f"    bits := bits + {term};\n" for term in terms)


@dataclass(frozen=True)
class PreparedModule:
    """A program that can stand beside our module."""

    name: str
    """Of the module, as it was given; on the controller it is JOB_MODULE."""
    text: str
    lines: int

    def words(self, text: str) -> str:
        """Return what a controller says about it with the names that it was given."""
        return re.sub(ENTRY, "main", text.replace(JOB_MODULE, self.name), flags=re.IGNORECASE)


def prepare_module(job: VendorText) -> PreparedModule:
    """Return a program whose main routine is called `op_job`: the task has a main of ours. Lines stay where they are.

    Raises:
        InputError: It is not a RAPID module, or has no main routine.
    """
    if job.dialect != DIALECT:
        raise InputError(say("robot.no_dialect", dialect=job.dialect, accepted=say("accepts.rapid")))
    try:
        module = parse_module(job.text, job.name)
        text = rename_program(job.text, JOB_MODULE, "main", ENTRY, job.name)
    except RapidError as error:
        raise InputError(say("robot.rapid_fault", program=job.name, why=error.said)) from None
    if text is None:
        raise InputError(say("robot.no_rapid_main", program=job.name))
    if module.name.lower() in OWN:
        raise InputError(say("robot.rapid_taken", program=job.name, module=module.name))
    return PreparedModule(module.name, text, job.text.count("\n") + 1)
