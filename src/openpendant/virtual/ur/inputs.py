"""Inputs: what RTDE clients write."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from openpendant.errors import InputError, UnknownNameError
from openpendant.protocols.rtde import VARIABLES

from .io import CONFIGURABLE, STANDARD, TOOL
from .parts import Parts
from .registers import NUMBERS

Writer = Callable[[Any], None]
DIGITAL = {"standard": STANDARD, "configurable": CONFIGURABLE, "tool": TOOL}


class Inputs:
    """Takes packages of input variables. Outputs are set through masks: value and mask come in one package."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._kept: dict[str, Any] = {}
        self._slots: dict[str, Writer] = {}
        bank = parts.registers.inputs
        for number in range(NUMBERS):
            self._slots[f"input_int_register_{number}"] = _integer_slot(bank.integers, number)
            self._slots[f"input_double_register_{number}"] = _float_slot(bank.floats, number)
        for number in range(64, 128):
            self._slots[f"input_bit_register_{number}"] = _bit_slot(bank.bits, number)
        self._slots["input_bit_registers0_to_31"] = lambda value: bank.set_bits(0, int(value))
        self._slots["input_bit_registers32_to_63"] = lambda value: bank.set_bits(32, int(value))
        for name in VARIABLES:
            if VARIABLES[name].writable and name not in self._slots:
                self._slots[name] = self._keeper(name)

    def compile(self, names: Sequence[str]) -> Callable[[Sequence[Any]], None]:
        """Return a function that takes one value for each name.

        Raises:
            UnknownNameError: One of them cannot be written.
        """
        slots = [self._slot(name) for name in names]
        actions = [act for act, needs in self._actions() if not needs.isdisjoint(names)]
        watchdogs = self._parts.watchdogs

        def write(values: Sequence[Any]) -> None:
            for slot, value in zip(slots, values, strict=True):
                slot(value)
            for act in actions:
                act()
            for name in names:
                watchdogs.feed(name)

        return write

    def _slot(self, name: str) -> Writer:
        slot = self._slots.get(name)
        if slot is None:
            raise UnknownNameError("RTDE input variable", name, self._slots)
        return slot

    def _keeper(self, name: str) -> Writer:
        def keep(value: Any) -> None:
            self._kept[name] = value

        return keep

    def _actions(self) -> list[tuple[Callable[[], None], frozenset[str]]]:
        actions: list[tuple[Callable[[], None], frozenset[str]]] = [
            (self._digital(kind), frozenset({f"{kind}_digital_output", f"{kind}_digital_output_mask"}))
            for kind in DIGITAL
        ]
        analog = {"standard_analog_output_mask", "standard_analog_output_type"}
        actions.append((self._analog, frozenset(analog | {"standard_analog_output_0", "standard_analog_output_1"})))
        actions.append((self._slider, frozenset({"speed_slider_mask", "speed_slider_fraction"})))
        actions.append((self._force, frozenset({"external_force_torque"})))
        return actions

    def _digital(self, kind: str) -> Callable[[], None]:
        value, mask, first = f"{kind}_digital_output", f"{kind}_digital_output_mask", DIGITAL[kind]

        def act() -> None:
            self._parts.io.set_outputs(first, int(self._kept.get(mask, 0)), int(self._kept.get(value, 0)))

        return act

    def _analog(self) -> None:
        io, mask = self._parts.io, int(self._kept.get("standard_analog_output_mask", 0))
        kinds = int(self._kept.get("standard_analog_output_type", 0))
        for number in (0, 1):
            if mask >> number & 1:
                io.set_analog_out_domain(number, voltage=bool(kinds >> number & 1))
                part = float(self._kept.get(f"standard_analog_output_{number}", 0.0))
                if math.isfinite(part):
                    io.set_analog_out(number, part)

    def _slider(self) -> None:
        if int(self._kept.get("speed_slider_mask", 0)):
            fraction = float(self._kept.get("speed_slider_fraction", 1.0))
            if math.isfinite(fraction):
                self._parts.mover.slider = min(max(fraction, 0.0), 1.0)

    def _force(self) -> None:
        """External sensors are taken note of and reported, not used to move."""
        value = self._kept.get("external_force_torque")
        if value is not None and len(value) != 6:
            raise InputError(f"external_force_torque has {len(value)} numbers; allowed: 6")


def _integer_slot(cells: list[int], number: int) -> Writer:
    def write(value: Any) -> None:
        cells[number] = int(value)

    return write


def _float_slot(cells: list[float], number: int) -> Writer:
    def write(value: Any) -> None:
        cells[number] = float(value)

    return write


def _bit_slot(cells: list[bool], number: int) -> Writer:
    def write(value: Any) -> None:
        cells[number] = bool(value)

    return write
