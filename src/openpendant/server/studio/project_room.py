"""ProjectRoom: one open project, the people in it, its saves and its checks. Lives in the event loop alone."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Container, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from openpendant.documents import Refused
from openpendant.errors import InputError, OpenPendantError
from openpendant.messages import PROTOCOL, decode_said, speak_plainly
from openpendant.messages.operation import Intend, Operating, Present, RobotSamples, Stop, Stopped
from openpendant.messages.project import (
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
from openpendant.messages.project import People as PeopleNow
from openpendant.pool import WorkPool
from openpendant.projects import OpenProject, Patch, ProjectEdit
from openpendant.said import say
from openpendant.server.pulse import Pulse
from openpendant.server.stop_supervisor import StopSupervisor
from openpendant.server.threads import run_in_thread

from .checks import Checks
from .client_line import ClientLine
from .documents import EncodedDocument
from .operation import Operation
from .outbox import Outbox
from .people import RoomPeople

SAVE_AFTER_S = 1.0
AGAIN_S = 10.0
"""After a save that failed, the next one is tried so much later."""
SYNC_S = 0.5
PING_S = 0.02
"""How often it is looked whether somebody is to be pinged."""
OUTSIDE_S = 2.0
MOST_OWNERS = 10_000
MOST_SELECTED, LONGEST_NAME = 200, 200
"""Limits on what is shared of a person's view; names in characters."""
KEPT_PRESSES = 64
"""Of STOP: clients send each over two connections, and it counts once."""
LONGEST_WHOLE = 64 * 1024 * 1024
COLORS = ("#4c8dff", "#e8a33d", "#3fb37f", "#c678dd", "#e06c75", "#56b6c2", "#d19a66", "#98c379")

T = TypeVar("T")
log = logging.getLogger("openpendant.server")
encode = msgspec.json.Encoder(enc_hook=speak_plainly).encode


@dataclass(eq=False)
class Client:
    """Somebody who has the project open."""

    id: str
    name: str
    color: str
    outbox: Outbox = field(default_factory=Outbox)
    look: Look = field(default_factory=Look)
    watched: tuple[str, ...] = ()
    line: ClientLine = field(default_factory=ClientLine)
    stop_url: str = ""
    on_message: Callable[[FromServer], None] | None = None
    """Called with every message to this client alone."""

    def send(self, message: FromServer) -> None:
        """Have a message sent to this client."""
        if self.on_message is not None:
            self.on_message(message)
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


