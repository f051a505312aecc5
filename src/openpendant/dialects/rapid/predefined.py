"""Data that every program knows: speeds, zones, tool0, names of errors, pi."""

import math
from typing import Any

from .error_numbers import ALL_ERRORS, ERROR_NUMBERS
from .types import STRING, TYPES, RapidType

SPEEDS = (5, 10, 20, 30, 40, 50, 60, 80, 100, 150, 200, 300, 400, 500, 600, 800, 1000, 1500, 2000, 2500, 3000, 4000)
SPEEDS += (5000, 6000, 7000)
NEAR = {0: 0.3, 1: 1.0}
WIDE = {0: 0.3, 1: 1, 5: 8, 10: 15, 15: 23, 20: 30, 30: 45, 40: 60, 50: 75, 60: 90, 80: 120, 100: 150}
WIDE |= {150: 225, 200: 300}
"""Millimetres in which orientation and further axes change, by the name of the zone."""
WAIT_MAX = 9_999_999.0

_NOWHERE = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
_LOAD0 = (0.001, (0.0, 0.0, 0.001), (1.0, 0.0, 0.0, 0.0), 0.0, 0.0, 0.0)


def _predefined() -> dict[str, tuple[RapidType, Any]]:
    num, speed, zone = TYPES["num"], TYPES["speeddata"], TYPES["zonedata"]
    found: dict[str, tuple[RapidType, Any]] = {}
    for v in SPEEDS:
        found[f"v{v}"] = speed, (float(v), 500.0, 5000.0, 1000.0)
    found["vmax"] = speed, (5000.0, 500.0, 5000.0, 1000.0)
    for v in (1, 2, 5, 10, 20, 50, 100):
        found[f"vrot{v}"] = speed, (0.0, 0.0, 0.0, float(v))
    for v in (10, 20, 50, 100, 200, 500, 1000):
        found[f"vlin{v}"] = speed, (0.0, 0.0, float(v), 0.0)
    found["fine"] = zone, (True, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for name, millimetres in WIDE.items():
        wide = float(millimetres)
        turn = {15: 2.3, 150: 23.0}.get(name, wide / 10.0)
        found[f"z{name}"] = zone, (False, NEAR.get(name, float(name)), wide, wide, turn, wide, turn)
    found["tool0"] = TYPES["tooldata"], (True, _NOWHERE, _LOAD0)
    found["wobj0"] = TYPES["wobjdata"], (False, True, "", _NOWHERE, _NOWHERE)
    found["load0"] = TYPES["loaddata"], _LOAD0
    found["pi"] = num, math.pi
    found["EOF"] = STRING, "EOF"
    found["EOF_NUM"] = num, 9.998e36
    found["EOF_BIN"] = num, -1.0
    found["WAIT_MAX"] = num, WAIT_MAX
    found["END_OF_LIST"] = num, 0.0
    found["STR_DIGIT"] = STRING, "0123456789"
    found["STR_UPPER"] = STRING, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    found["STR_LOWER"] = STRING, "abcdefghijklmnopqrstuvwxyz"
    found["STR_WHITE"] = STRING, " \t\n\r\f\v"
    found["diskhome"] = STRING, "HOME:"
    found["stEmpty"] = STRING, ""
    found["LONG_JMP_ALL_ERR"] = TYPES["errnum"], float(ALL_ERRORS)
    for name, number in ERROR_NUMBERS.items():
        found[name] = TYPES["errnum"], float(number)
    for names, of in _NUMBERED:
        for value, name in enumerate(names.split()):
            found[name] = TYPES[of], float(value)
    for name, value in (("high", 1.0), ("low", 0.0), ("edge", 2.0)):
        found[name] = TYPES["dionum"], value
    return found


_NUMBERED = (
    ("OP_UNDEF OP_AUTO OP_MAN_PROG OP_MAN_TEST", "symnum"),
    ("RUN_UNDEF RUN_CONT_CYCLE RUN_INSTR_FWD RUN_INSTR_BWD RUN_SIM RUN_STEP_MOVE", "symnum"),
    ("HANDLER_NONE HANDLER_BWD HANDLER_ERR HANDLER_UNDO", "handler_type"),
    ("EVENT_NONE EVENT_POWERON EVENT_START EVENT_STOP EVENT_QSTOP EVENT_RESTART EVENT_RESET EVENT_STEP", "event_type"),
    ("SOCKET_CLOSED SOCKET_CREATED SOCKET_CONNECTED SOCKET_BOUND SOCKET_LISTENING", "socketstatus"),
    ("EGM_STATE_DISCONNECTED EGM_STATE_CONNECTED EGM_STATE_RUNNING", "egmstate"),
    ("EGM_FRAME_BASE EGM_FRAME_TOOL EGM_FRAME_WOBJ EGM_FRAME_WORLD EGM_FRAME_JOINT", "egmframetype"),
    ("EGM_STOP_HOLD EGM_STOP_RAMP_DOWN", "egmstopmode"),
    ("LT LTEQ EQ NOTEQ GT GTEQ", "opnum"),
    ("iconNone iconInfo iconWarning iconError", "icondata"),
    ("btnNone btnOK btnAbrtRtryIgn btnOKCancel btnRetryCancel btnYesNo btnYesNoCancel", "buttondata"),
    ("resUnkwn resOK resAbort resRetry resIgnore resCancel resYes resNo", "btnres"),
    ("TP_LATEST TP_PROGRAM TP_SCREENVIEWER", "tpnum"),
    ("UINT_UNDEF USINT UINT UDINT ULINT SINT INT DINT LINT", "inttypes"),
)
PREDEFINED: dict[str, tuple[RapidType, Any]] = _predefined()
"""Type and value by name."""
SYSTEM_DATA = {"ERRNO": TYPES["errnum"], "INTNO": TYPES["intnum"], "ROB_ID": TYPES["mecunit"]}
"""What the system itself changes."""
KNOWN = {name.lower(): name for name in (*PREDEFINED, *SYSTEM_DATA)}
