"""UrSetup: how a virtual controller is to be, and running it."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv4Address
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from openpendant.errors import InputError
from openpendant.virtual.launch import CONTROL_PORT, PANEL_PORT

from .versions import parse_version

if TYPE_CHECKING:
    from openpendant.virtual.wire import ProgramSockets

    from .controller import UrController
    from .model import SpecimenCalibration

COMPILES_AFTER_S = 4.0
"""A start that takes longer than this is compiling."""


class Ready(msgspec.Struct, frozen=True):
    """Where a controller that has come up can be found."""

    model: str
    address: str
    control: int
    panel: str


class _Deltas(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Additions to the DH parameters, one for each joint; metres and radians."""

    delta_a: tuple[float, ...] = (0.0,) * 6
    delta_d: tuple[float, ...] = (0.0,) * 6
    delta_alpha: tuple[float, ...] = (0.0,) * 6
    delta_theta: tuple[float, ...] = (0.0,) * 6


@dataclass(frozen=True)
class UrSetup:
    """Options of a virtual controller; `openpendant virtual --help` describes each."""

    model: str = "ur3e"
    bind: str = "127.0.0.2"
    power: str = "on"
    program: Path | None = None
    programs: Path | None = None
    cell: str | None = None
    robot: str | None = None
    calibration: str | None = None
    noise: float = 1.0
    elastic_hz: float | None = None
    seed: int = 0
    start_q: tuple[float, ...] | None = None
    boot_s: float = 1.0
    lan: bool = False
    network: bool = False
    polyscope: str = "5.11"

    def check(self) -> None:
        """Raise InputError where a value is not allowed."""
        try:
            address = IPv4Address(self.bind)
        except ValueError:
            raise InputError(f"--bind {self.bind!r} is not an address; write for example 127.0.0.2") from None
        if not address.is_loopback and not self.lan:
            raise InputError(
                f"--bind {self.bind} is refused: anyone on the network could operate the controller and let it open "
                "connections; allowed: addresses of this machine (127.x.x.x), others only with --lan"
            )
        parse_version(self.polyscope)
        if self.power not in ("on", "off"):
            raise InputError(f"--power {self.power!r}; allowed: on or off")
        for option, path in (("--program", self.program), ("--programs", self.programs)):
            if path is not None and not path.exists():
                raise InputError(f"{option} {path}: no such {'file' if path is self.program else 'folder'}")

    def programs_folder(self) -> Path | None:
        """Return where programs are loaded from: the folder given, else that of the program."""
        if self.programs is not None:
            return self.programs
        return None if self.program is None else self.program.resolve().parent


def serve(
    setup: UrSetup, *, on_ready: Callable[[Ready], None], on_slow: Callable[[], None], ended: Callable[[], bool]
) -> None:
    """Run a virtual controller until `ended` says so.

    Args:
        setup: How it is to be.
        on_ready: Called once its ports answer.
        on_slow: Called where the start takes long because kernels are being compiled.
        ended: Asked before every tick.

    Raises:
        OpenPendantError: The setup, a file of it or the address cannot be used.
    """
    setup.check()
    slow = threading.Timer(COMPILES_AFTER_S, on_slow)
    slow.daemon = True
    slow.start()
    try:
        # Numerics are loaded after the setup is known to be good.
        from .host import UrHost

        host = UrHost(
            setup.bind,
            brain_maker(setup),
            programs=setup.programs_folder(),
            boot_s=setup.boot_s,
            seed=setup.seed,
            network=setup.network,
        )
    finally:
        slow.cancel()
    on_ready(Ready(setup.model, setup.bind, CONTROL_PORT, f"http://{setup.bind}:{PANEL_PORT}/"))
    host.run(ended)


def brain_maker(setup: UrSetup) -> "Callable[[ProgramSockets], UrController]":
    """Return what builds the controller of a setup, at the start and after every reboot.

    Raises:
        OpenPendantError: A file of the setup cannot be used.
    """
    from openpendant.virtual.arm import ArmCell, Tracking

    from .controller import UrController
    from .model import ur_model
    from .options import UrOptions

    model = ur_model(setup.model, _calibration(setup))
    cell = None if setup.cell is None else ArmCell.load(setup.cell, setup.robot)
    start_q = setup.start_q
    if cell is not None and start_q is None:
        names = (
            (setup.robot,) if setup.robot else (one.name for one in cell.scene.cell.robots if one.model == model.name)
        )
        start_q = next((tuple(map(float, cell.scene.arm(name).q_start)) for name in names), None)
    options = UrOptions(
        version=parse_version(setup.polyscope),
        power=setup.power == "on",
        tracking=Tracking(noise=setup.noise, elastic_hz=setup.elastic_hz),
    )

    def make(sockets: "ProgramSockets") -> UrController:
        brain = UrController(
            model,
            cell=cell,
            start_q=start_q,
            seed=setup.seed,
            options=options,
            programs=setup.programs_folder(),
            sockets=sockets,
        )
        if setup.program is not None:
            why = brain.load_program(setup.program)
            if why is not None:
                raise InputError(f"--program {setup.program}: {why}")
        return brain

    return make


def _calibration(setup: UrSetup) -> "SpecimenCalibration | None":
    from .model import SpecimenCalibration

    if setup.calibration is None:
        return None
    if setup.calibration == "typical":
        return SpecimenCalibration.typical(setup.seed)
    path = Path(setup.calibration)
    try:
        deltas = msgspec.json.decode(path.read_bytes(), type=_Deltas)
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(
            f"--calibration {path}: {error}; it must be 'typical' or a JSON file with delta_a, delta_d, delta_alpha, "
            "delta_theta of six numbers each"
        ) from None
    return SpecimenCalibration(*(getattr(deltas, name) for name in deltas.__struct_fields__))
