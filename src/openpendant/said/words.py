"""Words for states, kinds and names, as sentences may hold them."""

from collections.abc import Iterable
from difflib import get_close_matches

from .said import Said, join, say

MODES = {
    "unknown": "mode.unknown",
    "booting": "mode.booting",
    "off": "mode.off",
    "braked": "mode.braked",
    "ready": "mode.ready",
    "freedrive": "mode.freedrive",
}
SAFETY = {
    "unknown": "safety.unknown",
    "normal": "safety.normal",
    "reduced": "safety.reduced",
    "protective stop": "safety.protective_stop",
    "safeguard stop": "safety.safeguard_stop",
    "enabling device": "safety.enabling_device",
    "emergency stop": "safety.emergency_stop",
    "recovery": "safety.recovery",
    "fault": "safety.fault",
}
HOW = {
    "along the path": "stop.along_path",
    "joint by joint": "stop.joint_by_joint",
    "by the controller": "stop.by_controller",
    "at rest": "stop.at_rest",
}
ROLES = {"viewer": "role.viewer", "operator": "role.operator", "engineer": "role.engineer"}
KINDS = {
    "robot": "kind.robot",
    "robot in this cell": "kind.robot_in_cell",
    "robot with arms in this cell": "kind.robot_with_arms",
    "arm": "kind.arm",
    "arm of this robot": "kind.arm_of_robot",
    "arm in this cell": "kind.arm_in_cell",
    "program": "kind.program",
    "program in this cell": "kind.program_in_cell",
    "program in this project": "kind.program_in_project",
    "project": "kind.project",
    "project in the trash": "kind.project_in_trash",
    "demo cell": "kind.demo",
    "frame": "kind.frame",
    "tool": "kind.tool",
    "point": "kind.point",
    "output": "kind.output",
    "joint": "kind.joint",
    "tool in this cell": "kind.tool_in_cell",
    "point in this cell": "kind.point_in_cell",
    "object in this cell": "kind.object_in_cell",
    "thing in this cell": "kind.thing_in_cell",
    "thing with a pose in this cell": "kind.placed_in_cell",
    "input": "kind.input",
    "input in this cell": "kind.input_in_cell",
    "variable or signal": "kind.variable",
    "list of a cell": "kind.list_of_cell",
    "mesh": "kind.mesh",
    "mesh in this project": "kind.mesh_in_project",
    "posture": "kind.posture",
    "speed": "kind.speed",
    "zone": "kind.zone",
    "session": "kind.session",
    "form of export": "kind.export_form",
}
"""Kinds of things whose names can be unknown; other kinds stay in English."""
SECTIONS = {
    "robots": "section.robots",
    "tools": "section.tools",
    "frames": "section.frames",
    "objects": "section.objects",
    "points": "section.points",
    "signals": "section.signals",
    "spaces": "section.spaces",
}
STATES = {"open": "tool.open", "close": "tool.close"}


def mode_word(mode: str) -> str:
    """Return the mode of a robot, `messages.Mode`, as a word."""
    return _word(MODES, mode)


def safety_word(safety: str) -> str:
    """Return what a robot's safety says, `messages.Safety`, as words."""
    return _word(SAFETY, safety)


def how_word(how: str) -> str:
    """Return how a robot came to rest, `bus.StopHow`, as words."""
    return _word(HOW, how)


def role_word(role: str) -> str:
    """Return a role of people, `messages.Role`, as a word."""
    return _word(ROLES, role)


def state_word(state: str) -> str:
    """Return what a tool is to do, "open" or "close", as a word."""
    return _word(STATES, state)


def kind_word(kind: str) -> str:
    """Return what kind of thing has a name, as words."""
    return _word(KINDS, kind)


def section_word(section: str) -> str:
    """Return a list of a cell, `scene.Section`, as a word."""
    return _word(SECTIONS, section)


def name_hint(name: str, known: Iterable[str], most: int | None = 12) -> Said:
    """Return which known names are near to one, or else which there are, `most` of them: a whole sentence."""
    names = sorted(known)
    close = get_close_matches(name, names, n=3, cutoff=0.5)
    if close:
        return say("name.did_you_mean", close=join(close, "list.or"))
    return say("name.known", known=_listed(names[:most]))


def unknown_name(kind: str, name: str, known: Iterable[str], most: int | None = 12) -> Said:
    """Return that nothing of a kind has a name, with what is near to it or known."""
    words, names = kind_word(kind), sorted(known)
    close = get_close_matches(name, names, n=3, cutoff=0.5)
    if close:
        return say("name.unknown_near", kind=words, name=name, close=join(close, "list.or"))
    return say("name.unknown", kind=words, name=name, known=_listed(names[:most]))


def _listed(names: list[str]) -> str:
    return ", ".join(names) or say("name.none")


def _word(codes: dict[str, str], word: str) -> str:
    # What is not known stays as it is: words come over wires, and a stop must not fail for one.
    return say(codes[word]) if word in codes else word
