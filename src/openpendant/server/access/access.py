"""Access: who may come in, how often they may ask, and what is written down of it."""

from pathlib import Path

from .audit import AuditLog
from .caller import Caller
from .lan import Lan
from .live_sessions import LiveSessions
from .pairing import PairingDesk
from .rates import BackOff, Bucket, Rates, rate_key
from .sessions import Sessions

SESSIONS_FILE, AUDIT_FILE, CERTIFICATES = "sessions.json", "audit.jsonl", "certificates"
REQUESTS_S, REQUESTS_AT_ONCE = 50.0, 400.0
"""Requests of one address: a page with many robots asks for some hundred files at once, then seldom."""
MESSAGES_S, MESSAGES_AT_ONCE = 300.0, 900.0
"""Messages of one websocket: hands that drag and jog speak sixty times a second."""
REFUSALS_NOTED_S, REFUSALS_AT_ONCE = 1.0 / 60.0, 10.0
"""Failures of one address that are written down; further ones add nothing, and would fill the log."""


class Access:
    """Who may come in."""

    def __init__(self, folder: Path | None = None) -> None:
        """Keep sessions and audit log in `folder`; None: in memory, and no log."""
        self.folder = folder
        self.sessions = Sessions(None if folder is None else folder / SESSIONS_FILE)
        self.audit = AuditLog(None if folder is None else folder / AUDIT_FILE)
        self.desk = PairingDesk()
        self.live = LiveSessions()
        self.lan: Lan | None = None
        """The server in the network; None: it is on this machine alone."""
        self.requests = Rates(REQUESTS_S, REQUESTS_AT_ONCE)
        self.tries = BackOff(free=3, first_s=2.0, longest_s=300.0)
        self._noted = Rates(REFUSALS_NOTED_S, REFUSALS_AT_ONCE)
        self.sessions.on_end(self.live.end)

    def messages(self) -> Bucket:
        """Return a bucket for the messages of one websocket."""
        return Bucket(MESSAGES_S, MESSAGES_AT_ONCE)

    def note_refused(self, caller: Caller, why: str) -> None:
        """Write down that somebody was not let in."""
        if self._noted.spend(rate_key(caller.address)) == 0.0:
            self.audit.note("sign-in refused", caller, why=why)
