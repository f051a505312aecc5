"""ProjectState: a cell with its programs, which follow its renames. Pure: each edit makes another state."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from openpendant.errors import InputError, UnknownNameError
from openpendant.said import say
from openpendant.scene import Batch, Cell, CellEdit, Command, Remove, Rename, edit

from .commands import ProgramCommand
from .program import Program
from .program_edit import ProgramEdit, edit_program, with_ids
from .references import called_by, references_of, rename_references
from .validation import find_call_fault, find_program_fault


@dataclass(frozen=True, slots=True)
class ProjectState:
    """A cell and its programs by name, without fault."""

    cell: Cell
    programs: Mapping[str, Program]

    def program(self, name: str) -> Program:
        """Return a program.

        Raises:
            UnknownNameError: There is none of that name.
        """
        if name not in self.programs:
            raise UnknownNameError("program in this cell", name, self.programs)
        return self.programs[name]


def edit_cell_of(state: ProjectState, command: Command) -> tuple[ProjectState, CellEdit]:
    """Return the state after a command to the cell, and what takes it back; programs follow what it renames.

    Raises:
        InputError: The command does not fit, or a program still needs what would go.
        UnknownNameError: Nothing in the cell has that name.
    """
    done = edit(state.cell, command)
    renames = renames_in(command)
    programs = {name: _follow(program, renames) for name, program in state.programs.items()}
    for name, program in programs.items():
        fault = find_program_fault(program, done.cell, programs)
        if fault is not None:
            why = fault.in_program(name).said
            if isinstance(command, Remove):
                raise InputError(
                    _needed(command.name, programs) or say("edit.program_needs", name=command.name, why=why)
                )
            raise InputError(say("edit.program_breaks", why=why))
    return ProjectState(done.cell, programs), done


def _needed(name: str, programs: Mapping[str, Program]) -> str | None:
    """Return which steps, or which program as a whole, need a thing of the cell; None: none names it."""
    users: list[str] = []
    for program in programs.values():
        steps = references_of(program).get(name)
        if steps is not None:
            users += [say("thing.step_of", step=step, program=program.name) for step in steps]
            users += [] if steps else [say("thing.program_named", name=program.name)]
    if not users:
        return None
    by = users[0] if len(users) == 1 else say("edit.and_others", names=users[0])
    return say("edit.needed_by", name=name, by=by)


def edit_program_of(state: ProjectState, name: str, command: ProgramCommand) -> tuple[ProjectState, ProgramEdit]:
    """Return the state after a command to one program, and what takes it back.

    Raises:
        InputError: The command does not fit or would leave a fault.
        UnknownNameError: There is no such program, or no step has that id.
    """
    done = edit_program(state.program(name), command)
    check_program_fits(done.program, state.cell, state.programs)
    return replace(state, programs={**state.programs, name: done.program}), done


def add_program_to(state: ProjectState, program: Program) -> ProjectState:
    """Return the state with another program; steps without an id get one.

    Raises:
        InputError: Its name is taken, or it has a fault.
    """
    if program.name in state.programs:
        raise InputError(say("edit.program_taken", name=program.name))
    program = with_ids(program)
    programs = {**state.programs, program.name: program}
    check_program_fits(program, state.cell, programs)
    fault = find_call_fault(program, programs)
    if fault is not None:
        raise fault.in_program(program.name)
    return replace(state, programs=programs)


def remove_program_from(state: ProjectState, name: str) -> tuple[ProjectState, Program]:
    """Return the state without a program, and that program.

    Raises:
        InputError: Another program calls it.
        UnknownNameError: There is none of that name.
    """
    program = state.program(name)
    callers = [other for other, one in state.programs.items() if other != name and name in called_by(one)]
    if callers:
        raise InputError(say("edit.called_by", name=name, by=", ".join(map(repr, callers))))
    return replace(state, programs={other: one for other, one in state.programs.items() if other != name}), program


def check_program_fits(program: Program, cell: Cell, programs: Collection[str] | None) -> None:
    """Raise InputError where a program has a fault; arguments as `find_program_fault`."""
    fault = find_program_fault(program, cell, programs)
    if fault is not None:
        raise fault.in_program(program.name)


def renames_in(command: Command) -> list[tuple[str, str]]:
    """Return the old and new names of what a command renames, in order."""
    match command:
        case Rename(name=old, new_name=new):
            return [(old, new)]
        case Batch(commands=commands):
            return [pair for one in commands for pair in renames_in(one)]
        case _:
            return []


def _follow(program: Program, renames: list[tuple[str, str]]) -> Program:
    """Return a program that follows renames; the same object where it names none of them."""
    followed = program
    for old, new in renames:
        if old in references_of(followed) and new in followed.variables:
            raise InputError(say("edit.variable_of", name=new, program=program.name))
        followed = rename_references(followed, old, new)
    return program if followed == program else followed
