"""`openpendant pair`: another pairing code of the server on this machine."""

import sys
from typing import Annotated, Literal

import typer

from .pairing_card import print_pairing
from .servers import find_server


def add_to(app: typer.Typer) -> None:
    """Give `app` the verb."""
    app.command("pair")(pair)


def pair(
    role: Annotated[
        Literal["viewer", "operator", "engineer"], typer.Option(help="Role that the code gives.")
    ] = "operator",
    name: Annotated[str, typer.Option(help="Name of the person or device.", show_default="asked when pairing")] = "",
    url: Annotated[
        str, typer.Option(help="Address of the server on this machine.", show_default="the one that runs")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print code and links as JSON.")] = False,
) -> None:
    """Get another pairing code from a server that was started with --lan."""
    import msgspec

    from openpendant.client import connect

    made = connect(url or find_server()).offer_pairing(role, name)
    if as_json:
        told = {"code": made.code, "role": made.role, "expires_s": made.expires_s, "links": made.links}
        sys.stdout.write(f"{msgspec.json.encode(told).decode()}\n")
        return
    print_pairing(made)
