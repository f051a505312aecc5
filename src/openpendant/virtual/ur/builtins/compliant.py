"""force_mode, freedrive_mode, teach_mode: the arm gives way."""

from typing import Any

from openpendant.dialects.urscript import Builtin, ScriptFailure, ScriptPose
from openpendant.virtual.arm import Doing
from openpendant.virtual.ur.parts import Parts

from .arguments import count, function, number, pose, same, vector


class _Compliant:
    """The functions; one object per controller."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def force_mode(self, frame: Any, selection: Any, wrench: Any, kind: Any, limits: Any) -> None:
        """Be compliant along the selected axes and press with a wrench."""
        shape = count(kind, "force_mode: type")
        if shape not in (1, 2, 3):
            raise ScriptFailure(f"Runtime error: force_mode with type {shape}; allowed: 1, 2 or 3")
        self._parts.compliance.begin_force_mode(
            pose(frame, "force_mode: task_frame"),
            vector(selection, 6, "force_mode: selection_vector"),
            vector(wrench, 6, "force_mode: wrench"),
            shape,
            vector(limits, 6, "force_mode: limits"),
        )

    def damping(self, value: Any) -> None:
        """force_mode_set_damping, 0 to 1."""
        self._parts.compliance.damping = min(max(number(value, "force_mode_set_damping"), 0.0), 1.0)

    def gain(self, value: Any) -> None:
        """force_mode_set_gain_scaling, 0 to 2."""
        self._parts.compliance.gain_scaling = min(max(number(value, "force_mode_set_gain_scaling"), 0.0), 2.0)

    def freedrive(self, axes: Any, feature: Any) -> None:
        """freedrive_mode."""
        compliance = self._parts.compliance
        compliance.free_axes = same(vector(axes, 6, "freedrive_mode: freeAxes"))
        # "base" is the frame itself; a pose turns the axes.
        compliance.feature = (0.0,) * 6 if isinstance(feature, str) else same(pose(feature, "freedrive_mode: feature"))
        compliance.freedrive = True

    def end_freedrive(self) -> None:
        """end_freedrive_mode, end_teach_mode."""
        self._parts.compliance.freedrive = False
        if self._parts.mover.doing is Doing.FREE:
            self._parts.mover.brake()

    def status(self) -> int:
        """get_freedrive_status: 0 normal, 1 near singularity, 2 too near."""
        return 0


def compliance_functions(parts: Parts) -> tuple[Builtin, ...]:
    """Return the functions of force mode and freedrive."""
    own = _Compliant(parts)
    free = (("freeAxes", (1, 1, 1, 1, 1, 1)), ("feature", ScriptPose((0.0,) * 6)))
    return (
        function("force_mode", own.force_mode, "task_frame", "selection_vector", "wrench", "type", "limits"),
        function("end_force_mode", parts.compliance.end_force_mode),
        function("force_mode_set_damping", own.damping, "damping"),
        function("force_mode_set_gain_scaling", own.gain, "scaling"),
        function("freedrive_mode", own.freedrive, *free),
        function("freedrive_mode_no_incorrect_payload_check", own.freedrive, *free),
        function("end_freedrive_mode", own.end_freedrive),
        function("get_freedrive_status", own.status),
        function("teach_mode", lambda: own.freedrive((1, 1, 1, 1, 1, 1), "base")),
        function("end_teach_mode", own.end_freedrive),
    )
