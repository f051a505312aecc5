"""The `openpendant` program: its verbs, and what becomes of their errors."""

import io
import re
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from openpendant.errors import OpenPendantError
from openpendant.version import __version__

from . import audit, check, export, fk, ik, jog, lint, pair, pendant, rapid, robots, run, serve, teleop, virtual

MISUSE = 2
INTERRUPTED = 130
OWN_OPTIONS = ("--version", "--help")
NEGATIVE_NUMBER = re.compile(r"-(\.?\d|inf|nan)", re.IGNORECASE)

app = typer.Typer(
    name="openpendant",
    help="Program, operate, watch and teach robots from a virtual twin. Without a command: serve.",
    add_completion=False,
    no_args_is_help=False,
)
serve.add_to(app)
pair.add_to(app)
audit.add_to(app)
robots.add_to(app)
fk.add_to(app)
ik.add_to(app)
check.add_to(app)
lint.add_to(app)
rapid.add_to(app)
run.add_to(app)
export.add_to(app)
virtual.add_to(app)
pendant.add_to(app)
jog.add_to(app)
teleop.add_to(app)


@app.callback(invoke_without_command=True)
def program(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.", is_eager=True)] = False,
) -> None:
    """Program, operate, watch and teach robots from a virtual twin. Without a command: serve."""
    if version:
        print(__version__)
        raise typer.Exit


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `openpendant` with these words (those of the process where None); return the exit code.

    0: done, also where a pose is out of reach, since that is an answer. 2: misuse, reported on stderr.
    """
    for stream in (sys.stdout, sys.stderr):
        # A terminal that knows no ° or … shows another sign instead of a traceback.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words or (words[0].startswith("-") and words[0] not in OWN_OPTIONS):
        words.insert(0, "serve")
    # A leading blank keeps a negative number from being read as an option; the verbs strip it.
    words = [f" {word}" if NEGATIVE_NUMBER.match(word) else word for word in words]
    try:
        code: object = app(words, prog_name="openpendant", standalone_mode=False)
    except (OpenPendantError, typer.TyperException) as error:
        message = error.format_message() if isinstance(error, typer.TyperException) else str(error)
        return fail(message)
    except typer.Abort:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough (`openpendant robots | head -1`).
        sys.stderr.close()
        return 0
    return code if isinstance(code, int) else 0


def fail(message: str) -> int:
    """Print one line on stderr and return the exit code of misuse."""
    print(f"openpendant: {' '.join(message.split())}", file=sys.stderr)
    return MISUSE
