"""PlainCommands: what clients write to the script ports that is not URScript."""

from collections.abc import Callable

from .parts import Parts
from .runner import ScriptRunner


class PlainCommands:
    """Commands of one line, as the maker's own client sends them. No reply: clients watch the state."""

    def __init__(self, parts: Parts, runner: ScriptRunner, dashboard: Callable[[str], str]) -> None:
        self._commands: dict[str, Callable[[], object]] = {
            "power on": lambda: dashboard("power on"),
            "power off": lambda: dashboard("power off"),
            "set robotmode run": lambda: dashboard("brake release"),
            "set unlock protective stop": parts.safety.unlock_when_due,
            "stop program": runner.stop,
        }

    def obey(self, text: str) -> bool:
        """Carry out a command; False where the text is none."""
        if text.count("\n") > 1:
            return False
        act = self._commands.get(" ".join(text.lower().split()))
        if act is None:
            return False
        act()
        return True
