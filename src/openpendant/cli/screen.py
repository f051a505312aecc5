"""The screen: rich tables in one look."""

from rich import box
from rich.console import Console
from rich.table import Table

PLAIN_WIDTH = 120
"""Where the output goes to a file or another program, lines are not broken at 80 columns."""


def console() -> Console:
    """Return the console for stdout."""
    own = Console(highlight=False)
    return own if own.is_terminal else Console(highlight=False, width=max(own.width, PLAIN_WIDTH))


def row_table(*columns: str, right: tuple[str, ...] = (), title: str | None = None) -> Table:
    """Return a table with these columns; those named in `right` hold numbers."""
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, header_style="dim")
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", no_wrap=column in right)
    return table


def facts_table() -> Table:
    """Return a table without head for pairs of word and value."""
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    return table


def heading(title: str, note: str) -> str:
    """Return the line above a table, as rich markup."""
    from rich.markup import escape

    return f"[bold]{escape(title)}[/bold]  [dim]{escape(note)}[/dim]"
