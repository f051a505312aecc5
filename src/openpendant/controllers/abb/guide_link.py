"""GuideLink: externally guided motion of one arm: where it is comes in, where it should be goes out."""

import numpy as np
from numpy.typing import NDArray

from openpendant.controllers.dialler import DatagramLink
from openpendant.protocols import ProtocolError
from openpendant.protocols.egm import (
    EgmHeader,
    EgmMessageType,
    EgmMotionState,
    EgmMotorState,
    EgmPlanned,
    EgmRobotJoints,
    EgmSensor,
    decode_robot_joints,
    encode_message,
)

Array = NDArray[np.float64]
SIX = 6
GAP_MS = 60
"""After this long without a message guidance has begun again."""
FRESH_NS = 100_000_000
SETTLE_NS = 100_000_000
"""For this long a new guidance is answered with where it began: the controller ramps its influence in (50 ms)."""
SPEED_OVER_MS = 10
"""Velocities are differences over at least this time."""
MOST_AT_ONCE = 64
NEAR_RAD = 0.05
"""Where the controller's own target is farther from the joints than this, guidance begins at the joints."""


class GuideLink:
    """The datagrams of one arm; joints in radians, in the maker's counting of axes."""

    def __init__(self, link: DatagramLink, dof: int) -> None:
        """Begin without a message."""
        self.q = self.qd = np.zeros(dof)
        self.hold = np.zeros(dof)
        """Where the arm is to be."""
        self.stamp_ns = 0
        """When the newest message came; 0: none has."""
        self.time_ms = 0
        """The controller's clock in it."""
        self.motors = False
        self._link, self._dof = link, dof
        self._port = 0
        self._sequence: int | None = None
        self._sent = 0
        self._began_ns = 0
        self._before: list[tuple[int, Array]] = []

    def fresh(self, now_ns: int) -> bool:
        """Return whether the controller says where the arm is."""
        return self.stamp_ns > 0 and now_ns - self.stamp_ns < FRESH_NS

    def guides(self, now_ns: int) -> bool:
        """Return whether the arm goes where it is sent to."""
        return self.fresh(now_ns) and self._began_ns > 0 and now_ns - self._began_ns >= SETTLE_NS and self.motors

    def poll(self, now_ns: int) -> bool:
        """Take in messages, and answer them; return whether there was one."""
        fresh = False
        for _ in range(MOST_AT_ONCE):
            came = self._link.receive()
            if came is None:
                break
            try:
                message = decode_robot_joints(came[0])
            except ProtocolError:
                continue
            fresh = self._receive(message, came[1], now_ns) or fresh
        if fresh:
            self.send(self.hold)
        return fresh

    def send(self, q: Array) -> None:
        """Send the arm to joints; it is held there."""
        self.hold = np.array(q)
        if self._port == 0:
            return
        self._sent += 1
        degrees = np.degrees(q)
        planned = EgmPlanned(tuple(degrees[:SIX].tolist()), external_joints=tuple(degrees[SIX:].tolist()) or None)
        header = EgmHeader(self._sent % (1 << 31), self.time_ms, EgmMessageType.CORRECTION)
        self._link.send(encode_message(EgmSensor(header, planned)), self._port)

    def end(self) -> None:
        """Send nothing more until the controller begins again."""
        self._port, self._began_ns, self.stamp_ns = 0, 0, 0
        self._before.clear()

    def close(self) -> None:
        """Receive no more."""
        self._link.close()

    def _receive(self, message: EgmRobotJoints, port: int, now_ns: int) -> bool:
        q = self._joints(message)
        header = message.header
        if q is None or header is None or header.sequence is None:
            return False
        time_ms = header.time_ms or 0
        # By the controller's clock: a caller that comes late finds all messages.
        gap = self._sequence is None or self.stamp_ns == 0 or not 0 <= time_ms - self.time_ms <= GAP_MS
        if self._sequence is not None and -MOST_AT_ONCE < header.sequence - self._sequence <= 0:
            # Overtaken, or twice.
            return False
        self._sequence = header.sequence
        running = message.motion is EgmMotionState.RUNNING
        if gap:
            self._began_ns = 0
            self._before.clear()
        self._port, self.stamp_ns, self.time_ms = port, now_ns, time_ms
        self.motors = message.motors is not EgmMotorState.OFF
        self._measure(q)
        if not running:
            self._began_ns = 0
        elif self._began_ns == 0:
            self._began_ns = now_ns
            wanted = self._target(message)
            self.hold = q if wanted is None or float(np.abs(wanted - q).max()) > NEAR_RAD else wanted
        return True

    def _measure(self, q: Array) -> None:
        while len(self._before) > 1 and self.time_ms - self._before[1][0] >= SPEED_OVER_MS:
            self._before.pop(0)
        if self._before and self.time_ms > self._before[0][0]:
            then_ms, before = self._before[0]
            self.qd = (q - before) / ((self.time_ms - then_ms) * 1e-3)
        else:
            self.qd = np.zeros(self._dof)
        self._before.append((self.time_ms, q))
        self.q = q

    def _joints(self, message: EgmRobotJoints) -> Array | None:
        reported = message.feed_back
        return None if reported is None else self._radians(reported.joints, reported.external_joints)

    def _target(self, message: EgmRobotJoints) -> Array | None:
        reported = message.planned
        return None if reported is None else self._radians(reported.joints, reported.external_joints)

    def _radians(self, joints: tuple[float, ...] | None, external: tuple[float, ...] | None) -> Array | None:
        found = np.radians(np.array((*(joints or ()), *(external or ()))[: self._dof], dtype=np.float64))
        return found if len(found) == self._dof and bool(np.isfinite(found).all()) else None
