"""What the dashboard server answers, word for word: clients compare these texts (Dashboard Server e-Series guide)."""

GREETING = "Connected: Universal Robots Dashboard Server"
STARTING_PROGRAM = "Starting program"
STOPPED = "Stopped"
PAUSING_PROGRAM = "Pausing program"
DISCONNECTED = "Disconnected"
SHUTTING_DOWN = "Shutting down"
NO_PROGRAM_LOADED = "No program loaded"
SHOWING_POPUP = "showing popup"
CLOSING_POPUP = "closing popup"
CLOSING_SAFETY_POPUP = "closing safety popup"
ADDED_LOG_MESSAGE = "Added log message"
NO_LOG_MESSAGE = "No log message to add"
POWERING_ON = "Powering on"
POWERING_OFF = "Powering off"
BRAKE_RELEASING = "Brake releasing"
PROTECTIVE_STOP_RELEASING = "Protective stop releasing"
UNLOCK_TOO_EARLY = (
    "Cannot unlock protective stop until 5s after occurrence. Always inspect cause of protective stop before unlocking"
)
RESTARTING_SAFETY = "Restarting safety"
LOG_SAVED = "Log saved to disk"
CLEARED_OPERATIONAL_MODE = "No longer controlling the operational mode. Current operational mode: NONE."


def encode_reply(text: str) -> bytes:
    """Return a reply as it goes out: one line, whatever the text holds."""
    return " ".join(text.splitlines()).encode() + b"\n"


def truth(value: bool) -> str:
    """Answer to a yes-or-no question: `true` or `false`."""
    return "true" if value else "false"


def failed(verb: str) -> str:
    """Answer to a command that could not be done, as `play`."""
    return f"Failed to execute: {verb}"


def not_understood(line: str) -> str:
    """Answer to a line that is not a command."""
    return f"could not understand: '{line}'"


def loading_program(path: str) -> str:
    """Answer to `load`."""
    return f"Loading program: {path}"


def loading_installation(path: str) -> str:
    """Answer to `load installation`."""
    return f"Loading installation: {path}"


def file_not_found(path: str) -> str:
    """Answer to `load` of a file that is not there."""
    return f"File not found: {path}"


def error_loading(path: str) -> str:
    """Answer to `load` of a file that is not a program."""
    return f"Error while loading program: {path}"


def failed_installation(path: str) -> str:
    """Answer to `load installation` of a file that does not hold an installation."""
    return f"Failed to load installation: {path}"


def loaded_program(path: str) -> str:
    """Answer to `get loaded program`; NO_PROGRAM_LOADED without one."""
    return f"Loaded program: {path}" if path else NO_PROGRAM_LOADED


def program_running(running: bool) -> str:
    """Answer to `running`."""
    return f"Program running: {truth(running)}"


def program_state(state: str, name: str) -> str:
    """Answer to `programState`: STOPPED, PLAYING or PAUSED and the program's file name."""
    return f"{state} {name}".rstrip()


def program_saved(saved: bool, name: str) -> str:
    """Answer to `isProgramSaved`."""
    return f"{truth(saved)} {name}".rstrip()


def robot_mode(mode: str) -> str:
    """Answer to `robotmode`: NO_CONTROLLER, DISCONNECTED, CONFIRM_SAFETY, BOOTING, POWER_OFF, POWER_ON, IDLE, ..."""
    return f"Robotmode: {mode}"


def safety_mode(mode: str) -> str:
    """Answer to `safetymode`: NORMAL, REDUCED, PROTECTIVE_STOP, RECOVERY, SAFEGUARD_STOP, ..."""
    return f"Safetymode: {mode}"


def safety_status(status: str) -> str:
    """Answer to `safetystatus`: as `safetymode`, with more kinds of safeguard stop."""
    return f"Safetystatus: {status}"


def polyscope_version(version: str, build_date: str) -> str:
    """Answer to `PolyscopeVersion`: four numbers with dots, and a date as text."""
    return f"URSoftware {version} ({build_date})"


def operational_mode_set(mode: str) -> str:
    """Answer to `set operational mode`: MANUAL or AUTOMATIC."""
    return f"Operational mode {mode} is set"


def failed_operational_mode(mode: str) -> str:
    """Answer to `set operational mode` with a word that is not a mode."""
    return f"Failed setting operational mode: {mode}"


def flight_report(report_id: str) -> str:
    """Answer to `generate flight report`."""
    return f"Flight Report generated with id: {report_id}"


def support_file(path: str) -> str:
    """Answer to `generate support file`."""
    return f"Completed successfully: {path}"
