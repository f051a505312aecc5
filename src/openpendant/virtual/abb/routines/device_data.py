"""What instructions of sockets and files take out of their arguments, and put into them."""

from collections.abc import Mapping
from typing import Any

from openpendant.dialects.rapid import DeviceSlot, Reference

Given = Mapping[str, Any]
LONGEST_STRING, LONGEST_RAW = 80, 1024


def slot_of(reference: Reference) -> DeviceSlot:
    """Return the data of a socket or file."""
    return reference.get()


def raw_of(data: Reference | DeviceSlot) -> bytearray:
    """Return the bytes of rawbytes data, which stay its own."""
    slot = data if isinstance(data, DeviceSlot) else slot_of(data)
    if slot.held is None:
        slot.held = bytearray()
    return slot.held


def payload_of(given: Given) -> bytes:
    r"""Return what is to be sent: `\Str`, `\RawData` or `\Data`, perhaps its beginning."""
    if "Str" in given:
        data = given["Str"].encode("latin-1", "replace")
    elif "RawData" in given:
        data = bytes(raw_of(given["RawData"]))
    else:
        data = bytes(int(value) & 0xFF for value in given["Data"])
    return data[: int(given["NoOfBytes"])] if "NoOfBytes" in given else data


def longest_of(given: Given) -> int:
    """Return how many bytes can be received at once."""
    return LONGEST_STRING if "Str" in given else LONGEST_RAW


def put_received(given: Given, data: bytes) -> None:
    r"""Give a program what has come: in `\Str`, `\RawData` or `\Data`, and how much."""
    if "Str" in given:
        given["Str"].set(data.decode("latin-1"))
    elif "RawData" in given:
        raw_of(given["RawData"])[:] = data
    else:
        values = given["Data"].get()
        values[: len(data)] = [float(value) for value in data[: len(values)]]
    if "NoRecBytes" in given:
        given["NoRecBytes"].set(float(len(data)))
