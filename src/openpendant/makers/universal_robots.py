"""The record of Universal Robots: e-Series arms with PolyScope 5."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from openpendant.controllers import Address, Controller, Probed, VendorText
from openpendant.errors import InputError
from openpendant.programs import Program
from openpendant.robots import Robot
from openpendant.said import say
from openpendant.scene import Cell

from .driver_setup import DriverSetup
from .maker import Maker, Uploads
from .pendant import PendantButton, PendantWindow
from .virtual_maker import VirtualMaker, VirtualOption, VirtualPlan, VirtualReady

if TYPE_CHECKING:
    from openpendant.virtual.ur.setup import Ready

JOINTS = 6
DIALECT = "urscript"
OPTIONS = (
    VirtualOption("program", "Program to load: a tree in plain text, or URScript.", "FILE"),
    VirtualOption("programs", "Folder to load programs from.", "FOLDER"),
    VirtualOption("cell", "Folder of a cell, or a demo cell; the arm can collide with it.", "CELL"),
    VirtualOption("robot", "Robot of the cell to simulate, if there are several.", "NAME"),
    VirtualOption("power", "on: powered, brakes released; off: as after booting.", "on|off", "on"),
    VirtualOption("noise", "Noise of measured values; 0 for none.", "FACTOR", "1"),
    VirtualOption("elastic", "Natural frequency of soft joints.", "HZ", "stiff"),
    VirtualOption("calibration", "Deltas of the DH parameters as JSON, or 'typical'.", "FILE", "nominal"),
    VirtualOption("seed", "Seed of noise, typical calibration and random faults.", "NUMBER", "0"),
    VirtualOption("boot", "Duration of a reboot.", "SECONDS", "1"),
    VirtualOption("network", "Allow programs to connect to addresses other than loopback."),
    VirtualOption("polyscope", "PolyScope version to simulate, 5.11 to 5.25.", "VERSION", "5.11"),
)
NEXT = {
    "emergency stop": ("emergency_reset", "restart_safety"),
    "PROTECTIVE_STOP": ("unlock",),
    "VIOLATION": ("restart_safety",),
    "FAULT": ("restart_safety",),
    "POWER_OFF": ("power_on",),
    "IDLE": ("brake_release", "power_off"),
    "RUNNING": ("power_off",),
}
"""By what is to be put right: the buttons that do it, what the robot needs next first."""
KEYS = {
    "power_on": ("p", "power on"),
    "brake_release": ("i", "initialise"),
    "power_off": ("o", "power off"),
    "play": ("g", "play"),
    "pause": ("h", "pause"),
    "stop": ("s", "stop"),
    "continue": ("c", "continue"),
    "stop_popup": ("x", "stop program"),
    "emergency_stop": ("e", "EMERGENCY STOP"),
    "emergency_reset": ("r", "reset it"),
    "unlock": ("u", "unlock"),
    "restart_safety": ("t", "restart safety"),
    "switch_on": ("n", "switch on"),
    "shut_down": ("Z", "shut down"),
}
TITLES = {
    "power_on": say("press.power_on"),
    "brake_release": say("press.brake_release"),
    "power_off": say("press.power_off"),
    "unlock": say("press.unlock"),
    "emergency_reset": say("press.emergency_reset"),
    "restart_safety": say("press.restart_safety"),
    "continue": say("press.continue"),
    "stop_popup": say("press.stop_popup"),
}


def _drives(robot: Robot) -> bool:
    arms = robot.facts.arms
    # What was imported from a URDF has no maker's convention: its dimensions and limits are not those of the maker.
    return robot.facts.convention == "ur" and len(arms) == 1 and len(arms[0].joints) == JOINTS


def _make_driver(setup: DriverSetup) -> Controller:
    from openpendant.controllers.ur import UrDriver

    arm = setup.arms[0]
    return UrDriver(
        setup.address.host,
        arm=arm.name,
        inputs=setup.inputs,
        outputs=setup.outputs,
        tool=arm.tool,
        stop_deceleration=arm.limits.stop.deceleration,
        dialler=setup.dialler,
    )


def _probe(address: Address, robot: Robot) -> tuple[Probed, ...]:
    from openpendant.controllers.ur import probe_ur

    return probe_ur(address.host, robot.name)


def _export(
    cell: Cell, program: Program, *, programs: Mapping[str, Program] | None, folder: Path | str | None
) -> tuple[VendorText, ...]:
    from openpendant.programs.export import export_urscript

    return export_urscript(cell, program, programs=programs, folder=folder)


def _virtual_model(robot: Robot) -> str:
    return robot.name if _drives(robot) and not robot.imported and robot.name in VIRTUAL.models else ""


def _serve(
    plan: VirtualPlan,
    on_ready: Callable[[VirtualReady], None],
    on_slow: Callable[[], None],
    ended: Callable[[], bool],
) -> None:
    from openpendant.virtual.ur.setup import UrSetup, serve

    given = plan.options
    program, programs = given.get("program"), given.get("programs")
    setup = UrSetup(
        model=plan.model,
        bind=plan.bind,
        power=given.get("power", "on"),
        program=None if program is None else Path(program),
        programs=None if programs is None else Path(programs),
        cell=given.get("cell"),
        robot=given.get("robot"),
        calibration=given.get("calibration"),
        noise=_number(given, "noise", 1.0),
        elastic_hz=_number(given, "elastic", 0.0) if "elastic" in given else None,
        seed=int(_number(given, "seed", 0.0)),
        start_q=next(iter(plan.start_q.values()), None),
        boot_s=_number(given, "boot", 1.0),
        lan=plan.lan,
        network="network" in given,
        polyscope=given.get("polyscope", "5.11"),
    )

    def report_ready(ready: "Ready") -> None:
        on_ready(VirtualReady(ready.model, ready.address, ready.control, ready.panel))

    serve(setup, on_ready=report_ready, on_slow=on_slow, ended=ended)


def _number(given: Mapping[str, str], name: str, default: float) -> float:
    try:
        return float(given[name]) if name in given else default
    except ValueError:
        raise InputError(f"--{name} {given[name]!r} is not a number") from None


def _title(model: str) -> str:
    return model.upper().removesuffix("E") + ("e" if model.endswith("e") else "")


def _buttons(state: Mapping[str, Any], moving: bool) -> tuple[PendantButton, ...]:
    """Return what the robot needs next; nothing while it moves."""
    mode, safety = state["robot_mode"], state["safety"]
    if state["mains"] != "on" or (mode == "RUNNING" and moving):
        return ()
    need = "emergency stop" if state["emergency"] or safety.endswith("EMERGENCY_STOP") else safety
    return tuple(_button(state, name) for name in NEXT.get(need if need in NEXT else mode, ()))


def _window(state: Mapping[str, Any]) -> PendantWindow | None:
    shown = state["popup"]
    if shown is None:
        return None
    return PendantWindow(shown["title"], shown["text"], (_button(state, "continue"), _button(state, "stop_popup")))


def _button(state: Mapping[str, Any], name: str) -> PendantButton:
    return PendantButton(name, TITLES[name], state["buttons"].get(name) or "")


VIRTUAL = VirtualMaker(
    models=("ur3e", "ur5e"),
    model_of=_virtual_model,
    ports=(29999, 30001, 30002, 30003, 30004),
    serve=_serve,
    title=_title,
    options=OPTIONS,
    keys=KEYS,
    words={"initialise": "brake_release"},
)
UNIVERSAL_ROBOTS = Maker(
    name="Universal Robots",
    drives=_drives,
    make_driver=_make_driver,
    probe=_probe,
    virtual=VIRTUAL,
    uploads=Uploads(DIALECT, _export),
    buttons=_buttons,
    window=_window,
)
