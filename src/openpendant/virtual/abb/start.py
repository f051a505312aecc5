"""AbbStart: how a virtual controller comes up as a process, and running it."""

import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from ipaddress import IPv4Address
from pathlib import Path
from typing import TYPE_CHECKING

from openpendant.errors import InputError, OpenPendantError

if TYPE_CHECKING:
    from openpendant.virtual.wire import ProgramSockets

    from .controller import AbbController
    from .host import AbbHost

COMPILES_AFTER_S = 4.0
"""A start that takes longer than this is compiling."""
DRIVER_TASK = "T_OPENPENDANT"
"""The background task in which OpenPendant's driver runs its server."""
MODES = {"auto": "AUTO", "manual": "MANR"}


@dataclass(frozen=True)
class AbbStart:
    """Options of a virtual controller as text; `openpendant virtual --help` describes each.

    Attributes:
        start_q: Joints by arm, radians; the only arm may be called "". Arms that are not in it stand as in the cell,
            or in their first posture.
    """

    model: str = "irb120"
    bind: str = "127.0.0.2"
    power: str = "on"
    mode: str = "auto"
    home: Path | None = None
    program: str = ""
    tasks: str | None = None
    without: str = ""
    signals: str | None = None
    tools: str = ""
    cell: str | None = None
    robot: str | None = None
    egm: str = ""
    rws: int | None = None
    noise: float = 1.0
    seed: int = 0
    boot_s: float = 1.0
    start_q: Mapping[str, Sequence[float]] = field(default_factory=dict[str, Sequence[float]])
    lan: bool = False
    network: bool = False

    def check(self) -> None:
        """Raise InputError where a value is not allowed, as far as that shows without loading the robot."""
        try:
            address = IPv4Address(self.bind)
        except ValueError:
            raise InputError(f"--bind {self.bind!r} is not an address; write for example 127.0.0.2") from None
        if not address.is_loopback and not self.lan:
            raise InputError(
                f"--bind {self.bind} is refused: anyone on the network could operate the controller and let it open "
                "connections; allowed: addresses of this machine (127.x.x.x), others only with --lan"
            )
        if self.power not in ("on", "off"):
            raise InputError(f"--power {self.power!r}; allowed: on or off")
        if self.mode not in MODES:
            raise InputError(f"--mode {self.mode!r}; allowed: {' or '.join(MODES)}")
        if self.home is not None and not self.home.is_dir():
            raise InputError(f"--home {self.home}: no such folder")
        if self.rws is not None and not 0 < self.rws < 1 << 16:
            raise InputError(f"--rws {self.rws}; allowed: ports from 1 to {(1 << 16) - 1}")


def serve(
    start: AbbStart,
    *,
    on_ready: Callable[[Mapping[str, str]], None],
    on_slow: Callable[[], None],
    ended: Callable[[], bool],
) -> None:
    """Run a virtual controller until `ended` says so.

    Args:
        start: How it comes up.
        on_ready: Called once its ports answer, with where its services are.
        on_slow: Called where the start takes long because kernels are being compiled.
        ended: Asked before every tick.

    Raises:
        OpenPendantError: An option, a file of it or the address cannot be used.
    """
    start.check()
    slow = threading.Timer(COMPILES_AFTER_S, on_slow)
    slow.daemon = True
    slow.start()
    with ExitStack() as folders:
        try:
            host = make_host(start, folders)
        finally:
            slow.cancel()
        on_ready(host.services())
        host.run(ended)


def make_host(start: AbbStart, folders: ExitStack) -> "AbbHost":
    """Return a controller with open ports, its modules loaded, its motors as the options say.

    Args:
        start: How it comes up.
        folders: Removes its temporary folders.

    Raises:
        OpenPendantError: An option, a file of it or the address cannot be used.
    """
    # Numerics are loaded after the plain options are known to be good.
    from .configuration import parse_peer
    from .host import EGM_PORT, AbbHost

    make_brain = brain_maker(start, folders)
    sensor = parse_peer(start.egm, (start.bind, EGM_PORT))
    host = AbbHost(
        start.bind,
        make_brain,
        rws_port=start.rws,
        sensor=sensor,
        boot_s=start.boot_s,
        seed=start.seed,
        network=start.network,
    )
    try:
        host.brain.panel.set_mode("AUTO" if start.mode == "auto" else "MANR")
        host.brain.panel.set_motors(on=start.power == "on")
        _load(host.brain, start)
    except BaseException:
        host.close()
        raise
    return host


def brain_maker(start: AbbStart, folders: ExitStack) -> "Callable[[ProgramSockets], AbbController]":
    """Return what builds the controller, at the start and after every reboot.

    Raises:
        OpenPendantError: An option or a file of it cannot be used.
    """
    from openpendant.robots import load
    from openpendant.virtual.arm import ArmCell, Tracking

    from .assembly import build_controller, tasks_of, units_of
    from .compile_ahead import compile_kernels
    from .configuration import parse_signals, parse_tasks, parse_tools
    from .robotware import MULTITASKING, options_without
    from .setup import GRIPPER, AbbSetup

    robot = load(start.model)
    units = units_of(robot)
    options = options_without(filter(None, start.without.split(",")), arms=len(units))
    background = parse_tasks(DRIVER_TASK if start.tasks is None else start.tasks)
    if MULTITASKING not in options and start.tasks is None:
        background = ()
    if background and MULTITASKING not in options:
        raise InputError(f"--tasks {start.tasks}: a controller without {MULTITASKING} has no background tasks")
    home = start.home or Path(folders.enter_context(tempfile.TemporaryDirectory(prefix="openpendant-home-")))
    ramdisk = Path(folders.enter_context(tempfile.TemporaryDirectory(prefix="openpendant-ramdisk-")))
    setup = AbbSetup(
        start.model,
        start.bind,
        home,
        ramdisk,
        signals=GRIPPER if start.signals is None else parse_signals(start.signals),
        options=tuple(str(one) for one in options),
        tasks=(*tasks_of(robot), *background),
        tools=parse_tools(start.tools, tuple(units.values())),
    )
    cell = None if start.cell is None else ArmCell.load(start.cell, start.robot)
    known = {name: q for name, q in start.start_q.items() if name}
    if "" in start.start_q:
        if len(units) > 1:
            raise InputError(f"--start-q needs the names of arms: {', '.join(units)}")
        known[next(iter(units))] = start.start_q[""]
    if cell is not None:
        known = {**cell.joints(start.model), **known}

    def make(sockets: "ProgramSockets") -> "AbbController":
        brain = build_controller(
            setup, sockets, start_q=known, tracking=Tracking(noise=start.noise), cell=cell, seed=start.seed
        )
        compile_kernels(brain.units.values())
        return brain

    return make


def _load(brain: "AbbController", start: AbbStart) -> None:
    from .configuration import modules_by_task

    for task, files in modules_by_task(start.program, tuple(brain.program.tasks)).items():
        for file in files:
            try:
                text = Path(file).read_text(encoding="latin-1")
                brain.program.load(task, text, Path(file).name, replace=True)
            except (OSError, OpenPendantError) as why:
                raise InputError(f"--program {file}: {why}") from None
    if start.program and not brain.program.linked:
        raise InputError(f"--program {start.program}: {brain.program.fault}")
