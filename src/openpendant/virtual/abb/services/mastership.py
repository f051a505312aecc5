"""Mastership: which client may change what, and whether the operator lets clients in (RMMP)."""

from typing import Literal

from openpendant.virtual.abb.panel import ControllerPanel
from openpendant.virtual.abb.refusal import ControllerRefusal, NotThere

Domain = Literal["cfg", "motion", "rapid"]
DOMAINS: tuple[Domain, ...] = ("cfg", "motion", "rapid")
RemoteStatus = Literal["NONE", "PENDING", "GRANTED", "DENIED"]


class NotMaster(ControllerRefusal):
    """Somebody else has the mastership, or the operator has not let the client in."""


class Mastership:
    """Who holds which domain. Clients are known by their sessions."""

    def __init__(self, panel: ControllerPanel) -> None:
        """Begin without holders."""
        self._panel = panel
        self._holders: dict[Domain, str] = {}
        self._asking = self._granted = self._denied = ""

    def holder(self, name: str) -> str:
        """Return the session that holds a domain; empty: none.

        Raises:
            NotThere: There is no such domain.
        """
        return self._holders.get(_domain(name), "")

    def request(self, session: str, *names: str) -> None:
        """Take domains.

        Raises:
            NotThere: There is no such domain.
            NotMaster: Somebody else has one, or the operator does not allow it.
        """
        domains: list[Domain] = [_domain(name) for name in names]
        for domain in domains:
            self.require(session, domain)
        for domain in domains:
            self._holders[domain] = session

    def release(self, session: str, *names: str) -> None:
        """Give domains back; those that the session does not hold stay.

        Raises:
            NotThere: There is no such domain.
        """
        domains: list[Domain] = [_domain(name) for name in names]
        for domain in domains:
            if self._holders.get(domain) == session:
                del self._holders[domain]

    def require(self, session: str, domain: Domain) -> None:
        """Return if a session may change a domain: no other session holds it, and the operator allows it.

        Raises:
            NotMaster: It may not.
        """
        if self._holders.get(domain, session) != session:
            raise NotMaster(f"another client has the mastership of {domain}")
        if self._panel.mode != "AUTO" and self._granted != session:
            raise NotMaster("the controller is in manual mode, and the operator has not granted remote access")

    def forget(self, session: str) -> None:
        """Release all that a session had: it has logged out."""
        self.release(session, *DOMAINS)
        self._asking, self._granted = ("" if one == session else one for one in (self._asking, self._granted))

    # The operator lets a client in (RMMP)

    @property
    def asking(self) -> bool:
        """Whether a client waits for the operator's consent."""
        return bool(self._asking)

    def ask(self, session: str) -> None:
        """Ask the operator for access in manual mode."""
        self._denied = ""
        if self._granted != session:
            self._asking = session

    def decide(self, *, grant: bool) -> None:
        """Let in who asks, or not."""
        if grant:
            self._granted = self._asking
        else:
            self._denied = self._asking
        self._asking = ""

    def status(self, session: str) -> RemoteStatus:
        """Return what has become of a session's question."""
        if session == self._granted:
            return "GRANTED"
        return "PENDING" if session == self._asking else "DENIED" if session == self._denied else "NONE"


def _domain(name: str) -> Domain:
    for one in DOMAINS:
        if one == name:
            return one
    raise NotThere(f"no domain {name[:40]!r}; {', '.join(DOMAINS)} are allowed")
