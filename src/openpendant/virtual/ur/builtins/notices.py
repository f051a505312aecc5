"""popup, textmsg and what else speaks to people."""

from typing import Any

from openpendant.dialects.urscript import Builtin, Wait, format_value
from openpendant.virtual.ur.parts import Parts
from openpendant.virtual.ur.reflexes import Reflexes

from .arguments import boolean, function

STOP_FROM_PROGRAM = (209, 0, "Triggered by the program")
"""The maker's code for protective stops for tests."""


class _Saying:
    """The functions; one object per controller."""

    def __init__(self, parts: Parts, reflexes: Reflexes) -> None:
        self._parts, self._reflexes = parts, reflexes

    def popup(self, s: Any, title: Any, warning: Any, error: Any, blocking: Any) -> Wait:
        """Show a window; a blocking one waits for a person."""
        waits = boolean(blocking, "popup: blocking")
        window = self._parts.pendant.show(
            _popup_text(s),
            _popup_text(title),
            warning=boolean(warning, "popup: warning"),
            error=boolean(error, "popup: error"),
            blocking=waits,
        )
        while waits and window.open:
            yield
        return None

    def textmsg(self, s1: Any, s2: Any) -> None:
        """Write into the log."""
        self._parts.text(_popup_text(s1) + _popup_text(s2))

    def protective_stop(self) -> None:
        """Stop the arm as the safety system would."""
        self._reflexes.protective_stop(*STOP_FROM_PROGRAM)

    def powerdown(self) -> Wait:
        """Switch the controller off; the program ends when the arm loses power."""
        self._parts.power.cut()
        self._parts.shut_down = True
        while True:
            yield


def _popup_text(value: Any) -> str:
    return value if isinstance(value, str) else format_value(value)


def pendant_functions(parts: Parts, reflexes: Reflexes) -> tuple[Builtin, ...]:
    """Return the functions that speak to people."""
    own = _Saying(parts, reflexes)
    return (
        function(
            "popup",
            own.popup,
            "s",
            ("title", "Popup"),
            ("warning", False),
            ("error", False),
            ("blocking", False),
            waits=True,
        ),
        function("textmsg", own.textmsg, "s1", ("s2", "")),
        function("protective_stop", own.protective_stop),
        function("powerdown", own.powerdown, waits=True),
    )
