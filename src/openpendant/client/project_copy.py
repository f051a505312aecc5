"""ProjectCopy: a project as the server has it, kept by patches; and whether a server speaks another protocol."""

import msgspec

from openpendant.messages import PROTOCOL
from openpendant.messages.project import HistoryNow, Patched, People, SaveState, Whole
from openpendant.projects import apply_patch
from openpendant.said import say


class _ProtocolHead(msgspec.Struct):
    """What the whole project of every version has; other messages have no protocol."""

    protocol: int


def other_protocol(text: str) -> str:
    """Return the message that a server is of another version, from what it sends; empty: it does not say so."""
    try:
        server = msgspec.json.decode(text, type=_ProtocolHead).protocol
    except msgspec.DecodeError:
        return ""
    return "" if server == PROTOCOL else say("server.client_protocol", client=PROTOCOL, server=server)


class ProjectCopy:
    """It has no lock: whoever writes and reads in different threads holds one."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.whole: Whole | None = None
        """As the server has it; None: nothing has come yet."""

    def at(self, seq: int) -> Whole | None:
        """Return the project with all patches up to this number; None: one of them has not come yet."""
        return self.whole if self.whole is not None and self.whole.seq >= seq else None

    def apply(self, message: Whole | Patched | People | HistoryNow | SaveState) -> bool:
        """Follow a message; return False if a patch before it is missing: then the whole project is needed again."""
        whole = self.whole
        if isinstance(message, Whole):
            self.whole = message
        elif whole is None:
            return True
        elif isinstance(message, Patched):
            return self._patch(whole, message)
        elif isinstance(message, People):
            self.whole = msgspec.structs.replace(whole, people=message.people)
        elif isinstance(message, HistoryNow):
            self.whole = msgspec.structs.replace(whole, history=message)
        else:
            self.whole = msgspec.structs.replace(whole, saved=message)
        return True

    def _patch(self, whole: Whole, message: Patched) -> bool:
        patch = message.patch
        if patch.seq == whole.seq + 1:
            cell, programs = apply_patch(whole.cell, whole.programs, patch)
            self.whole = msgspec.structs.replace(whole, seq=patch.seq, cell=cell, programs=programs)
        return patch.seq <= whole.seq + 1
