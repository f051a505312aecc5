"""Variables: everything RTDE clients can read, and a quick way to read many at once."""

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from openpendant.errors import UnknownNameError
from openpendant.protocols.rtde import VARIABLES

from .kernels.plant import LAYOUT
from .parts import Parts
from .registers import NUMBERS

HIDDEN = {
    "flange_pose",
    "target_flange_pose",
    "deviation_m",
    "cross_deviation_m",
    "tcp_speed_scalar",
    "power_w",
}
"""Measured, but no RTDE variables."""
VOLTAGE = 48.0
ZERO6 = (0.0,) * 6
ZERO3 = (0.0,) * 3

# In the order in which `_slow` returns them.
SLOW: tuple[tuple[str, int], ...] = (
    ("timestamp", 1),
    ("control_step", 1),
    ("robot_mode", 1),
    ("joint_mode", 6),
    ("safety_mode", 1),
    ("safety_status", 1),
    ("runtime_state", 1),
    ("robot_status_bits", 1),
    ("safety_status_bits", 1),
    ("script_control_line", 1),
    ("speed_scaling", 1),
    ("target_speed_fraction", 1),
    ("actual_digital_input_bits", 1),
    ("actual_configurable_digital_input_bits", 1),
    ("actual_digital_output_bits", 1),
    ("actual_configurable_digital_output_bits", 1),
    ("analog_io_types", 1),
    ("standard_analog_input0", 1),
    ("standard_analog_input1", 1),
    ("standard_analog_output0", 1),
    ("standard_analog_output1", 1),
    ("tool_mode", 1),
    ("tool_analog_input_types", 1),
    ("tool_analog_input0", 1),
    ("tool_analog_input1", 1),
    ("tool_output_voltage", 1),
    ("tool_output_mode", 1),
    ("tool_digital_output0_mode", 1),
    ("tool_digital_output1_mode", 1),
    ("tcp_offset", 6),
    ("payload", 1),
    ("payload_cog", 3),
    ("payload_inertia", 6),
    ("target_gravity", 3),
    ("actual_main_voltage", 1),
    ("actual_robot_voltage", 1),
    ("actual_joint_voltage", 6),
    ("actual_robot_energy_consumed", 1),
    ("output_bit_registers0_to_31", 1),
    ("output_bit_registers32_to_63", 1),
    ("input_bit_registers0_to_31", 1),
    ("input_bit_registers32_to_63", 1),
)
CONSTANT: dict[str, tuple[Any, ...]] = {
    "joint_temperatures": (28.1, 28.3, 28.0, 29.4, 29.6, 29.9),
    "tool_temperature": (29.5,),
    "actual_execution_time": (0.0004,),
    "target_execution_time": (0.0004,),
    "io_current": (0.033,),
    "tool_output_current": (0.0,),
    "actual_robot_braking_energy_dissipated": (0.0,),
    "actual_current_window": (0.4, 0.4, 0.4, 0.3, 0.3, 0.3),
    "encoder0_raw": (0,),
    "encoder1_raw": (0,),
    "euromap67_input_bits": (0,),
    "euromap67_output_bits": (0,),
    "euromap67_24V_voltage": (0.0,),
    "euromap67_24V_current": (0.0,),
    "time_scale_source": (0,),
    "target_base_acceleration": ZERO6,
    "target_base_wrench": ZERO6,
}
"""What a virtual arm has no model of."""


