"""Files in programs: Open, Write, ReadStr and their kin, on the controller's own disks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from openpendant.dialects.rapid import (
    DeviceSlot,
    HostRoutine,
    HostWait,
    RapidFailure,
    TaskCaller,
    host_routine,
    write_value,
)
from openpendant.virtual.abb.files import ControllerFiles
from openpendant.virtual.abb.refusal import ControllerRefusal

from .device_data import LONGEST_STRING
from .turns import Turns

Given = Mapping[str, Any]
END = "EOF"
END_NUMBER = 9.998e36
WHITE = " \t\r\n"


@dataclass(eq=False)
class OpenFile:
    """What an iodev holds: where it writes to, or all there is to read and how far it has been read."""

    path: str
    writes: bool
    data: bytes = b""
    at: int = 0


class FileRoutines:
    """Programs and their files. Writes go to disk at once: a program may end without Close."""

    def __init__(self, files: ControllerFiles, turns: Turns) -> None:
        """Use the disks of a controller."""
        self._files, self._turns = files, turns

    def table(self) -> tuple[HostRoutine, ...]:
        """Return the routines."""
        return (
            host_routine("Open", self._open, waits=True),
            host_routine("Close", self._close),
            host_routine("Rewind", self._rewind),
            host_routine("ClearIOBuff", lambda _, given: self._held(given) and None),
            host_routine("Write", self._write, waits=True),
            host_routine("WriteStrBin", lambda _, given: self.append(given, _encoded(given["Str"])), waits=True),
            host_routine("ReadStr", self._read_text),
            host_routine("ReadNum", self._read_number),
            host_routine("RemoveFile", self._remove, waits=True),
            host_routine("IsFile", self._is_file),
            host_routine("FileSize", self._size),
        )

    def _open(self, _task: TaskCaller, given: Given) -> HostWait:
        yield from self._turns.wait()
        slot: DeviceSlot = given["IODevice"].get()
        if slot.held is not None:
            raise RapidFailure("ERR_FILEOPEN", f"{slot.held.path} is open already")
        path = given["Object"] + (f"/{given['File']}" if "File" in given else "")
        try:
            if "Read" in given:
                slot.held = OpenFile(path, writes=False, data=self._files.read(path))
                return
            if "Append" not in given:
                self._files.write(path, b"")
            self._files.append(path, b"")
        except ControllerRefusal as error:
            raise RapidFailure("ERR_FILEACC", str(error)) from None
        slot.held = OpenFile(path, writes=True)

    def _close(self, _task: TaskCaller, given: Given) -> None:
        slot: DeviceSlot = given["IODevice"].get()
        slot.held = None

    def _rewind(self, _task: TaskCaller, given: Given) -> None:
        self._held(given).at = 0

    def _write(self, _task: TaskCaller, given: Given) -> HostWait:
        extra = [write_value(given[name]) for name in ("Num", "Bool", "Pos", "Orient", "Dnum") if name in given]
        text = given["String"] + "".join(extra) + ("" if "NoNewLine" in given else "\n")
        yield from self.append(given, _encoded(text))

    def append(self, given: Given, data: bytes) -> HostWait:
        """Write at the end of an open file."""
        yield from self._turns.wait()
        held = self._held(given)
        if not held.writes:
            raise RapidFailure("ERR_FILEACC", f"{held.path} is open for reading")
        try:
            self._files.append(held.path, data)
        except ControllerRefusal as error:
            raise RapidFailure("ERR_FILEACC", str(error)) from None

    def read(self, given: Given, count: int) -> bytes:
        """Return the next bytes of an open file, fewer at its end."""
        held = self._readable(given)
        data = held.data[held.at : held.at + count]
        held.at += len(data)
        return data

    def _read_text(self, _task: TaskCaller, given: Given) -> str:
        held = self._readable(given)
        if held.at >= len(held.data):
            return END
        # Delimiters go before the line end, and the text ends at either (RAPID reference, "ReadStr").
        ends = set((given.get("Delim", "") + "\n").encode("latin-1", "replace"))
        begin = held.at
        while held.at < len(held.data) and held.data[held.at] not in ends and held.at - begin < LONGEST_STRING:
            held.at += 1
        text = held.data[begin : held.at].decode("latin-1")
        if held.at < len(held.data) and held.data[held.at] in ends:
            held.at += 1
        return text.rstrip("\r") if "RemoveCR" in given else text

    def _read_number(self, task: TaskCaller, given: Given) -> float:
        held = self._readable(given)
        while held.at < len(held.data) and chr(held.data[held.at]) in WHITE:
            held.at += 1
        if held.at >= len(held.data):
            return END_NUMBER
        text = self._read_text(task, given).strip()
        try:
            return float(text)
        except ValueError:
            raise RapidFailure("ERR_RCVDATA", f"{text!r} is not a number") from None

    def _remove(self, _task: TaskCaller, given: Given) -> HostWait:
        yield from self._turns.wait()
        try:
            self._files.delete(given["Path"])
        except ControllerRefusal as error:
            raise RapidFailure("ERR_FILEACC", str(error)) from None

    def _is_file(self, _task: TaskCaller, given: Given) -> bool:
        try:
            found = self._files.find(given["Path"])
        except ControllerRefusal:
            return False
        return found.is_dir() if "Directory" in given else found.is_file() if "RegFile" in given else found.exists()

    def _size(self, _task: TaskCaller, given: Given) -> float:
        try:
            return float(self._files.size(given["Path"]))
        except ControllerRefusal as error:
            raise RapidFailure("ERR_FILEACC", str(error)) from None

    def _held(self, given: Given) -> OpenFile:
        held: OpenFile | None = given["IODevice"].get().held
        if held is None:
            raise RapidFailure("ERR_FILEACC", "the file is not open")
        return held

    def _readable(self, given: Given) -> OpenFile:
        held = self._held(given)
        if held.writes:
            raise RapidFailure("ERR_FILEACC", f"{held.path} is open for writing")
        return held


def _encoded(text: str) -> bytes:
    return text.encode("latin-1", "replace")
