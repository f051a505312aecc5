"""Sessions: who is paired. Tokens are random and known to their owners alone; here only their hashes are kept."""

import hashlib
import logging
import secrets
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from openpendant.errors import UnknownNameError
from openpendant.messages import Role

from .private_files import PrivateWriter

UNUSED_S = 30 * 86400.0
OLDEST_S = 365 * 86400.0
MOST = 200
SEEN_EVERY_S = 60.0

log = logging.getLogger("openpendant.server")


class Session(msgspec.Struct, kw_only=True):
    """Somebody who is paired."""

    id: str
    name: str
    role: Role
    hash: str
    """SHA-256 of the token. It has 256 random bits, so it cannot be found from this."""
    since_s: float
    seen_s: float
    address: str


class Sessions:
    """Who is paired, in one file where a folder is given."""

    def __init__(self, file: Path | None = None, now: Callable[[], float] = time.time) -> None:
        """Read the paired sessions; without a readable file there are none."""
        self._file = file
        self._now = now
        self._ended: list[Callable[[str], None]] = []
        self._changed: list[Callable[[], None]] = []
        self._sessions: dict[str, Session] = {}
        self._writer = PrivateWriter(file)
        if file is not None and file.exists():
            try:
                found = msgspec.json.decode(file.read_bytes(), type=list[Session])
                self._sessions = {one.hash: one for one in found}
            except (msgspec.DecodeError, OSError, UnicodeDecodeError) as error:
                log.warning("nobody is paired any more: %s cannot be read: %s", file, error)

    def add(self, name: str, role: Role, address: str) -> tuple[Session, str]:
        """Pair somebody; return the session and its token, which is returned only here."""
        self._clear()
        while len(self._sessions) >= MOST:
            self._end(min(self._sessions.values(), key=lambda one: one.seen_s))
        token, now = secrets.token_urlsafe(32), self._now()
        made = Session(
            id=secrets.token_hex(6),
            name=name,
            role=role,
            hash=_hash(token),
            since_s=now,
            seen_s=now,
            address=address,
        )
        self._sessions[made.hash] = made
        self._save()
        return made, token

    def find(self, token: str, address: str) -> Session | None:
        """Return the session of a token; None: unknown."""
        found = self._sessions.get(_hash(token))
        if found is None:
            return None
        now = self._now()
        if self._is_over(found, now):
            self._end(found)
            self._save()
            return None
        if now - found.seen_s > SEEN_EVERY_S or found.address != address:
            found.seen_s, found.address = now, address
            self._save()
        return found

    def __contains__(self, session: object) -> bool:
        """Return whether somebody of that id is paired."""
        return any(one.id == session for one in self._sessions.values())

    @property
    def names(self) -> dict[str, str]:
        """The names of everybody who is paired, by the hash of their token."""
        return {one.hash: one.name for one in self._sessions.values()}

    def all(self) -> list[Session]:
        """Return everybody who is paired, the newest first."""
        self._clear()
        return sorted(self._sessions.values(), key=lambda one: -one.since_s)

    def revoke(self, session: str) -> Session:
        """Let somebody in no more; what they have open ends.

        Raises:
            UnknownNameError: No session has that id.
        """
        for one in self._sessions.values():
            if one.id == session:
                self._end(one)
                self._save()
                return one
        raise UnknownNameError("session", session, (one.id for one in self._sessions.values()))

    def on_end(self, call: Callable[[str], None]) -> None:
        """Call with the id of each session that ends."""
        self._ended.append(call)

    def on_change(self, call: Callable[[], None]) -> None:
        """Call whenever somebody was paired, seen or let go."""
        self._changed.append(call)

    def _is_over(self, one: Session, now: float) -> bool:
        return now - one.seen_s > UNUSED_S or now - one.since_s > OLDEST_S

    def _clear(self) -> None:
        now = self._now()
        over = [one for one in self._sessions.values() if self._is_over(one, now)]
        for one in over:
            self._end(one)
        if over:
            self._save()

    def _end(self, one: Session) -> None:
        del self._sessions[one.hash]
        for call in self._ended:
            call(one.id)

    def flush(self) -> None:
        """Wait until the file holds everything."""
        self._writer.flush()

    def _save(self) -> None:
        for call in self._changed:
            call()
        self._writer.write(msgspec.json.format(msgspec.json.encode(list(self._sessions.values()))))


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
