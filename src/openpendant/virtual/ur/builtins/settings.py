"""set_tcp, set_payload, set_gravity: the arm's tool and mounting as set in the controller."""

from typing import Any

from openpendant.dialects.urscript import Builtin, ScriptFailure
from openpendant.errors import InputError
from openpendant.virtual.ur.parts import Parts

from .arguments import boolean, count, function, joints, number, pose, same, vector


class _Settings:
    """The functions; one object per controller."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def tcp(self, value: Any, name: Any) -> None:
        """set_tcp."""
        del name
        self._parts.installation.set_tcp(same(pose(value, "set_tcp: pose")))

    def payload(self, mass: Any, cog: Any) -> None:
        """set_payload: a centre that is not given is the tool's point."""
        centre = None if cog is None else same(vector(cog, 3, "set_payload: cog"))
        self._parts.installation.set_payload(number(mass, "set_payload: m"), centre)

    def target_payload(self, mass: Any, cog: Any, inertia: Any, transition: Any) -> None:
        """set_target_payload: an inertia that is not given is zero."""
        number(transition, "set_target_payload: transition_time")
        self._parts.installation.set_payload(
            number(mass, "set_target_payload: m"),
            same(vector(cog, 3, "set_target_payload: cog")),
            same(vector(inertia, 6, "set_target_payload: inertia")),
        )

    def payload_mass(self, mass: Any) -> None:
        """set_payload_mass: keeps the centre."""
        place = self._parts.installation
        place.set_payload(number(mass, "set_payload_mass: m"), place.cog)

    def payload_cog(self, cog: Any) -> None:
        """set_payload_cog: keeps the mass."""
        place = self._parts.installation
        place.set_payload(place.payload, same(vector(cog, 3, "set_payload_cog: CoG")))

    def gravity(self, direction: Any) -> None:
        """set_gravity."""
        self._parts.installation.set_gravity(same(vector(direction, 3, "set_gravity: d")))

    def motion_version(self, version: Any) -> None:
        """motion_version_set: returned by motion_version_get; moves do not change."""
        wanted = count(version, "motion_version_set: version")
        if wanted not in (1, 2):
            raise ScriptFailure(f"Runtime error: motion_version_set({wanted}); allowed: 1 or 2")
        self._parts.motion_version = wanted

    def place(self, q: Any) -> None:
        """set_pos: put the arm there at once, as only a simulated one can be."""
        at = joints(q, "set_pos: q")
        if self._parts.mover.moving:
            raise ScriptFailure("Runtime error: set_pos while the arm moves")
        try:
            self._parts.arm.check_q(at)
        except InputError as error:
            raise ScriptFailure(f"Runtime error: set_pos: {error}") from None
        self._parts.body.place(at)
        self._parts.mover.place(at)

    def flag(self, number_: Any, value: Any) -> None:
        """set_flag."""
        self._parts.flags[_flag(number_)] = boolean(value, "set_flag: b")

    def get_flag(self, number_: Any) -> bool:
        """get_flag."""
        return self._parts.flags[_flag(number_)]


def _flag(value: Any) -> int:
    number_ = count(value, "flag number")
    if not 0 <= number_ < 64:
        raise ScriptFailure(f"Runtime error: there is no flag {number_}; allowed: 0 to 63")
    return number_


def installation_functions(parts: Parts) -> tuple[Builtin, ...]:
    """Return the functions that set tool, payload and mounting."""
    own = _Settings(parts)
    return (
        function("set_tcp", own.tcp, "pose", ("tcp_name", "")),
        function("set_payload", own.payload, "m", ("cog", None)),
        function("set_payload_mass", own.payload_mass, "m"),
        function("set_payload_cog", own.payload_cog, "CoG"),
        function(
            "set_target_payload", own.target_payload, "m", "cog", ("inertia", (0.0,) * 6), ("transition_time", 0.0)
        ),
        function("set_gravity", own.gravity, "d"),
        function("zero_ftsensor", parts.installation.zero_force),
        function("set_pos", own.place, "q"),
        function("motion_version_set", own.motion_version, "version"),
        function("motion_version_get", lambda: parts.motion_version),
        function("set_flag", own.flag, "n", "b"),
        function("get_flag", own.get_flag, "n"),
    )
