"""Texts that makers' controllers run, checked without one: by the endings of their files."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath

from openpendant.errors import InputError


@dataclass(frozen=True, slots=True)
class TextFinding:
    """What is wrong with a text.

    Attributes:
        file: Its name.
        line: From 1.
        column: From 1.
        message: English text.
        number: What the controller's log calls it; None: it has no number.
        title: The log's title of it.
    """

    file: str
    line: int
    column: int
    message: str
    number: int | None = None
    title: str = ""

    def __str__(self) -> str:
        """Return it in one line."""
        number = "" if self.number is None else f"{self.number} {self.title}: "
        return f"{self.file}:{self.line}:{self.column}: {number}{self.message}"


@dataclass(frozen=True, slots=True)
class TextLanguage:
    """A language whose texts can be checked.

    Attributes:
        name: As in `VendorText`.
        endings: Of its files, in lower case.
        check: Returns what is wrong with texts that are loaded together, by name of file.
    """

    name: str
    endings: tuple[str, ...]
    check: Callable[[Mapping[str, str]], list[TextFinding]]


def _check_rapid(texts: Mapping[str, str]) -> list[TextFinding]:
    from openpendant.dialects.rapid import check_texts

    return [
        TextFinding(one.file, one.line, one.column, one.message, one.kind.number, one.kind.title)
        for one in check_texts(texts)
    ]


def _check_urscript(texts: Mapping[str, str]) -> list[TextFinding]:
    from openpendant.dialects.urscript import check_script

    return [
        TextFinding(name, one.line, one.column, one.message)
        for name, text in texts.items()
        for one in check_script(text, name=name)
    ]


TEXT_LANGUAGES = (
    TextLanguage("rapid", (".mod", ".modx", ".sys", ".sysx", ".prg"), _check_rapid),
    TextLanguage("urscript", (".script", ".urscript"), _check_urscript),
)


def text_language(file: str, name: str = "") -> TextLanguage:
    """Return the language of a file, by its ending or by its own name.

    Raises:
        InputError: It is unknown; names what is allowed.
    """
    ending = PurePath(file).suffix.lower()
    for one in TEXT_LANGUAGES:
        if name == one.name or (not name and ending in one.endings):
            return one
    if name:
        raise InputError(f"unknown language {name!r}: use {', '.join(one.name for one in TEXT_LANGUAGES)}")
    known = ", ".join(ending for one in TEXT_LANGUAGES for ending in one.endings)
    raise InputError(f"{file}: the ending says no language; known are {known}; or use --language")
