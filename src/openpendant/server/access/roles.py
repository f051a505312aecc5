"""Roles: which message and which address needs which role. What is not listed is refused."""

from typing import Literal

from openpendant.messages import Role
from openpendant.messages.operation import (
    Connect,
    ControlRequest,
    Disconnect,
    Engage,
    GiveControl,
    Intend,
    Pause,
    Pong,
    Present,
    Press,
    Probe,
    ResetParts,
    Resume,
    ResumeStopped,
    Run,
    SetBreakpoints,
    SetReduced,
    SetSpeed,
    SetTool,
    SingleStep,
    Stop,
    SwitchOutput,
    TakeControl,
    WatchSamples,
)
from openpendant.messages.project import (
    Edit,
    FromClient,
    Hello,
    Introduce,
    Look,
    NearestRequest,
    Redo,
    Reload,
    Resync,
    Save,
    SimulationRequest,
    Undo,
    Watch,
)
from openpendant.said import role_word, say

Need = Literal["public", "viewer", "operator", "engineer"]

ROLES: tuple[Role, ...] = ("viewer", "operator", "engineer")
"""Each may also do what those before it may."""

MESSAGES: dict[type, Need] = {
    # Whoever sees a robot may stop it: this is never to need more than being let in.
    Stop: "viewer",
    Hello: "viewer",
    Introduce: "viewer",
    Resync: "viewer",
    Look: "viewer",
    Watch: "viewer",
    SimulationRequest: "viewer",
    NearestRequest: "viewer",
    Pong: "viewer",
    Present: "viewer",
    WatchSamples: "viewer",
    Connect: "operator",
    Probe: "operator",
    Disconnect: "operator",
    TakeControl: "operator",
    GiveControl: "operator",
    ControlRequest: "operator",
    Run: "operator",
    Pause: "operator",
    Resume: "operator",
    SingleStep: "operator",
    ResumeStopped: "operator",
    SetBreakpoints: "operator",
    ResetParts: "operator",
    SetSpeed: "operator",
    SwitchOutput: "operator",
    SetTool: "operator",
    Engage: "operator",
    Intend: "operator",
    Press: "operator",
    SetReduced: "operator",
    Edit: "engineer",
    Undo: "engineer",
    Redo: "engineer",
    Save: "engineer",
    Reload: "engineer",
}
"""What a client of a project may send."""

_ROBOT, _PROJECT = "/api/robots/{name}", "/api/projects/{name}"
ADDRESSES: dict[tuple[str, str], Need] = {
    # The page itself holds nothing of anybody's; it is what asks for the code.
    ("GET", "/"): "public",
    ("GET", "/ca.crt"): "public",
    ("GET", "/api/me"): "public",
    ("POST", "/api/sessions"): "public",
    ("GET", "/api/openapi.json"): "viewer",
    ("GET", "/api/health"): "viewer",
    ("GET", "/api/robots"): "viewer",
    ("GET", _ROBOT): "viewer",
    ("GET", f"{_ROBOT}/robot.urdf"): "viewer",
    ("GET", f"{_ROBOT}/meshes/{{link}}.glb"): "viewer",
    ("GET", f"{_ROBOT}/reach"): "viewer",
    ("POST", f"{_ROBOT}/cells"): "viewer",
    ("GET", "/api/demos"): "viewer",
    ("GET", "/api/projects"): "viewer",
    ("GET", _PROJECT): "viewer",
    ("GET", f"{_PROJECT}/archive.zip"): "viewer",
    ("GET", f"{_PROJECT}/meshes/{{file}}"): "viewer",
    ("GET", f"{_PROJECT}/programs/{{program}}/exports"): "viewer",
    ("GET", f"{_PROJECT}/programs/{{program}}/exports/{{form}}"): "viewer",
    ("POST", "/api/calibrations/tool"): "viewer",
    ("POST", "/api/calibrations/frame"): "viewer",
    ("GET", "/api/tools"): "viewer",
    ("POST", "/api/tools/{kind}"): "viewer",
    ("POST", "/api/snaps"): "viewer",
    ("DELETE", "/api/me"): "viewer",
    ("WEBSOCKET", "/ws"): "viewer",
    ("WEBSOCKET", "/ws/projects/{name}"): "viewer",
    ("POST", "/api/robots"): "engineer",
    ("DELETE", _ROBOT): "engineer",
    ("POST", "/api/projects"): "engineer",
    ("DELETE", _PROJECT): "engineer",
    ("POST", f"{_PROJECT}/copies"): "engineer",
    ("POST", f"{_PROJECT}/meshes"): "engineer",
    ("POST", "/api/archives"): "engineer",
    ("POST", "/api/trash/{kept}"): "engineer",
    ("GET", "/api/sessions"): "engineer",
    ("DELETE", "/api/sessions/{id}"): "engineer",
    ("POST", "/api/pairings"): "engineer",
}
"""Method and address; who may GET may also ask for the headers alone."""


def need_of_message(message: FromClient) -> Need | None:
    """Return what a message needs; None: it is not in the table, so it is refused."""
    if isinstance(message, TakeControl) and message.take_over:
        # Taking a robot out of somebody's hands is for whoever is in charge.
        return "engineer"
    if isinstance(message, SetReduced) and not message.reduced:
        # Who lifts the limit answers for whoever stands beside the robot.
        return "engineer"
    return MESSAGES.get(type(message))


def allows(role: Role | None, need: Need | None) -> bool:
    """Return whether somebody in a role (None: not paired) may do what needs this."""
    if need == "public":
        return True
    if role is None or need is None:
        return False
    return ROLES.index(role) >= ROLES.index(need)


def why_not(role: Role | None, need: Need | None, what: str) -> str:
    """Return why somebody may not do this, in one sentence."""
    if need is None:
        return say("access.open_to_nobody", deed=what)
    if role is None:
        return say("access.pair_first")
    return say("access.needs_role", deed=what, need=role_word(need), role=role_word(role))
