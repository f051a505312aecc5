"""Studio: a running server, its library of projects, and the projects that are opened from here."""

import json
import secrets
import ssl
from pathlib import Path
from typing import Literal, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import Request, urlopen

import msgspec

from openpendant.errors import InputError, LinkError, UnknownNameError
from openpendant.messages import (
    DemoInfo,
    ExportedFile,
    Health,
    Me,
    MeshInfo,
    NewPairing,
    NewSession,
    Pairing,
    ProjectInfo,
    Removed,
    RobotSummary,
    Role,
    SignedIn,
)

from .project import ClientProject

TIMEOUT_S = 60.0
T = TypeVar("T")


def connect(
    url: str = "http://127.0.0.1:8000", *, name: str = "Python", token: str = "", ca: Path | str | None = None
) -> "Studio":
    """Return a running server.

    Args:
        url: Its address, as `openpendant serve` prints it.
        name: What others see you as; over the network that is the name you were paired with.
        token: What `pair` returned, for a server on another machine.
        ca: The file of the server's certificate authority (its /ca.crt); None: those that this system trusts.

    Raises:
        InputError: This is not an address of a server, or it does not let you in.
        LinkError: No server replies there, or their certificate is not to be trusted.
    """
    studio = Studio(_address(url, secret=token), name, token, ca)
    studio.health()
    return studio


def pair(url: str, code: str, *, name: str, ca: Path | str | None = None) -> str:
    """Return a token for `connect`, for a code that a server on another machine shows. Keep it as a password.

    Args:
        url: The address of the server in the network, https://…
        code: The six digits; they are good once.
        name: Who you are, as others shall see you.
        ca: The file of the server's certificate authority; None: those that this system trusts.

    Raises:
        InputError: The code is wrong or too old.
        LinkError: No server replies there, or their certificate is not to be trusted.
    """
    return Studio(_address(url, secret=code), name, "", ca).sign_in(code)


def _address(url: str, *, secret: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"{url!r} is not the address of a server: use http:// or https://")
    if secret and parts.scheme != "https":
        raise InputError(f"{url!r} is not encrypted; codes and tokens are sent over https:// only")
    return f"{parts.scheme}://{parts.netloc}"


