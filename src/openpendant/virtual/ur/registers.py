"""Registers: the general-purpose cells through which programs and RTDE clients talk."""

import math

from openpendant.errors import InputError

BITS = 128
NUMBERS = 48
INT_LOW, INT_HIGH = -(2**31), 2**31 - 1


class Bank:
    """One direction: 128 bits, 48 integers, 48 floats."""

    def __init__(self) -> None:
        self.bits = [False] * BITS
        self.integers = [0] * NUMBERS
        self.floats = [0.0] * NUMBERS

    def set_bit(self, number: int, value: bool) -> None:
        """Set a bit register."""
        self.bits[check(number, BITS, "bit")] = bool(value)

    def set_integer(self, number: int, value: int) -> None:
        """Set an integer register; 32 bits with sign."""
        at = check(number, NUMBERS, "integer")
        if not INT_LOW <= value <= INT_HIGH:
            raise InputError(f"{value} does not fit an integer register; allowed: {INT_LOW} to {INT_HIGH}")
        self.integers[at] = int(value)

    def set_float(self, number: int, value: float) -> None:
        """Set a float register."""
        at = check(number, NUMBERS, "float")
        if not math.isfinite(value):
            raise InputError(f"{value} is not a finite number; a float register needs one")
        self.floats[at] = float(value)

    def word(self, first: int) -> int:
        """Return 32 bit registers from `first` as one number."""
        bits = self.bits[first : first + 32]
        # Nearly always none is set, and this is asked for at every tick.
        return sum(1 << n for n, bit in enumerate(bits) if bit) if any(bits) else 0

    def set_bits(self, first: int, value: int) -> None:
        """Set 32 bit registers from `first`."""
        for n in range(32):
            self.bits[first + n] = bool(value >> n & 1)

    def clear(self) -> None:
        """Set all to zero."""
        self.bits[:] = [False] * BITS
        self.integers[:] = [0] * NUMBERS
        self.floats[:] = [0.0] * NUMBERS


def check(number: int, count: int, kind: str) -> int:
    """Return the number of a register that exists."""
    if not 0 <= number < count:
        raise InputError(f"no {kind} register {number}; allowed: 0 to {count - 1}")
    return number


class Registers:
    """Both directions, named as clients see them: they write inputs, programs write outputs."""

    def __init__(self) -> None:
        self.inputs = Bank()
        self.outputs = Bank()
