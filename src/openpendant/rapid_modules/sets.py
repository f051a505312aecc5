"""RapidSet: modules that belong together, each with its task, and the signals that the configuration must have."""

from dataclasses import dataclass
from pathlib import Path

from openpendant.errors import InputError, UnknownNameError

ROOM = Path(__file__).parent


@dataclass(frozen=True)
class RapidFile:
    """One module.

    Attributes:
        path: Of its text.
        task: Into which it is loaded, as "T_ROB1".
        moves: Whether that task moves an arm; else it runs in the background.
        arms: How many a controller must have at least to need it, and to load it.
        option: Of RobotWare, without which it is left out; empty: it is always loaded.
    """

    path: Path
    task: str
    moves: bool = True
    arms: int = 1
    option: str = ""

    @property
    def text(self) -> str:
        """The module."""
        return self.path.read_text(encoding="utf-8")


@dataclass(frozen=True)
class RapidSet:
    """Modules that belong together.

    Attributes:
        name: As "vr_arm".
        title: What it does, in a few words.
        files: Its modules; one that belongs to several tasks is listed for each.
        signals: What the configuration must have besides: name and kind ("DO", "AO", ...).
        options: Of RobotWare, that it needs.
    """

    name: str
    title: str
    files: tuple[RapidFile, ...]
    signals: tuple[tuple[str, str], ...] = ()
    options: tuple[str, ...] = ()


def _file(name: str, task: str, *, moves: bool = True, arms: int = 1, option: str = "") -> RapidFile:
    return RapidFile(ROOM / name, task, moves, arms, option)


PC, TASKS, TWO_ARMS = "616-1 PC Interface", "623-1 Multitasking", "604-1 MultiMove Coordinated"
GUIDANCE = "689-1 Externally Guided Motion"
RAPID_SETS = (
    RapidSet(
        "vr_arm",
        "moves an IRB 120 and its gripper by text messages, and streams its joints",
        (
            _file("vr_arm/VrArm.mod", "T_ROB1"),
            _file("vr_arm/VrArmServer.mod", "T_VR_SERVER", moves=False),
            _file("vr_arm/VrArmStream.mod", "T_VR_STREAM", moves=False),
        ),
        (("pinzaOutput0", "DO"), ("pinzaOutput1", "DO")),
        (PC, TASKS),
    ),
    RapidSet(
        "cobot_learn",
        "records where an operator's hands go on a YuMi, and plays it",
        (_file("cobot_learn/CobotLearnLeft.mod", "T_ROB_L"), _file("cobot_learn/CobotLearnRight.mod", "T_ROB_R")),
        (),
        (PC, TASKS, TWO_ARMS),
    ),
    RapidSet(
        "motion_program",
        "executes motion_program.bin, as abb-motion-program-exec writes it, on one arm or two",
        (
            _file("motion_program/MotionProgram.mod", "T_ROB1"),
            _file("motion_program/MotionProgram.mod", "T_ROB2"),
            _file("motion_program/MotionProgramSync.mod", "T_ROB1", arms=2),
            _file("motion_program/MotionProgramSync.mod", "T_ROB2", arms=2),
            _file("motion_program/MotionProgramGuided.mod", "T_ROB1", option=GUIDANCE),
            _file("motion_program/MotionProgramGuided.mod", "T_ROB2", option=GUIDANCE),
            _file("motion_program/MotionProgramLog.mod", "T_MP_LOG", moves=False),
        ),
        (
            ("motion_program_preempt", "AO"),
            ("motion_program_preempt_current", "AO"),
            ("motion_program_preempt_cmd_num", "AO"),
            ("motion_program_current_cmd_num", "AO"),
            ("motion_program_queued_cmd_num", "AO"),
            ("motion_program_log_motion", "DO"),
            ("motion_program_stop_egm", "DO"),
        ),
        (PC, TASKS),
    ),
)
"""All of them."""


def rapid_set(name: str) -> RapidSet:
    """Return a set.

    Raises:
        UnknownNameError: There is none of that name.
    """
    for one in RAPID_SETS:
        if one.name == name:
            return one
    raise UnknownNameError("set of RAPID modules", name, [one.name for one in RAPID_SETS])


def write_rapid_set(one: RapidSet, folder: Path) -> tuple[Path, ...]:
    """Write the modules of a set into a folder, which is made if it is not there; return their paths.

    Raises:
        InputError: The folder cannot be written.
    """
    texts = {file.path.name: file.text for file in one.files}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror or error}") from error
    return tuple(folder / name for name in texts)
