"""ProjectRoom: one open project, the people in it, its saves and its checks. Lives in the event loop alone."""

import asyncio
import logging
import time
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from openpendant.cell import WorkPool
from openpendant.errors import OpenPendantError
from openpendant.programs import Program, all_steps, sentence
from openpendant.projects import OpenProject, Patch, ProjectEdit
from openpendant.projects.talk import (
    Done,
    FromServer,
    HistoryNow,
    Look,
    Patched,
    Person,
    Refusal,
    SaveState,
    Whole,
)
from openpendant.projects.talk import (
    People as PeopleNow,
)
from openpendant.scene import Refused

from .checks import Checks
from .operation import Operation, People
from .outbox import Outbox

__all__ = ["Client", "ProjectRoom"]

SAVE_AFTER_S = 1.0
SYNC_S = 0.5
OUTSIDE_S = 2.0
MOST_OWNERS = 10_000
COLORS = ("#4c8dff", "#e8a33d", "#3fb37f", "#c678dd", "#e06c75", "#56b6c2", "#d19a66", "#98c379")

log = logging.getLogger("openpendant.server")
encode = msgspec.json.Encoder().encode


@dataclass(eq=False)
class Client:
    """Somebody who has the project open."""

    id: str
    name: str
    color: str
    outbox: Outbox = field(default_factory=Outbox)
    look: Look = field(default_factory=Look)
    watched: tuple[str, ...] = ()
    heard: Callable[[FromServer], None] | None = None
    """Told of every message to this client alone."""

    def send(self, message: FromServer) -> None:
        """Have a message sent to this client."""
        if self.heard is not None:
            self.heard(message)
        self.outbox.put(encode(message).decode())

    def person(self) -> Person:
        """Return how others see this client."""
        look = self.look
        return Person(
            client=self.id,
            name=self.name,
            color=self.color,
            mode=look.mode,
            selected=look.selected,
            program=look.program,
        )


def sentences_of(program: Program) -> dict[str, str]:
    """Return what each step does, in words, by its id."""
    return {step.id: sentence(step) for _, step in all_steps(program)}


