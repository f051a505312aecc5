"""VrArmClient: checks, moves and the gripper of an ABB arm that runs the modules `vr_arm`, by its text messages.

One connection per request. A reply is read to its end, whatever its length, and everything has a time limit.
"""

import math
import socket
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Literal, Self

from openpendant.errors import InputError, LinkError
from openpendant.protocols import ProtocolError
from openpendant.protocols.abb_text import (
    DONE,
    FAILED,
    INITIALISED,
    PAUSED,
    RESUMED,
    CheckJoints,
    CheckPose,
    Initialise,
    JointReply,
    MoveToJoints,
    MoveToPose,
    PauseMotionRequest,
    ProgressReply,
    Reply,
    Request,
    ResumeMotionRequest,
    SetToolRequest,
    TargetPose,
    encode_request,
    parse_reply,
)

Level = Literal["low", "medium", "high"]
SPEED_CODES: dict[Level, int] = {"low": 1, "medium": 2, "high": 3}
"""v50, v400, v2000."""
PRECISION_CODES: dict[Level, int] = {"high": 1, "medium": 2, "low": 3}
"""fine, z50, z200: the smallest code is the most precise."""
PORT, STREAM_PORT = 5000, 7000
LONGEST_REPLY = 200
LONGEST_DATAGRAM = 2048
INITIALISE_S = 5.0
Joints = tuple[float, ...]


class VrArmClient:
    """The PC's side. Angles are degrees and places millimetres, as on the wire.

    What the robot refuses (out of reach, busy) is False or None; a robot that does not answer is an error.
    """

    def __init__(
        self, host: str = "127.0.0.1", port: int = PORT, *, timeout_s: float = 5.0, move_timeout_s: float = 120.0
    ) -> None:
        """Name the robot; nothing is sent yet.

        Args:
            host: Address of the controller.
            port: Of its text messages.
            timeout_s: For a request that does not move the arm.
            move_timeout_s: For one that does: longer than its longest move, pauses included.

        Raises:
            InputError: A time is not positive.
        """
        for seconds in (timeout_s, move_timeout_s):
            if not 0.0 < seconds < math.inf:
                raise InputError(f"a time limit of {seconds} s; positive and finite ones are allowed")
        self._peer = (host, port)
        self._timeout_s, self._move_timeout_s = timeout_s, move_timeout_s

    def initialise(self) -> bool:
        """Close the gripper; the robot streams its joints for five seconds and answers then."""
        return self._confirm(Initialise(), INITIALISED, INITIALISE_S + self._timeout_s)

    def check_pose(self, target: TargetPose) -> Joints | None:
        """Return the joints with which the tool reaches a pose; None: it does not."""
        return self._joints(CheckPose(target))

    def check_joints(self, joints: Sequence[float]) -> Joints | None:
        """Return joints as the robot would take them; None: they are out of its reach."""
        return self._joints(CheckJoints(_six(joints)))

    def move_to_pose(
        self, target: TargetPose, *, speed: Level = "low", precision: Level = "high", straight: bool = False
    ) -> bool:
        """Move the tool to a pose and return when the arm rests there; False: it refuses."""
        request = MoveToPose(target, _code(SPEED_CODES, speed), _code(PRECISION_CODES, precision), straight)
        return self._confirm(request, DONE, self._move_timeout_s)

    def move_to_joints(self, joints: Sequence[float], *, speed: Level = "low", precision: Level = "high") -> bool:
        """Move to joints and return when the arm rests there; False: it refuses."""
        request = MoveToJoints(_six(joints), _code(SPEED_CODES, speed), _code(PRECISION_CODES, precision))
        return self._confirm(request, DONE, self._move_timeout_s)

    def set_tool(self, *, opened: bool) -> bool:
        """Open or close the gripper; False: the robot refuses, since it is busy."""
        return self._confirm(SetToolRequest(opened), DONE, self._timeout_s)

    def pause(self) -> bool:
        """Stop the arm on its path, also during a move that somebody else waits for."""
        return self._confirm(PauseMotionRequest(), PAUSED, self._timeout_s)

    def resume(self) -> bool:
        """Continue along the path."""
        return self._confirm(ResumeMotionRequest(), RESUMED, self._timeout_s)

    def request(self, request: Request, timeout_s: float) -> Reply:
        """Send a request on a connection of its own and read the reply to its end.

        Raises:
            LinkError: The robot cannot be reached, or does not answer in time.
            ProtocolError: Its reply cannot be read.
        """
        data, until = encode_request(request), time.monotonic() + timeout_s
        came = bytearray()
        try:
            with socket.create_connection(self._peer, timeout=timeout_s) as link:
                link.sendall(data)
                while (left := until - time.monotonic()) > 0.0:
                    link.settimeout(left)
                    part = link.recv(LONGEST_REPLY)
                    came += part
                    if not part or len(came) > LONGEST_REPLY:
                        break
                else:
                    raise TimeoutError
        except TimeoutError:
            raise LinkError(f"no reply to {data.decode()} from {self._where} within {timeout_s:g} s") from None
        except OSError as error:
            raise LinkError(f"no reply to {data.decode()} from {self._where}: {error.strerror or error}") from error
        if not came:
            raise LinkError(f"{self._where} closed the connection without a reply to {data.decode()}")
        return parse_reply(bytes(came))

    @property
    def _where(self) -> str:
        return f"{self._peer[0]}:{self._peer[1]}"

    def _confirm(self, request: Request, wanted: str, timeout_s: float) -> bool:
        reply = self.request(request, timeout_s)
        if reply == ProgressReply(wanted):
            return True
        if reply == ProgressReply(FAILED):
            return False
        raise ProtocolError(f"a reply {reply}; {wanted} and {FAILED} are allowed")

    def _joints(self, request: Request) -> Joints | None:
        reply = self.request(request, self._timeout_s)
        if isinstance(reply, JointReply):
            return reply.joints
        if reply == ProgressReply(FAILED):
            return None
        raise ProtocolError(f"a reply {reply}; six angles and {FAILED} are allowed")


