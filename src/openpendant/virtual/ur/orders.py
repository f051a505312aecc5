"""Orders: what a person at the pendant, a test or a script can ask of this controller beside what all take."""

from openpendant.virtual.pendant import LoadProgram, PendantOrder, ReadVariables, SetInput, SetRemote, SetSpeedSlider

BUTTONS = (
    "switch_on",
    "power_on",
    "brake_release",
    "power_off",
    "play",
    "pause",
    "stop",
    "continue",
    "stop_popup",
    "emergency_stop",
    "emergency_reset",
    "unlock",
    "restart_safety",
    "shut_down",
)


class HoldFreedrive(PendantOrder, frozen=True, tag="freedrive"):
    """Hold or release the freedrive button; a hold ends by itself unless it is repeated within a second."""

    held: bool


class PushTool(PendantOrder, frozen=True, tag="push"):
    """Push the tool: force (N) and torque (Nm) in base axes; six zeros let go."""

    wrench: tuple[float, float, float, float, float, float]


class ProtectiveStop(PendantOrder, frozen=True, tag="protective_stop"):
    """Stop as if something had been hit."""

    reason: str = "from the pendant"


class RunScript(PendantOrder, frozen=True, tag="script"):
    """Run URScript as if it had come on port 30001."""

    text: str


WHILE_OFF = (ReadVariables, SetInput, SetRemote)
"""What needs no controller that is switched on."""
ORDERS = (*WHILE_OFF, LoadProgram, SetSpeedSlider, HoldFreedrive, PushTool, ProtectiveStop, RunScript)
