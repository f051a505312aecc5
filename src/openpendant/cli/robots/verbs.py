"""The verbs below `openpendant robots`."""

import typer

from .catalogue import list_robots
from .import_urdf import import_robot
from .remove import remove_robot
from .show import show_robot
from .urdf import write_urdf


def add_to(app: typer.Typer) -> None:
    """Give `app` the verb and the verbs below it."""
    verbs = typer.Typer(no_args_is_help=False)
    verbs.callback(invoke_without_command=True)(robots)
    verbs.command("show")(show_robot)
    verbs.command("import")(import_robot)
    verbs.command("remove")(remove_robot)
    verbs.command("urdf")(write_urdf)
    app.add_typer(verbs, name="robots")


def robots(context: typer.Context) -> None:
    """The robots of the catalogue; without a subcommand, list them."""
    if context.invoked_subcommand is None:
        list_robots()
