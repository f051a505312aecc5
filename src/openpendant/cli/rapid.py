"""`openpendant rapid` and the verbs below it: the RAPID that comes with OpenPendant, listed and copied."""

from pathlib import Path
from typing import Annotated

import typer

from .joints import JsonOption


def add_to(app: typer.Typer) -> None:
    """Give `app` the verb and the verbs below it."""
    verbs = typer.Typer(no_args_is_help=True, help="RAPID modules for ABB controllers that come with OpenPendant.")
    verbs.command("list")(list_sets)
    verbs.command("write")(write_set)
    app.add_typer(verbs, name="rapid")


def list_sets(as_json: JsonOption = False) -> None:
    """List the sets of modules: what each does, into which tasks it goes, and what the controller must have."""
    import msgspec

    from openpendant.rapid_modules import RAPID_SETS

    if as_json:
        found = [
            {
                "name": one.name,
                "title": one.title,
                "modules": [
                    {"file": file.path.name, "task": file.task, "moves": file.moves, "option": file.option}
                    for file in one.files
                ],
                "signals": dict(one.signals),
                "options": one.options,
            }
            for one in RAPID_SETS
        ]
        print(msgspec.json.encode(found).decode())
        return
    for one in RAPID_SETS:
        print(f"{one.name}: {one.title}")
        for file in one.files:
            where = f"{file.path.name} into {file.task}{'' if file.moves else ', in the background'}"
            print(f"  {where}{f', with option {file.option}' if file.option else ''}")
        if one.signals:
            print(f"  signals: {', '.join(f'{name} ({kind})' for name, kind in one.signals)}")
        print(f"  options: {', '.join(one.options)}")


def write_set(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A set that `openpendant rapid list` shows.")],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to; made if it is not there.")],
) -> None:
    """Copy the modules of a set into a folder, to be adapted and loaded on a controller. Files there are replaced."""
    from openpendant.rapid_modules import rapid_set, write_rapid_set

    for path in write_rapid_set(rapid_set(name), folder):
        print(path)
