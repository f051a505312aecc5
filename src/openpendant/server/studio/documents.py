"""EncodedDocument: the document of a project as JSON, encoded once for everybody who opens it."""

from typing import cast

import msgspec

from openpendant.programs import Program, all_steps, sentence
from openpendant.projects.shared import SharedProject
from openpendant.scene import Cell

__all__ = ["EncodedDocument", "sentences_of"]

Programs = dict[str, Program]
Sentences = dict[str, dict[str, str]]
_encode = msgspec.json.Encoder().encode


def sentences_of(program: Program) -> dict[str, str]:
    """Return what each step does, in words, by its id."""
    return {step.id: sentence(step) for _, step in all_steps(program)}


class EncodedDocument:
    """Cell, programs and sentences of the newest state that somebody asked for."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._about: tuple[Cell, tuple[tuple[str, Program], ...]] | None = None
        self._raw: tuple[msgspec.Raw, msgspec.Raw, msgspec.Raw] = (msgspec.Raw(), msgspec.Raw(), msgspec.Raw())

    def of(self, shared: SharedProject) -> tuple[Cell, Programs, Sentences]:
        """Return cell, programs and sentences as a message takes them; they are encoded already."""
        programs = shared.programs
        # Documents never change, each edit makes another: the same objects mean the same text.
        about = (shared.cell, tuple(programs.items()))
        known = self._about
        same = known is not None and known[0] is about[0] and _same(known[1], about[1])
        if not same:
            sentences = {name: sentences_of(program) for name, program in programs.items()}
            self._raw = (
                msgspec.Raw(_encode(shared.cell)),
                msgspec.Raw(_encode(programs)),
                msgspec.Raw(_encode(sentences)),
            )
            self._about = about
        cell, encoded, sentences = self._raw
        return cast(Cell, cell), cast(Programs, encoded), cast(Sentences, sentences)


def _same(a: tuple[tuple[str, Program], ...], b: tuple[tuple[str, Program], ...]) -> bool:
    return len(a) == len(b) and all(one[0] == two[0] and one[1] is two[1] for one, two in zip(a, b, strict=True))
