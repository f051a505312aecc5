"""A server in the network that stays on this machine, for tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from websockets.sync.client import ClientConnection, connect

from openpendant.messages import Role
from openpendant.server import CERTIFICATES, Access, Lan, create_app, listen_lan, offer_pairing, serving


@dataclass
class Networked:
    """A server with both doors, and ways to come in by the one for others."""

    access: Access
    local: str
    url: str

    @property
    def ca(self) -> str:
        assert self.access.lan is not None
        return str(self.access.lan.authority.file)

    def client(self, token: str = "") -> httpx.Client:
        import ssl

        headers = {"authorization": f"Bearer {token}"} if token else {}
        return httpx.Client(
            base_url=self.url, headers=headers, timeout=60, verify=ssl.create_default_context(cafile=self.ca)
        )

    def token(self, role: Role, name: str = "somebody") -> str:
        code = offer_pairing(self.access, role).code
        with self.client() as http:
            answer = http.post("/api/sessions", json={"code": code, "name": name, "token": True})
        assert answer.status_code == 201, answer.text
        return answer.json()["token"]

    @contextmanager
    def project(self, project: str, token: str, **headers: str) -> Iterator[ClientConnection]:
        import ssl

        with connect(
            f"{self.url.replace('http', 'ws', 1)}/ws/projects/{project}",
            ssl=ssl.create_default_context(cafile=self.ca),
            additional_headers=({"Authorization": f"Bearer {token}"} if token else {}) | headers,
            max_size=None,
        ) as socket:
            yield socket


@contextmanager
def networked(folder: Path, page: Path) -> Iterator[Networked]:
    bound = listen_lan("127.0.0.1", 0)
    port = bound[0].getsockname()[1]
    access = Access(folder)
    access.lan = Lan(folder / CERTIFICATES, port, address="127.0.0.1")
    with serving(create_app(page, access=access), access.lan, bound) as local:
        yield Networked(access, local, f"https://127.0.0.1:{port}")