class Studio:
    """A running server."""

    def __init__(self, url: str, name: str, token: str = "", ca: Path | str | None = None) -> None:
        """Belong to the server at `url`; nothing is asked yet.

        Raises:
            InputError: The file of the certificate authority cannot be read.
        """
        self.url = url
        self.name = name
        self._client = secrets.token_hex(8)
        self._headers = {"authorization": f"Bearer {token}"} if token else {}
        self._ssl: ssl.SSLContext | None = None
        if url.startswith("https:"):
            try:
                self._ssl = ssl.create_default_context(cafile=None if ca is None else str(ca))
            except (OSError, ssl.SSLError) as error:
                raise InputError(f"{ca} is not a certificate authority file: {error}") from None

    def me(self) -> Me:
        """Return who the server takes you for."""
        return self._get("/api/me", Me)

    def sign_in(self, code: str) -> str:
        """Pair with a code; return the token.

        Args:
            code: The six digits that the server shows; they are good once.

        Raises:
            InputError: The code is wrong or too old.
            LinkError: The server does not answer.
        """
        body = msgspec.json.encode(NewSession(code=code, name=self.name, token=True))
        return self._request("POST", "/api/sessions", SignedIn, body).token

    def offer_pairing(self, role: Role, name: str = "") -> Pairing:
        """Return a code that lets somebody else in, once.

        Args:
            role: 'viewer', 'operator' or 'engineer'.
            name: Who it is for; empty: they say so themselves.

        Raises:
            InputError: The server refuses; the message is its own.
            LinkError: The server does not answer.
        """
        return self._request("POST", "/api/pairings", Pairing, msgspec.json.encode(NewPairing(role=role, name=name)))

    def health(self) -> Health:
        """Return which version serves, and whether it is warm."""
        return self._get("/api/health", Health)

    def demos(self) -> list[DemoInfo]:
        """Return the demo cells."""
        return self._get("/api/demos", list[DemoInfo])

    def projects(self) -> list[ProjectInfo]:
        """Return the projects, the newest first."""
        return self._get("/api/projects", list[ProjectInfo])

    def create(self, title: str, demo: str = "") -> str:
        """Make a project; return its id.

        Args:
            title: Its name for people.
            demo: The demo cell that it begins with; empty: an empty cell.

        Raises:
            UnknownNameError: There is no such demo cell.
            InputError: The server refuses; the message is its own.
            LinkError: The server does not answer.
        """
        body = json.dumps({"title": title, "demo": demo}).encode()
        return self._request("POST", "/api/projects", ProjectInfo, body).id

    def duplicate(self, project: str) -> str:
        """Copy a project; return the id of the copy.

        Args:
            project: The id of the project.

        Raises:
            UnknownNameError: The library has no such project.
            InputError: The server refuses; the message is its own.
            LinkError: The server does not answer.
        """
        return self._request("POST", f"/api/projects/{quote(project, safe='')}/copies", ProjectInfo).id

    def remove(self, project: str) -> str:
        """Put a project into the trash; return the id with which `bring_back` restores it.

        Args:
            project: The id of the project.

        Raises:
            UnknownNameError: The library has no such project.
            InputError: The server refuses; the message is its own.
            LinkError: The server does not answer.
        """
        return self._request("DELETE", f"/api/projects/{quote(project, safe='')}", Removed).kept

    def bring_back(self, kept: str) -> str:
        """Restore a project from the trash; return its id.

        Args:
            kept: What `remove` returned.

        Raises:
            UnknownNameError: The trash has no such project.
            InputError: The server refuses; the message is its own.
            LinkError: The server does not answer.
        """
        return self._request("POST", f"/api/trash/{quote(kept, safe='')}", ProjectInfo).id

    def pack(self, project: str) -> bytes:
        """Return a project as a zip file.

        Args:
            project: The id of the project.

        Raises:
            UnknownNameError: The library has no such project.
            InputError: The server refuses; the message is its own.
            LinkError: The server does not answer.
        """
        return self._raw("GET", f"/api/projects/{quote(project, safe='')}/archive.zip")

    def take_in(self, data: bytes) -> str:
        """Add a project from a zip file; return its id.

        Args:
            data: Content of the file, as `pack` returns it.

        Raises:
            InputError: It is not a project; the message says why.
            LinkError: The server does not answer.
        """
        return self._request("POST", "/api/archives", ProjectInfo, data).id

    def add_mesh(self, project: str, file: str, data: bytes, scale: float = 1.0) -> MeshInfo:
        """Add a mesh file to a project.

        Args:
            project: The id of the project.
            file: Name of the file; its ending says what it is.
            data: Content of the file.
            scale: Metres for one unit of the file.

        Raises:
            UnknownNameError: The library has no such project.
            InputError: It cannot be used; the message says why.
            LinkError: The server does not answer.
        """
        query = urlencode({"file": file, "scale": scale})
        return self._request("POST", f"/api/projects/{quote(project, safe='')}/meshes?{query}", MeshInfo, data)

    def robots(self) -> list[RobotSummary]:
        """Return the robots of the catalogue, those of the user too."""
        return self._get("/api/robots", list[RobotSummary])

    def add_robot(self, file: str, data: bytes, taken: Literal["refuse", "replace", "keep"] = "refuse") -> RobotSummary:
        """Make a URDF, or a zip with a URDF and its meshes, a robot of the server's catalogue.

        Args:
            file: Name of the file; its ending says what it is.
            data: Content of the file.
            taken: Where an imported robot has that name already: 'refuse', 'replace' it, or 'keep' both.

        Raises:
            InputError: It cannot be used, or the name is taken; the message says why.
            LinkError: The server does not answer.
        """
        return self._request("POST", f"/api/robots?{urlencode({'file': file, 'taken': taken})}", RobotSummary, data)

    def export_forms(self, project: str, program: str) -> list[str]:
        """Return the forms of export that suit the robot of a program, its own language first.

        Args:
            project: The id of the project.
            program: Name of the program.

        Raises:
            UnknownNameError: The library has no such project, or the project no such program.
            InputError: The server refuses; the message is its own.
            LinkError: The server does not answer.
        """
        place = "/".join(quote(part, safe="") for part in (project, "programs", program, "exports"))
        return self._get(f"/api/projects/{place}", list[str])

    def export(self, project: str, program: str, form: str) -> list[ExportedFile]:
        """Return a program in a vendor's language.

        Args:
            project: The id of the project.
            program: Name of the program.
            form: A maker's language, as 'rapid', 'replay' (stored points) or 'csv'; a wrong one is answered with all.

        Raises:
            UnknownNameError: There is no such project, program or form.
            InputError: A move cannot be executed, or the form cannot say it.
            LinkError: The server does not answer.
        """
        place = "/".join(quote(part, safe="") for part in (project, "programs", program, "exports", form))
        return self._get(f"/api/projects/{place}", list[ExportedFile])

    def open(self, project: str) -> ClientProject:
        """Open a project; close it again, or use it in a `with` block.

        Args:
            project: The id of the project.

        Raises:
            UnknownNameError: The library has no such project.
            InputError: The server does not let you in.
            LinkError: The server does not answer.
        """
        self._get(f"/api/projects/{quote(project, safe='')}", ProjectInfo)
        address = f"{self.url.replace('http', 'ws', 1)}/ws/projects/{quote(project, safe='')}"
        return ClientProject(address, self._client, self.name, headers=self._headers, ssl_context=self._ssl)

    def _get(self, path: str, kind: type[T]) -> T:
        return self._request("GET", path, kind)

    def _request(self, method: str, path: str, kind: type[T], body: bytes | None = None) -> T:
        return msgspec.json.decode(self._raw(method, path, body), type=kind)

    def _raw(self, method: str, path: str, body: bytes | None = None) -> bytes:
        if body is None and method == "POST":
            body = b""
        headers = self._headers | ({"content-type": "application/octet-stream"} if body is not None else {})
        request = Request(f"{self.url}{path}", data=body, method=method, headers=headers)  # noqa: S310 - http(s) alone
        try:
            with urlopen(request, timeout=TIMEOUT_S, context=self._ssl) as reply:  # noqa: S310
                return reply.read()
        except HTTPError as error:
            message = _message(error.read())
            if error.code == 404:
                raise UnknownThereError(message) from None
            raise InputError(message) from None
        except (URLError, TimeoutError, ConnectionError) as error:
            raise LinkError(f"no reply from a server at {self.url}: {getattr(error, 'reason', error)}") from None


class UnknownThereError(UnknownNameError):
    """The server knows no such name; the message is its own."""

    def __init__(self, message: str) -> None:
        InputError.__init__(self, message)


def _message(data: bytes) -> str:
    try:
        return str(json.loads(data)["message"])
    except (ValueError, KeyError, TypeError):
        return data[:200].decode(errors="replace")
