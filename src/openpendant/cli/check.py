"""`openpendant check`: whether a program can run, how long it takes and how near it comes to obstacles."""

from typing import TYPE_CHECKING, Annotated

import typer

from .cells import CellArgument, ProgramArgument, open_program
from .joints import JsonOption

if TYPE_CHECKING:
    from collections.abc import Mapping

    from openpendant.programs import Program, Report

FAILS = 1
STYLES = {"clear": "green", "remark": "yellow", "fails": "bold red", "not reached": "dim"}


def add_to(app: typer.Typer) -> None:
    """Give `app` the verb."""
    app.command("check")(check)


def check(
    cell: CellArgument,
    program: ProgramArgument = None,
    then: Annotated[
        list[str] | None,
        typer.Option("--then", metavar="PROGRAM", help="Another program to run after it; repeatable."),
    ] = None,
    no_collisions: Annotated[bool, typer.Option("--no-collisions", help="Skip the collision check.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Check a whole program before anything moves: reach, limits, singularities, collisions, zones, speeds, time.

    The exit code is 0 where it is clear, 1 where a step fails, 2 where cell or program cannot be used.
    """
    import msgspec

    from openpendant.programs import check_program, check_sequence

    chosen = open_program(cell, program)
    if then:
        names = [chosen.program.name, *then]
        report = check_sequence(chosen.cell, names, chosen.programs, folder=chosen.folder)
    else:
        report = check_program(
            chosen.cell,
            chosen.program,
            programs=chosen.programs,
            folder=chosen.folder,
            collisions=not no_collisions,
        )
    if as_json:
        print(msgspec.json.encode(report).decode())
    else:
        show(report, chosen.programs)
    if not report.clear:
        raise typer.Exit(FAILS)


def show(report: "Report", programs: "Mapping[str, Program]") -> None:
    """Print a report for people; `programs` are those that were checked, by name."""
    from rich.markup import escape

    from openpendant.programs import all_steps, sentence

    from .screen import console, facts_table, heading, row_table

    out = console()
    out.print(heading(report.program, f"in {report.cell}"))
    table = row_table("step", "", "time", "nearest", "what", right=("time", "nearest"))
    steps = {(name, step.id): step for name, program in programs.items() for _, step in all_steps(program)}
    for step in report.steps:
        style = STYLES[step.verdict]
        near = "" if step.clearance is None else f"{1000.0 * step.clearance.distance_m:.0f} mm"
        time = f"{step.duration_s:.2f} s" if step.duration_s else ""
        words = [escape(sentence(steps[step.program, step.id]))]
        words += [f"[{'red' if one.fails else 'yellow'}]{escape(one.message)}[/]" for one in step.findings]
        words += [f"[cyan]{escape('or: ' + one.message)}[/]" for one in step.alternatives]
        indent = "  " * step.number.count(".")
        table.add_row(indent + step.number, f"[{style}]{step.verdict}[/]", time, near, "\n".join(words))
    out.print(table)
    facts = facts_table()
    facts.add_row("time", f"{report.duration_s:.2f} s")
    if report.cycle_s is not None:
        facts.add_row("each round", f"{report.cycle_s:.2f} s")
    if len(report.busy_s) > 1:
        facts.add_row("busy", ", ".join(f"{arm} {seconds:.2f} s" for arm, seconds in report.busy_s.items()))
    facts.add_row("way of the tool", f"{report.length_m:.3f} m")
    if report.clearance is not None:
        facts.add_row("nearest", str(report.clearance))
    facts.add_row("start pose", report.start.reason if report.start.depends else "does not matter")
    for note in report.notes:
        facts.add_row("note", note)
    out.print(facts)
    out.print(f"[{'bold green' if report.clear else 'bold red'}]{escape(report.summary)}[/]")
