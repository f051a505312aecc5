"""`openpendant virtual`: a virtual controller that clients cannot tell from a real one."""

import os
import select
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from openpendant.virtual.ur.setup import Ready

__all__ = ["add_to"]

LOOK_EVERY = 250
"""Ticks between looks whether standard input has ended."""


def add_to(app: typer.Typer) -> None:
    """Give `app` the verb."""
    app.command("virtual")(virtual)


def virtual(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="ur3e or ur5e.")] = "ur3e",
    bind: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address of its own; the ports are the vendor's.")
    ] = "127.0.0.2",
    program: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Program to load: a tree in plain text, or URScript.")
    ] = None,
    programs: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder that programs are loaded from.")
    ] = None,
    cell: Annotated[
        str | None, typer.Option(metavar="CELL", help="Folder of a cell, or a demo cell, that the arm can hit.")
    ] = None,
    robot: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which robot of the cell it is, where there are several.")
    ] = None,
    power: Annotated[
        str, typer.Option(metavar="on|off", help="on: powered, brakes released. off: as after switching on the box.")
    ] = "on",
    noise: Annotated[float, typer.Option(metavar="FACTOR", help="Of measured values; 0 for none.")] = 1.0,
    elastic: Annotated[
        float | None, typer.Option(metavar="HZ", help="Natural frequency of soft joints.", show_default="stiff")
    ] = None,
    calibration: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Deltas of the DH parameters as JSON, or 'typical'.", show_default="nominal"),
    ] = None,
    start_q: Annotated[
        str | None, typer.Option(metavar="Q1,…,Q6", help="Joints at the start, radians.", show_default="upright")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of noise, of a typical calibration and of random faults.")] = 0,
    boot: Annotated[float, typer.Option(metavar="SECONDS", help="How long a reboot takes.")] = 1.0,
    lan: Annotated[bool, typer.Option("--lan", help="Allow an address that others on the network can reach.")] = False,
    network: Annotated[
        bool, typer.Option("--network", help="Let programs connect to addresses that are not loopback.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the ready line as JSON.")] = False,
    until_eof: Annotated[bool, typer.Option("--until-eof", help="End when standard input does.")] = False,
) -> None:
    """Start a virtual Universal Robots controller on standard ports, and its pendant on a web page.

    RTDE, dashboard, primary, secondary and real-time interface answer as on a real one; Ctrl-C ends it.
    """
    from openpendant.virtual.ur.setup import UrSetup, serve

    setup = UrSetup(
        model=model,
        bind=bind,
        power=power,
        program=program,
        programs=programs,
        cell=cell,
        robot=robot,
        calibration=calibration,
        noise=noise,
        elastic_hz=elastic,
        seed=seed,
        start_q=None if start_q is None else read_joints(start_q),
        boot_s=boot,
        lan=lan,
        network=network,
    )

    def on_ready(ready: "Ready") -> None:
        if as_json:
            import msgspec

            print(msgspec.json.encode(ready).decode(), flush=True)
            return
        name = ready.model.upper().removesuffix("E") + ("e" if ready.model.endswith("e") else "")
        print(f"Virtual {name} is ready at {ready.address}  (pendant: {ready.panel}, Ctrl-C ends it)", flush=True)

    def on_slow() -> None:
        print("Compiling the kernels: only the first start on a machine takes so long ...", file=sys.stderr, flush=True)

    serve(setup, on_ready=on_ready, on_slow=on_slow, ended=Ending(until_eof=until_eof))


class Ending:
    """Tells when to end: after a signal, or where standard input is over."""

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
        if self._until_eof and self._asked % LOOK_EVERY == 0:
            readable, _, _ = select.select([sys.stdin], [], [], 0)
            self._ended |= bool(readable) and not os.read(sys.stdin.fileno(), 4096)
        return self._ended

    def _end(self, *_: object) -> None:
        self._ended = True


def read_joints(text: str) -> tuple[float, ...]:
    """Return joints written as numbers with commas; raises InputError on others."""
    from openpendant.errors import InputError

    try:
        return tuple(float(one) for one in text.strip().split(","))
    except ValueError:
        raise InputError(f"--start-q {text!r}; written are six numbers in radians with commas between") from None
