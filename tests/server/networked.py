"""A server in the network that stays on this machine, for tests."""

import asyncio
import ssl
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from websockets.asyncio.client import connect

from openpendant.messages import Role
from openpendant.server import CERTIFICATES, Access, Lan, create_app, listen_lan, offer_pairing, serving


class TlsSocket:
    """A websocket over TLS whose caller's own thread alone reads and writes it.

    `websockets.sync` uses one SSL object from two threads, and hangs once in a few hundred openings.
    """

    def __init__(self, address: str, ca: str, headers: Mapping[str, str]) -> None:
        self._loop = asyncio.new_event_loop()
        try:
            self._socket = self._loop.run_until_complete(self._open(address, ca, headers))
        except BaseException:
            self._loop.close()
            raise

    async def _open(self, address: str, ca: str, headers: Mapping[str, str]):
        context = ssl.create_default_context(cafile=ca)
        return await connect(address, ssl=context, additional_headers=headers, max_size=None)

    def send(self, text: str) -> None:
        self._loop.run_until_complete(self._socket.send(text))

    def recv(self, timeout: float) -> str | bytes:
        return self._loop.run_until_complete(asyncio.wait_for(self._socket.recv(), timeout))

    def close(self) -> None:
        self._loop.run_until_complete(self._socket.close())
        self._loop.close()


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
    def socket(self, path: str, token: str, **headers: str) -> Iterator[TlsSocket]:
        said = ({"Authorization": f"Bearer {token}"} if token else {}) | headers
        socket = TlsSocket(f"{self.url.replace('http', 'ws', 1)}{path}", self.ca, said)
        try:
            yield socket
        finally:
            socket.close()

    def project(self, project: str, token: str, **headers: str) -> AbstractContextManager[TlsSocket]:
        return self.socket(f"/ws/projects/{project}", token, **headers)


@contextmanager
def networked(folder: Path, page: Path) -> Iterator[Networked]:
    bound = listen_lan("127.0.0.1", 0)
    port = bound[0].getsockname()[1]
    access = Access(folder)
    access.lan = Lan(folder / CERTIFICATES, port, address="127.0.0.1")
    with serving(create_app(page, access=access), access.lan, bound) as local:
        yield Networked(access, local, f"https://127.0.0.1:{port}")
