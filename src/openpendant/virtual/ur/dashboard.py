"""Dashboard: what each command of port 29999 does, and the controller's own words in answer."""

from collections.abc import Callable

from openpendant.protocols.dashboard import Verb, parse_command
from openpendant.protocols.dashboard import replies as say

from .modes import RuntimeState, SafetyMode
from .parts import Parts
from .runner import ScriptRunner

STATES = {
    RuntimeState.STOPPED: "STOPPED",
    RuntimeState.STOPPING: "STOPPED",
    RuntimeState.PLAYING: "PLAYING",
    RuntimeState.RESUMING: "PLAYING",
    RuntimeState.PAUSING: "PAUSED",
    RuntimeState.PAUSED: "PAUSED",
}


class Dashboard:
    """Carries out one line at a time."""

    def __init__(self, parts: Parts, runner: ScriptRunner, stop_everything: Callable[[], None]) -> None:
        self._parts, self._runner, self._stop_everything = parts, runner, stop_everything
        self._reports = 0
        self._installation = "default.installation"
        self._verbs: dict[Verb, Callable[[str], str]] = {
            Verb.LOAD: self._load,
            Verb.LOAD_INSTALLATION: self._load_installation,
            Verb.PLAY: lambda _: say.STARTING_PROGRAM if runner.play() else say.failed("play"),
            Verb.STOP: self._stop,
            Verb.PAUSE: lambda _: say.PAUSING_PROGRAM if runner.pause() else say.failed("pause"),
            Verb.QUIT: lambda _: say.DISCONNECTED,
            Verb.SHUTDOWN: self._shut_down,
            Verb.RUNNING: lambda _: say.program_running(parts.program_running),
            Verb.ROBOT_MODE: lambda _: say.robot_mode(parts.power.mode.name),
            Verb.GET_LOADED_PROGRAM: lambda _: say.loaded_program(self._path),
            Verb.POPUP: self._popup,
            Verb.CLOSE_POPUP: self._close_popup,
            Verb.ADD_TO_LOG: self._add_to_log,
            Verb.IS_PROGRAM_SAVED: lambda _: say.program_saved(saved=True, name=self._name),
            Verb.PROGRAM_STATE: lambda _: say.program_state(STATES[parts.runtime_state], self._name),
            Verb.POLYSCOPE_VERSION: lambda _: say.polyscope_version(self._version, parts.options.build_date),
            Verb.VERSION: lambda _: self._version,
            Verb.SET_OPERATIONAL_MODE: self._set_operational_mode,
            Verb.GET_OPERATIONAL_MODE: lambda _: (parts.pendant.operational_mode or "none").upper(),
            Verb.CLEAR_OPERATIONAL_MODE: self._clear_operational_mode,
            Verb.POWER_ON: self._power_on,
            Verb.POWER_OFF: self._power_off,
            Verb.BRAKE_RELEASE: self._brake_release,
            Verb.SAFETY_MODE: lambda _: say.safety_mode(parts.safety.mode.name),
            Verb.SAFETY_STATUS: lambda _: say.safety_status(parts.safety.mode.name),
            Verb.UNLOCK_PROTECTIVE_STOP: self._unlock,
            Verb.CLOSE_SAFETY_POPUP: self._close_safety_popup,
            Verb.RESTART_SAFETY: self._restart_safety,
            Verb.GET_SERIAL_NUMBER: lambda _: parts.options.serial,
            Verb.GET_ROBOT_MODEL: lambda _: parts.model.title,
            Verb.GENERATE_FLIGHT_REPORT: self._flight_report,
            Verb.GENERATE_SUPPORT_FILE: self._support_file,
            Verb.SAVE_LOG: lambda _: say.LOG_SAVED,
            Verb.IS_IN_REMOTE_CONTROL: lambda _: say.truth(parts.remote_control),
        }

    def reply_to(self, line: str) -> str:
        """Carry out a command; return the reply."""
        command = parse_command(line)
        act = self._verbs.get(command.verb)
        return say.not_understood(line.strip()) if act is None else act(command.argument)

    @property
    def _path(self) -> str:
        loaded = self._runner.loaded
        return "" if loaded is None else f"/programs/{loaded.name}"

    @property
    def _name(self) -> str:
        loaded = self._runner.loaded
        return "<unnamed>" if loaded is None else loaded.name

    @property
    def _version(self) -> str:
        return ".".join(map(str, self._parts.options.version))

    def _load(self, path: str) -> str:
        if not path or self._runner.find(path) is None:
            return say.file_not_found(path)
        why = self._runner.load(path)
        if why is None:
            return say.loading_program(path)
        self._parts.text(why)
        return say.error_loading(path)

    def _load_installation(self, path: str) -> str:
        if not path or self._runner.find(path) is None:
            return say.file_not_found(path)
        if not path.endswith(".installation"):
            return say.failed_installation(path)
        self._installation = path
        return say.loading_installation(path)

    def _stop(self, _: str) -> str:
        # Nothing running is not a failure: what was asked for is the case.
        self._runner.stop()
        return say.STOPPED

    def _shut_down(self, _: str) -> str:
        self._stop_everything()
        self._parts.power.cut()
        self._parts.shut_down = True
        return say.SHUTTING_DOWN

    def _popup(self, text: str) -> str:
        self._parts.pendant.show(text, "Popup", warning=False, error=False, blocking=False)
        return say.SHOWING_POPUP

    def _close_popup(self, _: str) -> str:
        self._parts.pendant.confirm()
        return say.CLOSING_POPUP

    def _add_to_log(self, text: str) -> str:
        if not text:
            return say.NO_LOG_MESSAGE
        self._parts.text(text)
        return say.ADDED_LOG_MESSAGE

    def _set_operational_mode(self, mode: str) -> str:
        if mode.lower() not in ("manual", "automatic"):
            return say.failed_operational_mode(mode)
        self._parts.pendant.operational_mode = mode.lower()
        return say.operational_mode_set(mode.upper())

    def _clear_operational_mode(self, _: str) -> str:
        self._parts.pendant.operational_mode = None
        return say.CLEARED_OPERATIONAL_MODE

    def _power_on(self, _: str) -> str:
        if self._parts.safety.emergency or self._parts.safety.mode in (SafetyMode.FAULT, SafetyMode.VIOLATION):
            return say.failed("power on")
        self._parts.power.power_on()
        return say.POWERING_ON

    def _power_off(self, _: str) -> str:
        self._stop_everything()
        self._parts.power.power_off()
        return say.POWERING_OFF

    def _brake_release(self, _: str) -> str:
        if self._parts.safety.emergency or self._parts.safety.mode in (SafetyMode.FAULT, SafetyMode.VIOLATION):
            return say.failed("brake release")
        self._parts.power.brake_release()
        return say.BRAKE_RELEASING

    def _unlock(self, _: str) -> str:
        why = self._parts.safety.unlock()
        return say.PROTECTIVE_STOP_RELEASING if why is None else why

    def _close_safety_popup(self, _: str) -> str:
        self._parts.safety.popup = False
        return say.CLOSING_SAFETY_POPUP

    def _restart_safety(self, _: str) -> str:
        self._stop_everything()
        self._parts.safety.restart()
        self._parts.power.cut()
        return say.RESTARTING_SAFETY

    def _flight_report(self, _: str) -> str:
        self._reports += 1
        return say.flight_report(str(self._reports))

    def _support_file(self, path: str) -> str:
        self._reports += 1
        return say.support_file(f"{path or '/programs'}/ursupport_{self._reports}.zip")
