"""Closed sets of words that go from a controller to a page: modes, safety states, kinds of events, deeds of people.

A page has a text for each; adding one here is an error of its compiler until it has.
"""

from typing import Literal

Mode = Literal["unknown", "booting", "off", "braked", "ready", "freedrive"]
"""'unknown': no contact; 'off': motors off; 'braked': motors on, brakes closed; 'ready': motors on, it can move;
'freedrive': moved by hand."""

OperatingMode = Literal["unknown", "automatic", "manual", "manual full speed"]
"""Where the operating mode selector stands (ISO 10218-1); 'unknown': there is none, or it is not reported. In the
manual modes somebody at the robot holds the enabling device while it moves."""

Safety = Literal[
    "unknown",
    "normal",
    "reduced",
    "protective stop",
    "safeguard stop",
    "enabling device",
    "emergency stop",
    "recovery",
    "fault",
]
"""What the robot's own safety says; it moves under 'normal' and 'reduced' only. 'enabling device': not pressed."""

ControllerEventKind = Literal[
    "connected",
    "closed",
    "lost",
    "recovered",
    "job started",
    "job done",
    "job failed",
    "stopped",
    "mode",
    "safety",
    "protective stop",
    "emergency stop",
    "message",
    "popup",
    "warning",
    "output",
    "input",
    "tool",
]
"""What happens at a controller."""

RobotEventKind = Literal[
    ControllerEventKind,
    "job stopped",
    "job held",
    "paused",
    "resumed",
    "held",
    "reduced",
    "halt",
    "stumbled",
    "fault",
    "ready",
    "not ready",
    "lease lost",
    "process started",
    "process ended",
    "start failed",
    "not connected",
]
"""What happens to a robot: at its controller, in its process, or to its process."""

EventKind = Literal[RobotEventKind, "silent", "person"]
"""Kinds of entries in the log of a project: also a client that does not report, and what people did."""

Deed = Literal[
    "connect",
    "disconnect",
    "take control",
    "take over",
    "give control",
    "hand over",
    "ask control",
    "run",
    "pause",
    "resume",
    "resume stopped",
    "reset parts",
    "step",
    "speed",
    "stop",
    "switch on",
    "switch off",
    "tool",
    "jog",
    "press",
    "reduce",
    "lift reduced",
    "leave",
]
"""What a person did."""
