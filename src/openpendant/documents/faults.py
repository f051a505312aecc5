"""DocumentFault: what is wrong in a document, and where."""

from dataclasses import dataclass
from pathlib import Path

from openpendant.errors import CellFileError, InputError
from openpendant.said import say


@dataclass(frozen=True, slots=True)
class DocumentFault:
    """What is wrong, and where: a JSON pointer from the root of the cell or program, or of the item."""

    pointer: str
    message: str
    """Has a code (`openpendant.said`)."""

    def under(self, prefix: str) -> "DocumentFault":
        """Return the same with a longer pointer."""
        return DocumentFault(prefix + self.pointer, self.message)

    def in_file(self, path: Path | str) -> CellFileError:
        """Return the error that a file with this fault cannot be used."""
        return CellFileError(path, self.pointer, self.message)

    def in_item(self, item: str = "") -> InputError:
        """Return the error that an edit is refused which would leave this fault in an item; empty: in the document."""
        return InputError(say("edit.fault", item=item, pointer=self.pointer, why=self.message))

    def in_program(self, program: str) -> InputError:
        """Return the error that a program with this fault cannot be used."""
        return InputError(say("check.fault", program=program, pointer=self.pointer, why=self.message))
