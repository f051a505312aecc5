"""`openpendant pair`: another code for the server that runs on this machine."""

import sys
from typing import Annotated, Literal

import typer

from .pairing_card import print_pairing

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Give `app` the verb."""
    app.command("pair")(pair)


def pair(
    role: Annotated[
        Literal["viewer", "operator", "engineer"], typer.Option(help="What the code lets somebody be.")
    ] = "operator",
    name: Annotated[str, typer.Option(help="Who it is for.", show_default="they say so themselves")] = "",
    url: Annotated[str, typer.Option(help="The server, by its address on this machine.")] = "http://127.0.0.1:8000",
    as_json: Annotated[bool, typer.Option("--json", help="Print code and links as JSON.")] = False,
) -> None:
    """Have a server that was started with --lan show another code."""
    import msgspec

    from openpendant.client import connect

    made = connect(url).offer_pairing(role, name)
    if as_json:
        told = {"code": made.code, "role": made.role, "expires_s": made.expires_s, "links": made.links}
        sys.stdout.write(f"{msgspec.json.encode(told).decode()}\n")
        return
    print_pairing(made)