class VrArmStream:
    """Receives the joints that the robot sends while it moves. A context; or call `close` at the end."""

    def __init__(self, host: str = "127.0.0.1", port: int = STREAM_PORT) -> None:
        """Listen.

        Args:
            host: An address of this computer.
            port: At which the robot sends; 0: any free one, for tests.

        Raises:
            LinkError: The port is taken.
        """
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self._socket.bind((host, port))
        except OSError as error:
            self._socket.close()
            raise LinkError(f"cannot receive joints at {host}:{port}: {error.strerror or error}") from error
        self.port = int(self._socket.getsockname()[1])
        """At which it listens."""

    def __enter__(self) -> Self:
        """Use it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Listen no more; again is allowed."""
        self._socket.close()

    def receive(self, timeout_s: float) -> Joints | None:
        """Return the next joints, degrees; None: none have come in time. Datagrams that are none are dropped."""
        until = time.monotonic() + timeout_s
        while (left := until - time.monotonic()) > 0.0:
            self._socket.settimeout(left)
            try:
                reply = parse_reply(self._socket.recv(LONGEST_DATAGRAM))
            except TimeoutError:
                return None
            except ProtocolError:
                continue
            if isinstance(reply, JointReply):
                return reply.joints
        return None


def _six(joints: Sequence[float]) -> tuple[float, float, float, float, float, float]:
    if len(joints) != 6:
        raise InputError(f"{len(joints)} joints; an arm has 6")
    a, b, c, d, e, f = joints
    return a, b, c, d, e, f


def _code(codes: dict[Level, int], level: Level) -> int:
    if level not in codes:
        raise InputError(f"{level!r}; {', '.join(codes)} are allowed")
    return codes[level]
