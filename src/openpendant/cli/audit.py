"""`openpendant audit`: who did what on this machine's server."""

import json
from typing import Annotated

import typer

FIRST = ("time", "who", "role", "from", "what")


def add_to(app: typer.Typer) -> None:
    """Give `app` the verb."""
    app.command("audit")(audit)


def audit(
    last: Annotated[int, typer.Option(min=1, help="Number of lines to show, newest last.")] = 50,
    as_json: Annotated[bool, typer.Option("--json", help="Print the lines as stored.")] = False,
    where: Annotated[bool, typer.Option("--where", help="Print only the path of the log.")] = False,
) -> None:
    """Show who paired, edited, ran and stopped what, newest last."""
    from openpendant.server import AUDIT_FILE, read_audit
    from openpendant.user_folders import user_access_folder

    file = user_access_folder() / AUDIT_FILE
    if where:
        print(file)
        return
    lines = read_audit(file, last)
    if as_json:
        for line in lines:
            print(json.dumps(line, ensure_ascii=False))
        return
    if not lines:
        print(f"The audit log is empty: {file}.")
    for line in lines:
        details = ", ".join(f"{key} {value}" for key, value in line.items() if key not in FIRST)
        who = f"{line.get('who', '')} ({line['role']})" if line.get("role") else str(line.get("who") or "somebody")
        print(plain(f"{line.get('time', '')}  {who} from {line.get('from', '')}: {line.get('what', '')}  {details}"))


def plain(text: str) -> str:
    """Return text that cannot steer the terminal it is printed on."""
    return "".join(sign if sign.isprintable() else "?" for sign in text).rstrip()
