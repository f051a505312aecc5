"""The record of ABB: arms with IRC5 controllers and RobotWare 6, with one arm or two."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

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

DIALECT = "rapid"
OPTIONS = (
    VirtualOption("program", "Modules to load, as FILE or TASK:FILE.", "FILE,…"),
    VirtualOption("home", "Folder of the controller's disk HOME:; it keeps modules and persistents.", "FOLDER", "none"),
    VirtualOption("cell", "Folder of a cell, or a demo cell; its signals and tools, and what arms can touch.", "CELL"),
    VirtualOption("robot", "Robot of the cell to simulate, if there are several.", "NAME"),
    VirtualOption("power", "Motors at the start.", "on|off", "on"),
    VirtualOption("mode", "Key switch at the start: automatic, or manual with reduced speed.", "auto|manual", "auto"),
    VirtualOption("signals", "Signals, as NAME:DI, NAME:DO=1, with commas between.", "LIST", "pinzaOutput0, 1"),
    VirtualOption("tools", "Tooldata, as UNIT/NAME=[TRUE,…], with semicolons between.", "LIST"),
    VirtualOption("tasks", "Background tasks, with commas between.", "NAME,…", "T_OPENPENDANT"),
    VirtualOption("without", "RobotWare options that are missing: 616-1, 623-1, 689-1, 604-1.", "NUMBER,…"),
    VirtualOption("egm", "Where messages of guided motion go; a second arm's go to the next port.", "ADDRESS:PORT"),
    VirtualOption("rws", "Port of Robot Web Services.", "PORT", "80, or 8080"),
    VirtualOption("noise", "Noise of measured values; 0 for none.", "FACTOR", "1"),
    VirtualOption("seed", "Seed of noise and random faults.", "NUMBER", "0"),
    VirtualOption("boot", "Duration of a reboot.", "SECONDS", "1"),
    VirtualOption("network", "Allow programs to connect to addresses other than loopback."),
)
KEYS = {
    "motors_on": ("p", "motors on"),
    "motors_off": ("o", "motors off"),
    "auto": ("a", "automatic"),
    "manual": ("m", "manual"),
    "grant": ("y", "let client in"),
    "deny": ("d", "refuse client"),
    "to_main": ("t", "PP to Main"),
    "start": ("g", "start"),
    "step": ("w", "step"),
    "stop": ("s", "stop"),
    "emergency_stop": ("e", "EMERGENCY STOP"),
    "emergency_reset": ("r", "reset it"),
    "open_guard": ("u", "open guard"),
    "close_guard": ("c", "close guard"),
    "switch_on": ("n", "switch on"),
    **{f"key_{number}": (str(number), f"key {number}") for number in range(1, 6)},
}
NEXT = {
    "emergencystop": ("emergency_reset",),
    "guardstop": ("close_guard",),
    "motoroff": ("motors_on",),
    "motoron": ("motors_off",),
}
"""By the state of the controller: the buttons that do what it needs next."""
TITLES = {
    "motors_on": say("press.motors_on"),
    "motors_off": say("press.motors_off"),
    "auto": say("press.automatic"),
    "grant": say("press.let_in"),
    "deny": say("press.refuse"),
    "emergency_reset": say("press.emergency_reset"),
    "close_guard": say("press.close_guard"),
}
ONE_TASK = "T_ROB1"
ARMS: Mapping[tuple[str, ...], int] = {("arm",): 6, ("left", "right"): 7}
"""Axes of the arms that its controllers drive, by their names."""


def _drives(robot: Robot) -> bool:
    # What was imported from a URDF has no maker's convention: its dimensions and limits are not those of the maker.
    arms = robot.facts.arms
    axes = ARMS.get(tuple(arm.name for arm in arms))
    return robot.facts.convention == "abb" and bool(arms) and all(len(arm.joints) == axes for arm in arms)


def _export(
    cell: Cell, program: Program, *, programs: Mapping[str, Program] | None, folder: Path | str | None
) -> tuple[VendorText, ...]:
    from openpendant.programs.export import export_rapid

    return export_rapid(cell, program, programs=programs, folder=folder)


def _virtual_model(robot: Robot) -> str:
    return robot.name if _drives(robot) and not robot.imported and robot.name in VIRTUAL.models else ""


def _options_in_cell(cell: Cell, robot: str, folder: Path | None, address: str) -> Mapping[str, str]:
    from .abb_cell import configuration_of

    # The driver waits for guided motion at the controller's own address, so that many controllers need one port.
    return {**configuration_of(cell, robot, folder), "egm": address}


def _serve(
    plan: VirtualPlan,
    on_ready: Callable[[VirtualReady], None],
    on_slow: Callable[[], None],
    ended: Callable[[], bool],
) -> None:
    from openpendant.virtual.abb.start import AbbStart, serve
    from openpendant.virtual.launch import CONTROL_PORT, PANEL_PORT

    given = dict(plan.options)
    if "cell" in given:
        configured = _configured(given["cell"], given.get("robot"), plan.model)
        given = {**configured, **given}
    start = AbbStart(
        model=plan.model,
        bind=plan.bind,
        power=given.get("power", "on"),
        mode=given.get("mode", "auto"),
        home=Path(given["home"]) if "home" in given else None,
        program=given.get("program", ""),
        tasks=given.get("tasks"),
        without=given.get("without", ""),
        signals=given.get("signals"),
        tools=given.get("tools", ""),
        cell=given.get("cell"),
        robot=given.get("robot"),
        egm=given.get("egm", ""),
        rws=int(_number(given, "rws", 0.0)) if "rws" in given else None,
        noise=_number(given, "noise", 1.0),
        seed=int(_number(given, "seed", 0.0)),
        boot_s=_number(given, "boot", 1.0),
        start_q=plan.start_q,
        lan=plan.lan,
        network="network" in given,
    )

    def report_ready(services: Mapping[str, str]) -> None:
        panel = f"http://{plan.bind}:{PANEL_PORT}/"
        on_ready(VirtualReady(plan.model, plan.bind, CONTROL_PORT, panel, dict(services)))

    serve(start, on_ready=report_ready, on_slow=on_slow, ended=ended)


def _configured(folder: str, robot: str | None, model: str) -> Mapping[str, str]:
    from openpendant.virtual.arm import ArmCell

    from .abb_cell import configuration_of

    found = ArmCell.load(folder, robot)
    scene = found.scene
    name = robot or next((one.name for one in scene.cell.robots if one.model == model), None)
    return {} if name is None else configuration_of(scene.cell, name, scene.folder)


def _number(given: Mapping[str, str], name: str, default: float) -> float:
    try:
        return float(given[name]) if name in given else default
    except ValueError:
        raise InputError(f"--{name} {given[name]!r} is not a number") from None


def _title(model: str) -> str:
    from openpendant.virtual.abb.operator import TITLES

    return TITLES.get(model, model)


def _buttons(state: Mapping[str, Any], moving: bool) -> tuple[PendantButton, ...]:
    """Return what the robot needs next; nothing while it moves."""
    if state["mains"] != "on" or moving:
        return ()
    names = [name for name in ("grant", "deny") if state["buttons"].get(name) is None]
    if not state["remote"]:
        names.append("auto")
    names += NEXT.get(state["robot_mode"], ())
    return tuple(_button(state, name) for name in names)


def _window(state: Mapping[str, Any]) -> PendantWindow | None:
    """Return the question of a program; one for a number is answered at the pendant."""
    shown = state["popup"]
    if shown is None:
        return None
    keys = tuple(PendantButton(f"key_{key['text']}", key["title"]) for key in state["keys"])
    return PendantWindow(shown["title"], shown["text"], keys)


def _button(state: Mapping[str, Any], name: str) -> PendantButton:
    return PendantButton(name, TITLES[name], state["buttons"].get(name) or "")


VIRTUAL = VirtualMaker(
    models=("irb120", "yumi"),
    model_of=_virtual_model,
    ports=(29980, 29990),
    serve=_serve,
    title=_title,
    options=OPTIONS,
    options_in_cell=_options_in_cell,
    keys=KEYS,
)


def _make_driver(setup: DriverSetup) -> Controller:
    from openpendant.controllers.abb import AbbArm, AbbDriver
    from openpendant.programs.export import RAPID_TASKS
    from openpendant.virtual.abb import rws_port_at, units_of

    units = units_of(setup.robot)
    arms = (
        AbbArm(
            arm.name,
            RAPID_TASKS.get(arm.name, ONE_TASK),
            units[arm.name],
            arm.limits.lower,
            arm.limits.upper,
            arm.limits.velocity,
            arm.limits.stop.deceleration,
            arm.tool,
        )
        for arm in setup.arms
    )
    address = setup.address
    return AbbDriver(
        address.host,
        tuple(arms),
        inputs=setup.inputs,
        outputs=setup.outputs,
        rws_port=address.port or rws_port_at(address.host),
        dialler=setup.dialler,
    )


def _probe(address: Address, robot: Robot) -> tuple[Probed, ...]:
    from openpendant.controllers.abb import probe_abb
    from openpendant.virtual.abb import rws_port_at

    return probe_abb(
        address.host, address.port or rws_port_at(address.host), model=_title(robot.name), arms=len(robot.facts.arms)
    )


ABB = Maker(
    name="ABB",
    drives=_drives,
    make_driver=_make_driver,
    probe=_probe,
    ways=("host", "tcp"),
    virtual=VIRTUAL,
    uploads=Uploads(DIALECT, _export),
    buttons=_buttons,
    window=_window,
)