class Variables:
    """The values of one tick as one flat list; a reader picks from it in one step."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._index: dict[str, tuple[int, int]] = {}
        self._tick = -1
        self._values: list[Any] = []
        at = 0
        for name, count in LAYOUT:
            if name not in HIDDEN:
                self._index[name] = (at, count)
            at += count
        self._index["actual_current_as_torque"] = self._index["target_moment"]
        for name, count in SLOW:
            self._index[name] = (at, count)
            at += count
        self._constants = [value for group in CONSTANT.values() for value in group]
        for name, group in CONSTANT.items():
            self._index[name] = (at, len(group))
            at += len(group)
        for bank in ("input", "output"):
            for kind, first, count in (("int", 0, NUMBERS), ("double", 0, NUMBERS), ("bit", 64, 64)):
                for number in range(count):
                    self._index[f"{bank}_{kind}_register_{number + first}"] = (at, 1)
                    at += 1
        self._size = at

    @property
    def names(self) -> frozenset[str]:
        """Every variable that can be read."""
        return frozenset(self._index)

    def stale(self) -> None:
        """Say that something changed between two ticks."""
        self._tick = -1

    def read(self, name: str) -> Any:
        """Return one variable: a number, or a tuple for a vector.

        Raises:
            UnknownNameError: There is no such variable.
        """
        at, count = self._place(name)
        self._tick = -1
        values = self._fresh()
        return values[at] if count == 1 else tuple(values[at : at + count])

    def compile_reader(self, names: Sequence[str]) -> Callable[[], tuple[Any, ...]]:
        """Return a function that returns the variables flat, vectors unrolled, in that order.

        Raises:
            UnknownNameError: One of them does not exist.
        """
        places = [at + n for at, count in map(self._place, names) for n in range(count)]
        if not places:
            return tuple
        fresh = self._fresh
        if len(places) == 1:
            only = places[0]
            return lambda: (fresh()[only],)
        pick: Callable[[list[Any]], tuple[Any, ...]] = itemgetter(*places)
        return lambda: pick(fresh())

    def _place(self, name: str) -> tuple[int, int]:
        place = self._index.get(name)
        if place is None:
            raise UnknownNameError("RTDE output variable", name, self._index)
        return place

    def _fresh(self) -> list[Any]:
        parts = self._parts
        if self._tick == parts.clock.ticks:
            return self._values
        values = parts.body.out.tolist()
        values += self._slow()
        values += self._constants
        for bank in (parts.registers.inputs, parts.registers.outputs):
            values += bank.integers
            values += bank.floats
            values += bank.bits[64:]
        self._values, self._tick = values, parts.clock.ticks
        return values

    def _slow(self) -> tuple[Any, ...]:
        parts = self._parts
        io, place, power = parts.io, parts.installation, parts.power
        inputs, outputs = parts.registers.inputs, parts.registers.outputs
        joint = int(power.joint_mode)
        safety = int(parts.safety.mode)
        tool_volt = io.tool_voltage if power.on else 0
        supply = VOLTAGE if power.on else 0.0
        return (
            parts.clock.seconds,
            parts.clock.ticks,
            int(power.mode),
            *(joint,) * 6,
            safety,
            safety,
            int(parts.runtime_state),
            parts.robot_status_bits,
            parts.safety.status_bits,
            parts.script_line,
            parts.speed_scaling,
            parts.mover.slider,
            io.inputs,
            io.inputs >> 8 & 0xFF,
            io.outputs,
            io.outputs >> 8 & 0xFF,
            io.analog_types,
            io.analog_in[0],
            io.analog_in[1],
            io.analog_out(0),
            io.analog_out(1),
            int(power.tool_mode),
            io.tool_analog_types,
            io.tool_analog_in[0],
            io.tool_analog_in[1],
            tool_volt,
            io.tool_output_mode,
            io.tool_digital_output_mode[0],
            io.tool_digital_output_mode[1],
            *place.tcp,
            place.payload,
            *place.cog,
            *place.inertia,
            *place.gravity,
            VOLTAGE,
            supply,
            *(supply,) * 6,
            parts.energy_j,
            outputs.word(0),
            outputs.word(32),
            inputs.word(0),
            inputs.word(32),
        )


def missing_variables() -> frozenset[str]:
    """Return readable variables of the protocol without a source; empty in a finished controller."""
    served = {name for name, _ in LAYOUT} | {name for name, _ in SLOW} | set(CONSTANT) | {"actual_current_as_torque"}
    return frozenset(
        name for name, one in VARIABLES.items() if one.readable and name not in served and "register_" not in name
    )
