"""`openpendant serve`: start the server and show the page."""

import json
import os
import sys
import webbrowser
from typing import Annotated

import typer

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Give `app` the verb."""
    app.command("serve")(serve)


def serve(
    host: Annotated[str, typer.Option(help="Loopback address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(help="Port to listen on; 0 for any free one.", show_default="8000, or the next free one"),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the address as one line of JSON, nothing else.")
    ] = False,
    open_page: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page in the browser where there is a display.")
    ] = True,
) -> None:
    """Start the server on this machine and open its page."""
    # Numerics and web framework are loaded only where they are needed: other verbs stay quick.
    from openpendant.server import DEFAULT_PORT, create_app, listen, run

    bound = listen(host, port)
    own_port = bound.getsockname()[1]

    def on_ready(url: str) -> None:
        if as_json:
            print(json.dumps({"url": url}), flush=True)
            return
        if port is None and own_port != DEFAULT_PORT:
            print(f"Port {DEFAULT_PORT} is in use, so this is on {own_port}.")
        print(f"OpenPendant is at {url}  (Ctrl-C stops it)", flush=True)
        if open_page and display_likely():
            webbrowser.open(url)

    run(create_app(), bound, on_ready)


def display_likely() -> bool:
    """Return whether a browser window would be seen: a display, and a person at it."""
    if not sys.stdout.isatty() or "SSH_CONNECTION" in os.environ:
        return False
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
