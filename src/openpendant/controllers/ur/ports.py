"""Digital ports of the controller by name, as the bits of RTDE's states and masks count them."""

from collections.abc import Mapping

from openpendant.errors import UnknownNameError

GROUPS = (("standard", 0, 8), ("configurable", 8, 8), ("tool", 16, 2))
"""First bit and number of ports, as in `actual_digital_input_bits` of the RTDE guide."""
INPUTS = {f"{group}_in_{number}": first + number for group, first, count in GROUPS for number in range(count)}
OUTPUTS = {f"{group}_out_{number}": first + number for group, first, count in GROUPS for number in range(count)}


def input_bits(ports: Mapping[str, str]) -> dict[str, int]:
    """Return the bit of each named input.

    Raises:
        UnknownNameError: The controller has no such port.
    """
    return _bits(ports, INPUTS, "digital input")


def output_bits(ports: Mapping[str, str]) -> dict[str, int]:
    """Return the bit of each named output; raises as `input_bits`."""
    return _bits(ports, OUTPUTS, "digital output")


def _bits(ports: Mapping[str, str], known: Mapping[str, int], what: str) -> dict[str, int]:
    for port in ports.values():
        if port not in known:
            raise UnknownNameError(what, port, known)
    return {name: known[port] for name, port in ports.items()}
