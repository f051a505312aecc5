"""EncodedDocument: the document of a project as JSON, encoded once for everybody who opens it."""

from typing import cast

import msgspec

from openpendant.messages import speak_plainly
from openpendant.programs import Program
from openpendant.projects.shared import SharedProject
from openpendant.scene import Cell

Programs = dict[str, Program]
_encode = msgspec.json.Encoder(enc_hook=speak_plainly).encode


class EncodedDocument:
    """Cell and programs of the newest state that somebody asked for."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._about: tuple[Cell, tuple[tuple[str, Program], ...]] | None = None
        self._raw: tuple[msgspec.Raw, msgspec.Raw] = (msgspec.Raw(), msgspec.Raw())

    def of(self, shared: SharedProject) -> tuple[Cell, Programs]:
        """Return cell and programs as a message takes them; they are encoded already."""
        programs = shared.programs
        # Documents never change, each edit makes another: the same objects mean the same text.
        about = (shared.cell, tuple(programs.items()))
        known = self._about
        same = known is not None and known[0] is about[0] and _same(known[1], about[1])
        if not same:
            self._raw = (msgspec.Raw(_encode(shared.cell)), msgspec.Raw(_encode(programs)))
            self._about = about
        cell, encoded = self._raw
        return cast(Cell, cell), cast(Programs, encoded)


def _same(a: tuple[tuple[str, Program], ...], b: tuple[tuple[str, Program], ...]) -> bool:
    return len(a) == len(b) and all(one[0] == two[0] and one[1] is two[1] for one, two in zip(a, b, strict=True))
