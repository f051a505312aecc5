"""Names of Universal Robots' numbers for modes and states."""

from openpendant.messages import Mode, Safety

MODES: dict[int, Mode] = {
    -1: "unknown",  # no controller
    0: "unknown",  # disconnected
    1: "off",  # confirm safety
    2: "booting",
    3: "off",
    4: "off",  # power on: the joints start
    5: "braked",  # idle
    6: "freedrive",  # backdrive
    7: "ready",  # running
    8: "booting",  # updating firmware
}
"""robot_mode of the RTDE guide."""

SAFETIES: dict[int, Safety] = {
    1: "normal",
    2: "reduced",
    3: "protective stop",
    4: "recovery",
    5: "safeguard stop",
    6: "emergency stop",  # system
    7: "emergency stop",  # robot
    8: "fault",  # violation
    9: "fault",
    10: "unknown",  # validate joint id
    11: "unknown",  # undefined
    12: "safeguard stop",  # automatic mode
    13: "enabling device",  # three-position enabling device
}
"""safety_mode of the RTDE guide."""

STOPPED, PLAYING, PAUSED = (0, 1), 2, 4
"""runtime_state: stopping and stopped; playing; paused."""