class ProjectRoom:
    """An open project. Every change is sent to everybody in it, in one order."""

    def __init__(self, project: str, opened: OpenProject, pool: WorkPool, pulse: Pulse, stops: StopSupervisor) -> None:
        """Let people into a project that was opened.

        Args:
            project: Its id.
            opened: The project; closed with the room.
            pool: For what takes long.
            pulse: Its robots move only while this beats.
            stops: The stop service, which its robots obey.
        """
        self.project = project
        self.open = opened
        self.clients: list[Client] = []
        self._stops = stops
        self._tasks: set[asyncio.Task[Any]] = set()
        self._saving = asyncio.Lock()
        self._presses: deque[str] = deque(maxlen=KEPT_PRESSES)
        """Stops that clients have asked for over their own sockets."""
        self._owners: dict[str, str] = {}
        self._known: dict[str, str] = {}
        """Names of everybody who was here, by client, for reasons that say who has changed something."""
        self.open.name_of = lambda author: self._known.get(author, "")
        self.operation = Operation(
            self.open,
            RoomPeople(self._names, self.publish, self._stream, self._drop, self._sample),
            pool,
            pulse.last_ns,
            lambda: stops.line(project),
        )
        self.checks = Checks(self.open, pool, self.publish_to_watchers, self._watched)
        self._encoded = EncodedDocument()
        self._dirty_since: float | None = None if self.open.is_saved else time.monotonic()
        self._trouble: SaveState | None = None
        self._task = asyncio.get_running_loop().create_task(self._keep())
        self._pinging = asyncio.get_running_loop().create_task(self._ping())
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

    def enter(self, client_id: str, name: str, line: ClientLine | None = None, stop_url: str = "") -> Client:
        """Let a client in, and send it the whole; `line` is its connection, `stop_url` its stop service."""
        taken = {client.color for client in self.clients}
        free = [color for color in COLORS if color not in taken]
        client = Client(client_id, name, free[0] if free else COLORS[len(self.clients) % len(COLORS)])
        client.line, client.stop_url = line or client.line, stop_url
        self.clients.append(client)
        self._remember(client)
        self.send_project(client)
        self._publish_people()
        return client

    def leave(self, client: Client) -> tuple[str, ...]:
        """A client has gone; return the robots that it had control of."""
        lost: tuple[str, ...] = ()
        if client in self.clients:
            self.clients.remove(client)
            if all(other.id != client.id for other in self.clients):
                lost = self.operation.leave(client.id, client.name)
            self._publish_people()
        return lost

    def introduce(self, client: Client, name: str) -> None:
        """Know a client by another name; nothing else changes."""
        if name != client.name:
            client.name = name
            self._remember(client)
            self._publish_people()

    def send_project(self, client: Client) -> None:
        """Have everything sent to a client, from which it follows the patches on; patches that wait are in it."""
        if client.outbox.put_project():
            client.send(self.operation.now())
            client.send(self.operation.log())
            self.checks.send_known(client.watched, client.send)

    def project_message(self, client: Client) -> str:
        """Return the message with the whole project, whose turn to be sent has come.

        Raises:
            InputError: The project is too long to be opened.
        """
        shared, recovery = self.open.shared, self.open.recovery
        cell, programs = self._encoded.of(shared)
        message = Whole(
            protocol=PROTOCOL,
            seq=shared.seq,
            project=self.project,
            you=client.id,
            cell=cell,
            programs=programs,
            people=tuple(one.person() for one in self.clients),
            history=self._history(client),
            saved=self._save_state(),
            recovered="" if recovery is None else recovery.message,
            stop_url=client.stop_url,
        )
        text = encode(message).decode()
        if len(text) > LONGEST_WHOLE:
            raise InputError(say("project.long", size=len(text), most=LONGEST_WHOLE))
        return text

    def edit(self, client: Client, number: int, edit: ProjectEdit) -> None:
        """Make an edit for a client, and answer."""
        self._answer(client, number, lambda: self.open.apply(edit, client.id))

    def undo(self, client: Client, number: int) -> None:
        """Take back the client's last edit, and answer."""
        self._answer(client, number, lambda: self.open.undo(client.id))

    def redo(self, client: Client, number: int) -> None:
        """Do again what the client has undone last, and answer."""
        self._answer(client, number, lambda: self.open.redo(client.id))

    def note_presence(self, client: Client, look: Look) -> None:
        """Note what a client looks at, and notify the others."""
        fits = tuple(name for name in look.selected[:MOST_SELECTED] if len(name) <= LONGEST_NAME)
        cut = Look(mode=look.mode[:LONGEST_NAME], selected=fits, program=look.program[:LONGEST_NAME])
        if cut != client.look:
            client.look = cut
            self._publish_people()

    def watch(self, client: Client, programs: tuple[str, ...]) -> None:
        """Keep checking programs for a client."""
        client.watched = tuple(name for name in programs if len(name) <= LONGEST_NAME)
        self.checks.send_known(client.watched, client.send)
        self.checks.wake()

    def save(self, client: Client, number: int, *, overwrite: bool) -> None:
        """Write the files now, and answer when they are written; other messages do not wait for that."""
        self._begin(self._save_for(client, number, overwrite=overwrite))

    async def _save_for(self, client: Client, number: int, *, overwrite: bool) -> None:
        state = await self.save_now(overwrite=overwrite)
        if state.state != "failed" and state.state != "changed outside":
            client.send(Done(id=number, seq=self.open.shared.seq))
        else:
            client.send(Refusal(id=number, message=decode_said(state.message, state.said)))

    def reload(self, client: Client, number: int) -> None:
        """Take the files as they are now, send everybody the whole, and answer."""
        self._begin(self._reload_for(client, number))

    async def _reload_for(self, client: Client, number: int) -> None:
        async with self._saving:
            try:
                pending = self.open.begin_reload()
                await run_in_thread(pending.read)
                self.open.end_reload(pending)
            except OpenPendantError as error:
                client.send(Refusal(id=number, message=error.said))
                return
            self._unlisten()
            self._unlisten = self.open.shared.listen(self._changed)
            self._dirty_since, self._trouble = None, None
            for one in self.clients:
                self.send_project(one)
            client.send(Done(id=number, seq=self.open.shared.seq))
            self.checks.wake()

    def asks_stop(self, press: str) -> None:
        """Note a stop that a client asks for over its own socket."""
        if press:
            self._presses.append(press)

    def note_stop(self, client_id: str, press: str) -> None:
        """A stop came by the stop service: runs that have not begun end too, and everybody is notified."""
        if press not in self._presses:
            self._begin(self._stop_too(client_id, press))

    async def _stop_too(self, client_id: str, press: str) -> None:
        try:
            await self.operation.act(client_id, Stop(id=0, press=press), self.operation.mark())
        except OpenPendantError as error:
            log.warning("%s", error)

    def intend(self, client: Client, message: Intend) -> None:
        """Pass on what a client wants an arm to do now, with the time at which it was taken.

        What is too old is dropped, but for letting go: like a stop, that is obeyed at any age.
        """
        now_ns = time.monotonic_ns()
        sampled_ns = client.line.fresh_ns(message.intent.stamp_ns, now_ns)
        if sampled_ns is not None:
            self.operation.present(client.id, sampled_ns)
        elif not message.intent.clutch:
            sampled_ns = client.line.sampled_ns(message.intent.stamp_ns, now_ns) or now_ns
            client.line.press()
        if sampled_ns is not None:
            self.operation.intend(client.id, message, sampled_ns)

    def present(self, client: Client, message: Present) -> None:
        """A client says that its person is there. It does not count where nothing is known of its link: it may be old.

        A page that was opened just now does not count as silent: that takes `presence.SILENT_S`, and by then two pings
        were answered on every link that is good enough.
        """
        received_after_ns = client.line.received_after_ns(message.stamp_ns, time.monotonic_ns())
        if received_after_ns is not None:
            self.operation.present(client.id, received_after_ns)

    def publish(self, message: FromServer) -> None:
        """Send a message to everybody who knows its kind."""
        if isinstance(message, Operating):
            self._stops.expect(self.project, tuple(robot.name for robot in message.robots))
        text = encode(message).decode()
        for client in self.clients:
            if client.line.stamped or not isinstance(message, Stopped):
                client.outbox.put(text)

    def publish_to_watchers(self, program: str, message: FromServer) -> None:
        """Send a message to everybody who watches a program."""
        text = encode(message).decode()
        for client in self.clients:
            if program in client.watched:
                client.outbox.put(text)

    async def close(self) -> None:
        """Save, and release the files."""
        self._unlisten()
        self._task.cancel()
        self._pinging.cancel()
        self.checks.close()
        self._stops.expect(self.project, ())
        await asyncio.gather(self._task, self._pinging, return_exceptions=True)
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if not self.open.is_saved:
            await self.save_now()
        await run_in_thread(self.open.close)

    async def end(self) -> None:
        """End the robots, after `close`: others may have opened the files again by then."""
        await self.operation.close()

    def _begin(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _remember(self, client: Client) -> None:
        self._known.pop(client.id, None)
        self._known[client.id] = client.name
        if len(self._known) > MOST_OWNERS:
            del self._known[next(iter(self._known))]

    def _names(self) -> dict[str, str]:
        return {client.id: client.name for client in self.clients}

    def _drop(self, client_id: str, why: str) -> None:
        """Cut off a client that is silent: closing its connection would wait for it."""
        for client in self.clients:
            if client.id == client_id:
                client.line.abort(why)

    async def _ping(self) -> None:
        """Learn of every client how late it is and whether it is there."""
        while True:
            await asyncio.sleep(PING_S)
            now_ns = time.monotonic_ns()
            for client in self.clients:
                ping = client.line.ping(now_ns, holds=self.operation.holds(client.id))
                if ping is not None:
                    client.send(ping)
                elif client.line.answered_ns:
                    self.operation.present(client.id, client.line.answered_ns)

    def _stream(self, joints: bytes) -> None:
        for client in self.clients:
            client.outbox.put_newest("joints", joints)

    def _sample(self, client_id: str, samples: RobotSamples) -> bool:
        """Send samples to a client; return whether it is there and answers."""
        client = next((one for one in self.clients if one.id == client_id), None)
        if client is None or not client.line.answers(time.monotonic_ns()):
            return False
        client.outbox.put_samples(encode(samples).decode())
        return True

    def _watched(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for client in self.clients for name in client.watched))

    def _answer(self, client: Client, number: int, act: Callable[[], Patch | Refused]) -> None:
        try:
            done = act()
        except OpenPendantError as error:
            client.send(Refusal(id=number, message=error.said))
            return
        if isinstance(done, Refused):
            client.send(Refusal(id=number, message=done.reason))
            return
        client.send(Done(id=number, seq=done.seq))
        if self.open.fault and self._trouble is None:
            # The edit holds, but a power cut would lose it.
            self._trouble = SaveState(state="failed", seq=done.seq, message=self.open.fault)
            self.publish(self._trouble)

    def _changed(self, patch: Patch) -> None:
        # First what its author can take back: who sees an edit can undo it.
        for client in self.clients:
            if client.id == patch.author:
                client.send(self._history(client))
        self.publish(Patched(patch=patch))
        if self._dirty_since is None:
            self.publish(self._save_state("unsaved"))
        self._dirty_since = time.monotonic()
        self.checks.wake()

    def _publish_people(self) -> None:
        self.publish(PeopleNow(people=tuple(client.person() for client in self.clients)))

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
        looked = tried = time.monotonic()
        while True:
            await asyncio.sleep(SYNC_S)
            now = time.monotonic()
            try:
                try:
                    await run_in_thread(self.open.sync)
                except OpenPendantError as error:
                    log.warning("%s", error)
                trouble = self._trouble
                pause_s = SAVE_AFTER_S if trouble is None else AGAIN_S
                waits = trouble is not None and trouble.state == "changed outside"
                since = self._dirty_since
                if since is not None and not waits and now - max(since, tried if trouble else 0.0) >= pause_s:
                    tried = now
                    await self.save_now()
                if now - looked >= OUTSIDE_S:
                    looked = now
                    await self._watch_files()
            except Exception:
                # Whatever it was, the next edits are looked after again.
                log.exception("could not look after project %s", self.project)

    async def save_now(self, *, overwrite: bool = False) -> SaveState:
        """Write the files, and publish the result; edits are possible meanwhile."""
        # A thread cannot be cancelled: whoever waits may be, but the save then still ends before the next begins.
        return await asyncio.shield(self._begin(self._write(overwrite=overwrite)))

    async def _write(self, *, overwrite: bool) -> SaveState:
        async with self._saving:
            opened, pending = self.open, None
            expected = None if overwrite else opened.digest
            dirty = self._dirty_since
            try:
                pending = opened.begin_save()
                written = pending.write
                await run_in_thread(lambda: written(expected))
                opened.end_save(pending)
            except OpenPendantError as error:
                opened.end_save(None)
                outside = await run_in_thread(opened.changed_outside)
                self._trouble = SaveState(
                    state="changed outside" if outside else "failed", seq=opened.shared.seq, message=error.said
                )
            else:
                self._trouble = None
                if self._dirty_since == dirty:
                    self._dirty_since = None
        state = self._save_state()
        self.publish(state)
        return state

    async def _watch_files(self) -> None:
        async with self._saving:
            changed = await run_in_thread(self.open.changed_outside)
        if self._trouble is None and changed:
            self._trouble = SaveState(
                state="changed outside",
                seq=self.open.shared.seq,
                message=say("files.changed_outside"),
            )
            self.publish(self._trouble)
