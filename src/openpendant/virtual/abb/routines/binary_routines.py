"""Bytes of files in programs: WriteBin, ReadBin, ReadStrBin, WriteRawBytes, ReadRawBytes."""

from collections.abc import Mapping
from typing import Any

from openpendant.dialects.rapid import HostRoutine, HostWait, RapidFailure, TaskCaller, host_routine

from .device_data import LONGEST_RAW, LONGEST_STRING, raw_of
from .file_routines import END, FileRoutines

Given = Mapping[str, Any]
END_BYTE = -1.0
"""EOF_BIN"""


def binary_routines(files: FileRoutines) -> tuple[HostRoutine, ...]:
    """Return the routines around open files."""

    def write_numbers(_task: TaskCaller, given: Given) -> HostWait:
        count, values = given["NChar"], given["Buffer"]
        if not 0 <= count <= len(values) or count % 1.0:
            raise RapidFailure("ERR_ARGVALERR", f"{count:g} characters; 0 to {len(values)} are allowed")
        numbers = values[: int(count)]
        if any(value % 1.0 or not 0 <= value <= 255 for value in numbers):
            raise RapidFailure("ERR_ARGVALERR", "a character is none; whole numbers from 0 to 255 are allowed")
        yield from files.append(given, bytes(int(value) for value in numbers))

    def write_raw(_task: TaskCaller, given: Given) -> HostWait:
        data = bytes(raw_of(given["RawData"]))
        count = int(given.get("NoOfBytes", len(data)))
        if not 0 <= count <= len(data):
            raise RapidFailure("ERR_ARGVALERR", f"{count} bytes; there are {len(data)}")
        yield from files.append(given, data[:count])

    def read_number(_task: TaskCaller, given: Given) -> float:
        data = files.read(given, 1)
        return float(data[0]) if data else END_BYTE

    def read_text(_task: TaskCaller, given: Given) -> str:
        count = given["NoOfChars"]
        if not 1 <= count <= LONGEST_STRING or count % 1.0:
            raise RapidFailure("ERR_ARGVALERR", f"{count:g} characters; 1 to {LONGEST_STRING} are allowed")
        data = files.read(given, int(count))
        return data.decode("latin-1") if data else END

    def read_raw(_task: TaskCaller, given: Given) -> None:
        data = files.read(given, LONGEST_RAW)
        if not data:
            raise RapidFailure("ERR_RANYBIN_EOF", "there are no more bytes")
        raw_of(given["RawData"])[:] = data

    return (
        host_routine("WriteBin", write_numbers, waits=True),
        host_routine("WriteRawBytes", write_raw, waits=True),
        host_routine("ReadBin", read_number),
        host_routine("ReadStrBin", read_text),
        host_routine("ReadRawBytes", read_raw),
    )
