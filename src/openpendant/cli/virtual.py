"""`openpendant virtual`: a virtual controller that behaves like a real one to its clients."""

import os
import select
import signal
import sys
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from openpendant.makers import VirtualPlan, VirtualReady

    from .virtual_arguments import VirtualArguments


CHECK_EVERY = 250
"""Polls between two checks whether standard input has ended."""


def add_to(app: typer.Typer) -> None:
    """Give `app` the verb. Its options are those of the model's maker, so they are read here and not by typer."""
    none: list[str] = []
    every = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": none}
    app.command("virtual", context_settings=every, options_metavar="[MODEL] [OPTIONS]")(virtual)


def virtual(context: typer.Context) -> None:
    """Start a virtual controller on its maker's ports, and its pendant on a web page; Ctrl-C ends it.

    Its protocols answer as on a real one. `openpendant virtual --help` lists models and options.
    """
    from openpendant.makers import maker_of_virtual, makers, usual_model

    from .virtual_arguments import parse_virtual_arguments

    virtuals = [one.virtual for one in makers() if one.virtual is not None]
    arguments = parse_virtual_arguments(context.args, [option for one in virtuals for option in one.options])
    if arguments.help:
        print_options()
        return
    model = arguments.model or usual_model()
    found = maker_of_virtual(model).virtual
    assert found is not None  # noqa: S101 - it has this model
    title = found.title(model)

    def on_ready(ready: "VirtualReady") -> None:
        if arguments.as_json:
            import msgspec

            print(msgspec.json.encode(ready).decode(), flush=True)
            return
        pendant = {"pendant": ready.panel} if ready.panel else {}
        known = "".join(f"{name}: {where}, " for name, where in {**ready.services, **pendant}.items())
        print(f"Virtual {title} is ready at {ready.address}  ({known}Ctrl-C ends it)", flush=True)

    def on_slow() -> None:
        print("Compiling kernels; only the first start on a machine takes this long ...", file=sys.stderr, flush=True)

    plan = plan_of(arguments, model, [option.name for option in found.options], title)
    found.serve(plan, on_ready, on_slow, Ending(until_eof=arguments.until_eof))


def plan_of(arguments: "VirtualArguments", model: str, allowed: list[str], title: str) -> "VirtualPlan":
    """Return what is asked for; raises InputError on an option that this model does not have."""
    from openpendant.errors import InputError
    from openpendant.makers import VirtualPlan

    for name in arguments.options:
        if name not in allowed:
            known = ", ".join(f"--{one}" for one in sorted(allowed)) or "none"
            raise InputError(f"a virtual {title} has no option --{name}; known: {known}")
    return VirtualPlan(model, arguments.bind, arguments.lan, arguments.start_q, arguments.options)


def print_options() -> None:
    """Print the models and options of every maker."""
    from openpendant.makers import makers

    from .screen import console, heading, row_table
    from .virtual_arguments import COMMON

    print("Usage: openpendant virtual [MODEL] [OPTIONS]\n")
    found = [(one.name, one.virtual) for one in makers() if one.virtual is not None]
    for name, options in (("All", COMMON), *((name, one.options) for name, one in found)):
        models = ", ".join(next((one.models for known, one in found if known == name), ()))
        table = row_table("option", "what it does", "default")
        for option in options:
            table.add_row(f"--{option.name} {option.metavar}".strip(), option.help, option.default)
        console().print(heading(name, models), table)


class Ending:
    """Says when to end: after a signal, or at the end of standard input."""

    def __init__(self, *, until_eof: bool) -> None:
        """Listen for signals."""
        self._ended = False
        self._until_eof = until_eof
        self._asked = 0
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._end)

    def __call__(self) -> bool:
        """Return whether to end now; asked once per tick."""
        self._asked += 1
        if self._until_eof and self._asked % CHECK_EVERY == 0:
            readable, _, _ = select.select([sys.stdin], [], [], 0)
            self._ended |= bool(readable) and not os.read(sys.stdin.fileno(), 4096)
        return self._ended

    def _end(self, *_: object) -> None:
        self._ended = True