class ProjectRoom:
    """An open project. Every change is told to everybody in it, in one order."""

    def __init__(self, project: str, folder: Path, pool: WorkPool) -> None:
        """Open the project in `folder`.

        Raises:
            CellFileError: A file cannot be read or used.
        """
        self.project = project
        self.open = OpenProject(folder)
        self.clients: list[Client] = []
        self._owners: dict[str, str] = {}
        self.operation = Operation(self.open, People(self._names, self.tell, self._stream))
        self.checks = Checks(self.open, pool, self.tell_watchers, self._watched)
        self._dirty_since: float | None = None if self.open.is_saved else time.monotonic()
        self._trouble: SaveState | None = None
        self._task = asyncio.get_running_loop().create_task(self._keep())
        self._unlisten = self.open.shared.listen(self._changed)

    def claim(self, client_id: str, session: str, sessions: Container[str]) -> bool:
        """Return whether a session may be this client: not where it is that of another that is still paired."""
        owner = self._owners.get(client_id, session)
        if owner != session and (owner == "" or owner in sessions):
            return False
        if client_id not in self._owners and len(self._owners) >= MOST_OWNERS:
            del self._owners[next(iter(self._owners))]
        self._owners[client_id] = session
        return True

    def enter(self, client_id: str, name: str) -> Client:
        """Let a client in, and send it the whole."""
        taken = {client.color for client in self.clients}
        free = [color for color in COLORS if color not in taken]
        client = Client(client_id, name, free[0] if free else COLORS[len(self.clients) % len(COLORS)])
        self.clients.append(client)
        self.send_whole(client)
        self._tell_people()
        return client

    def leave(self, client: Client) -> tuple[str, ...]:
        """A client has gone; return the robots that it had control of."""
        lost: tuple[str, ...] = ()
        if client in self.clients:
            self.clients.remove(client)
            if all(other.id != client.id for other in self.clients):
                lost = self.operation.leave(client.id, client.name)
            self._tell_people()
        return lost

    def introduce(self, client: Client, name: str) -> None:
        """Know a client by another name; nothing else changes."""
        if name != client.name:
            client.name = name
            self._tell_people()

    def send_whole(self, client: Client) -> None:
        """Send a client everything, from which it follows the patches on."""
        shared, recovery = self.open.shared, self.open.recovery
        client.outbox.behind = False
        client.send(
            Whole(
                seq=shared.seq,
                project=self.project,
                you=client.id,
                cell=shared.cell,
                programs=shared.programs,
                sentences={name: sentences_of(program) for name, program in shared.programs.items()},
                people=tuple(one.person() for one in self.clients),
                history=self._history(client),
                saved=self._save_state(),
                recovered="" if recovery is None else recovery.message,
            )
        )
        client.send(self.operation.now())
        client.send(self.operation.log())
        self.checks.send_known(client.watched, client.send)

    def edit(self, client: Client, number: int, edit: ProjectEdit) -> None:
        """Make an edit for a client, and answer."""
        self._answer(client, number, lambda: self.open.apply(edit, client.id))

    def undo(self, client: Client, number: int) -> None:
        """Take back the client's last edit, and answer."""
        self._answer(client, number, lambda: self.open.undo(client.id))

    def redo(self, client: Client, number: int) -> None:
        """Do again what the client has undone last, and answer."""
        self._answer(client, number, lambda: self.open.redo(client.id))

    def look(self, client: Client, look: Look) -> None:
        """Note what a client looks at, and tell the others."""
        if look != client.look:
            client.look = look
            self._tell_people()

    def watch(self, client: Client, programs: tuple[str, ...]) -> None:
        """Keep checking programs for a client."""
        client.watched = programs
        self.checks.send_known(programs, client.send)
        self.checks.wake()

    def save(self, client: Client, number: int, *, overwrite: bool) -> None:
        """Write the files now, and answer."""
        state = self._save(overwrite=overwrite)
        if state.state == "saved":
            client.send(Done(id=number, seq=self.open.shared.seq))
        else:
            client.send(Refusal(id=number, message=state.message))

    def reload(self, client: Client, number: int) -> None:
        """Take the files as they are now, send everybody the whole, and answer."""
        try:
            self.open.reload()
        except OpenPendantError as error:
            client.send(Refusal(id=number, message=str(error)))
            return
        self._unlisten()
        self._unlisten = self.open.shared.listen(self._changed)
        self._dirty_since, self._trouble = None, None
        for one in self.clients:
            self.send_whole(one)
        client.send(Done(id=number, seq=self.open.shared.seq))
        self.checks.wake()

    def tell(self, message: FromServer) -> None:
        """Send a message to everybody."""
        text = encode(message).decode()
        for client in self.clients:
            client.outbox.put(text)

    def tell_watchers(self, program: str, message: FromServer) -> None:
        """Send a message to everybody who watches a program."""
        text = encode(message).decode()
        for client in self.clients:
            if program in client.watched:
                client.outbox.put(text)

    async def close(self) -> None:
        """Save and end."""
        self._unlisten()
        self._task.cancel()
        self.checks.close()
        # The files first: whoever enters while the robots still come to rest opens them anew.
        if not self.open.is_saved:
            self._save()
        self.open.close()
        await asyncio.gather(self._task, return_exceptions=True)
        await self.operation.close()

    def _names(self) -> dict[str, str]:
        return {client.id: client.name for client in self.clients}

    def _stream(self, joints: bytes) -> None:
        for client in self.clients:
            client.outbox.put_newest("joints", joints)

    def _watched(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for client in self.clients for name in client.watched))

    def _answer(self, client: Client, number: int, act: Callable[[], Patch | Refused]) -> None:
        try:
            done = act()
        except OpenPendantError as error:
            client.send(Refusal(id=number, message=str(error)))
            return
        if isinstance(done, Refused):
            client.send(Refusal(id=number, message=done.reason))
            return
        client.send(Done(id=number, seq=done.seq))
        client.send(self._history(client))

    def _changed(self, patch: Patch) -> None:
        changed = {one.name: sentences_of(one.program) for one in patch.programs if one.program is not None}
        self.tell(Patched(patch=patch, sentences=changed))
        if self._dirty_since is None:
            self.tell(self._save_state("unsaved"))
        self._dirty_since = time.monotonic()
        self.checks.wake()

    def _tell_people(self) -> None:
        self.tell(PeopleNow(people=tuple(client.person() for client in self.clients)))

    def _history(self, client: Client) -> HistoryNow:
        undo, redo = self.open.shared.history(client.id)
        return HistoryNow(undo=undo[-100:], redo=redo[-100:])

    def _save_state(self, state: str | None = None) -> SaveState:
        if self._trouble is not None:
            return self._trouble
        saved = self.open.is_saved and state != "unsaved"
        return SaveState(state="saved" if saved else "unsaved", seq=self.open.shared.seq)

    async def _keep(self) -> None:
        """Sync the journal, save a second after the last edit, and look for changes from outside."""
        looked = time.monotonic()
        while True:
            await asyncio.sleep(SYNC_S)
            now = time.monotonic()
            try:
                self.open.sync()
                if self._dirty_since is not None and now - self._dirty_since >= SAVE_AFTER_S and self._trouble is None:
                    self._save()
                if now - looked >= OUTSIDE_S:
                    looked = now
                    self._look_outside()
            except OSError:
                log.exception("could not look after project %s", self.project)

    def _save(self, *, overwrite: bool = False) -> SaveState:
        try:
            self.open.save(overwrite=overwrite)
        except OpenPendantError as error:
            outside = self.open.changed_outside()
            self._trouble = SaveState(
                state="changed outside" if outside else "failed", seq=self.open.shared.seq, message=str(error)
            )
        else:
            self._dirty_since, self._trouble = None, None
        state = self._save_state()
        self.tell(state)
        return state

    def _look_outside(self) -> None:
        if self._trouble is None and self.open.changed_outside():
            self._trouble = SaveState(
                state="changed outside",
                seq=self.open.shared.seq,
                message="the files were changed outside; keep yours (save over them) or reload theirs",
            )
            self.tell(self._trouble)
