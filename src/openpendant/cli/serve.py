"""`openpendant serve`: start the server and show the page."""

import json
import os
import sys
import webbrowser
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from .pairing_card import print_pairing

if TYPE_CHECKING:
    from openpendant.messages import Pairing, Role
    from openpendant.server import Lan


def add_to(app: typer.Typer) -> None:
    """Give `app` the verb."""
    app.command("serve")(serve)


def serve(
    host: Annotated[str, typer.Option(help="Loopback address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(help="Port to listen on; 0 for any free one.", show_default="8000, or the next free one"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print only the address, as one line of JSON.")] = False,
    open_page: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page in the browser if there is a display.")
    ] = True,
    lan: Annotated[
        bool,
        typer.Option("--lan", help="Also accept connections from the network, over HTTPS, after pairing with a code."),
    ] = False,
    role: Annotated[
        Literal["viewer", "operator", "engineer"], typer.Option(help="Role that the first code gives.")
    ] = "operator",
    name: Annotated[
        list[str] | None,
        typer.Option(help="Another name of this machine on the network, such as cell3.lan; repeatable."),
    ] = None,
    lan_address: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Network address to listen on.", show_default="all")
    ] = "",
    lan_port: Annotated[
        int | None, typer.Option(help="Port for others.", show_default="8443, or the next free one")
    ] = None,
) -> None:
    """Start the server on this machine and open its page."""
    # Numerics and web framework are loaded only where they are needed: other verbs stay quick.
    from openpendant.server import (
        CERTIFICATES,
        DEFAULT_PORT,
        Access,
        Lan,
        create_app,
        listen,
        listen_lan,
        offer_pairing,
        run,
    )
    from openpendant.user_folders import user_access_folder

    if not lan and (name or lan_address or lan_port is not None):
        raise typer.BadParameter("--name, --lan-address and --lan-port need --lan")
    folder = user_access_folder()
    access = Access(folder)
    bound = listen(host, port)
    own_port = bound.getsockname()[1]
    others = listen_lan(lan_address, lan_port) if lan else []
    if lan:
        access.lan = Lan(folder / CERTIFICATES, others[0].getsockname()[1], name or (), lan_address)

    def on_ready(url: str) -> None:
        first = None if access.lan is None else offer_pairing(access, role)
        if as_json:
            print(json.dumps({"url": url} | network_facts(access.lan, first)), flush=True)
            return
        if port is None and own_port != DEFAULT_PORT:
            print(f"Port {DEFAULT_PORT} is in use; using port {own_port}.")
        print(f"OpenPendant is at {url}  (Ctrl-C stops it)", flush=True)
        if access.lan is not None and first is not None:
            print_network(access.lan, first, role, url)
        if open_page and display_likely():
            webbrowser.open(url)

    run(create_app(access=access), bound, on_ready, access.lan, others)


def network_facts(lan: "Lan | None", first: "Pairing | None") -> dict[str, object]:
    """Return the facts that scripts need to reach the server over the network."""
    if lan is None or first is None:
        return {}
    return {
        "lan": lan.urls,
        "code": first.code,
        "link": first.links[0],
        "ca": str(lan.authority.file),
        "fingerprint": lan.authority.fingerprint,
    }


def print_network(lan: "Lan", first: "Pairing", role: "Role", url: str) -> None:
    """Print how others come in."""
    print("\nOthers on this network open")
    for one in lan.urls:
        print(f"  {one}")
    print(
        "Their browsers warn once: they do not know this machine's certificate authority. Its certificate is at "
        f"{lan.urls[0]}/ca.crt; SHA-256\n  {lan.authority.fingerprint}"
    )
    print_pairing(first)
    print(f"Another code: openpendant pair --role {role} --url {url}, or “Network” in the page.", flush=True)


def display_likely() -> bool:
    """Return whether a browser window would be seen: a display, and a person at it."""
    if not sys.stdout.isatty() or "SSH_CONNECTION" in os.environ:
        return False
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
