"""`openpendant lint`: syntax, names and types of programs in makers' languages, without a controller."""

from pathlib import Path
from typing import Annotated

import typer

from openpendant.errors import InputError

from .joints import JsonOption

WRONG = 1


def add_to(app: typer.Typer) -> None:
    """Give `app` the verb."""
    app.command("lint")(lint)


def lint(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files that a controller loads together.")],
    language: Annotated[
        str, typer.Option("--language", metavar="NAME", help="Language, where the ending of a file does not say it.")
    ] = "",
    apart: Annotated[bool, typer.Option("--apart", help="Check each file as a separate program.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Check files in a maker's language: syntax, names, types, arguments. Nothing is run.

    Files of one language are checked together, as one task of a controller loads them. The exit code is 0 where nothing
    is wrong, 1 where something is, 2 where a file cannot be read.
    """
    import msgspec

    from openpendant.makers import text_language

    groups: dict[tuple[str, str], dict[str, str]] = {}
    for file in files:
        name = text_language(str(file), language).name
        groups.setdefault((name, str(file) if apart else ""), {})[str(file)] = _read(file)
    found = [one for (name, _), texts in groups.items() for one in text_language("", name).check(texts)]
    if as_json:
        print(msgspec.json.encode(found).decode())
    else:
        for one in found:
            print(one)
        if not found:
            print(f"{len(files)} {'file' if len(files) == 1 else 'files'}: nothing wrong")
    if found:
        raise typer.Exit(WRONG)


def _read(file: Path) -> str:
    try:
        data = file.read_bytes()
    except OSError as wrong:
        raise InputError(f"{file}: {wrong.strerror or wrong}") from wrong
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        # Older controllers write Latin 1.
        return data.decode("latin-1")
