"""Studio: a running server, its library of projects, and the projects that are opened from here."""

import json
import secrets
from typing import TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import Request, urlopen

import msgspec

from openpendant.errors import InputError, LinkError, UnknownNameError
from openpendant.messages import DemoInfo, ExportedFile, Health, MeshInfo, ProjectInfo, Removed

from .project import ClientProject

__all__ = ["Studio", "connect"]

TIMEOUT_S = 60.0
T = TypeVar("T")


def connect(url: str = "http://127.0.0.1:8000", *, name: str = "Python") -> "Studio":
    """Return a running server.

    Args:
        url: Its address, as `openpendant serve` prints it.
        name: What others see you as.

    Raises:
        InputError: This is no address of a server.
        LinkError: Nobody answers there.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"{url!r} is no address of a server; allowed are http:// and https://")
    studio = Studio(f"{parts.scheme}://{parts.netloc}", name)
    studio.health()
    return studio


class Studio:
    """A running server."""

    def __init__(self, url: str, name: str) -> None:
        """Belong to the server at `url`; nothing is asked yet."""
        self.url = url
        self.name = name
        self._client = secrets.token_hex(8)

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
        """Make a project, empty or from a demo cell; return its id."""
        body = json.dumps({"title": title, "demo": demo}).encode()
        return self._ask("POST", "/api/projects", ProjectInfo, body).id

    def duplicate(self, project: str) -> str:
        """Copy a project; return the id of the copy."""
        return self._ask("POST", f"/api/projects/{quote(project, safe='')}/copies", ProjectInfo).id

    def remove(self, project: str) -> str:
        """Put a project into the trash; return what brings it back."""
        return self._ask("DELETE", f"/api/projects/{quote(project, safe='')}", Removed).kept

    def bring_back(self, kept: str) -> str:
        """Take a project out of the trash; return its id."""
        return self._ask("POST", f"/api/trash/{quote(kept, safe='')}", ProjectInfo).id

    def pack(self, project: str) -> bytes:
        """Return a project as a zip file."""
        return self._raw("GET", f"/api/projects/{quote(project, safe='')}/archive.zip")

    def take_in(self, data: bytes) -> str:
        """Add a project from a zip file; return its id."""
        return self._ask("POST", "/api/archives", ProjectInfo, data).id

    def add_mesh(self, project: str, file: str, data: bytes, scale: float = 1.0) -> MeshInfo:
        """Take a mesh file into a project; its numbers times `scale` are metres."""
        query = urlencode({"file": file, "scale": scale})
        return self._ask("POST", f"/api/projects/{quote(project, safe='')}/meshes?{query}", MeshInfo, data)

    def export(self, project: str, program: str, form: str) -> list[ExportedFile]:
        """Return a program in a vendor's language: rapid, urscript, vplus, replay or csv."""
        place = "/".join(quote(part, safe="") for part in (project, "programs", program, "exports", form))
        return self._get(f"/api/projects/{place}", list[ExportedFile])

    def open(self, project: str) -> ClientProject:
        """Open a project; close it again, or use it in a `with` block.

        Raises:
            UnknownNameError: The library has no such project.
            LinkError: The server does not answer.
        """
        self._get(f"/api/projects/{quote(project, safe='')}", ProjectInfo)
        address = f"{self.url.replace('http', 'ws', 1)}/ws/projects/{quote(project, safe='')}"
        return ClientProject(address, self._client, self.name)

    def _get(self, path: str, kind: type[T]) -> T:
        return self._ask("GET", path, kind)

    def _ask(self, method: str, path: str, kind: type[T], body: bytes | None = None) -> T:
        return msgspec.json.decode(self._raw(method, path, body), type=kind)

    def _raw(self, method: str, path: str, body: bytes | None = None) -> bytes:
        if body is None and method == "POST":
            body = b""
        headers = {"content-type": "application/octet-stream"} if body is not None else {}
        request = Request(f"{self.url}{path}", data=body, method=method, headers=headers)  # noqa: S310 - http(s) alone
        try:
            with urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310
                return answer.read()
        except HTTPError as error:
            message = _message(error.read())
            if error.code == 404:
                raise _UnknownThereError(message) from None
            raise InputError(message) from None
        except (URLError, TimeoutError, ConnectionError) as error:
            raise LinkError(f"no server answers at {self.url}: {getattr(error, 'reason', error)}") from None


class _UnknownThereError(UnknownNameError):
    """The server knows no such name; the message is its own."""

    def __init__(self, message: str) -> None:
        InputError.__init__(self, message)


def _message(data: bytes) -> str:
    try:
        return str(json.loads(data)["message"])
    except (ValueError, KeyError, TypeError):
        return data[:200].decode(errors="replace")
