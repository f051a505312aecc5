"""The crane's port: its clients, a line a message."""

from typing import TYPE_CHECKING

from openpendant.virtual.wire import Link

from .brain import joints_of
from .language import CraneScriptError
from .protocol import TICK_NS, Hello

if TYPE_CHECKING:
    from .host import CraneHost


class Lines:
    """A service of whole lines."""

    def __init__(self) -> None:
        self._partial: dict[Link, bytes] = {}

    def opened(self, link: Link) -> None:
        self._partial[link] = b""

    def received(self, link: Link, data: bytes) -> None:
        *lines, self._partial[link] = (self._partial[link] + data).split(b"\n")
        for line in lines:
            self.handle(link, line.decode())

    def closed(self, link: Link) -> None:
        self._partial.pop(link, None)

    def handle(self, link: Link, line: str) -> None:
        raise NotImplementedError


class Clients(Lines):
    """Those that drive it."""

    def __init__(self, host: "CraneHost", hello: Hello) -> None:
        super().__init__()
        self._host, self._hello = host, hello
        self._links: list[Link] = []
        self._text: tuple[str, list[str], int] | None = None

    def become(self, hello: Hello) -> None:
        """Be another kind of crane from now on; all clients hear of it."""
        if hello == self._hello:
            return
        self._hello = hello
        for link in list(self._links):
            link.send(f"{hello.line()}\n".encode())

    def opened(self, link: Link) -> None:
        super().opened(link)
        self._links.append(link)
        link.send(f"{self._hello.line()}\n".encode())

    def closed(self, link: Link) -> None:
        super().closed(link)
        self._links.remove(link)
        self._host.brain.halt("its client has gone")

    def push(self) -> None:
        brain = self._host.brain
        if brain.tick_count % (self._hello.period_ns // TICK_NS) == 0:
            for link in list(self._links):
                link.offer(f"{brain.state().line()}\n".encode())

    def handle(self, link: Link, line: str) -> None:
        brain = self._host.brain
        if self._text is not None:
            task, lines, left = self._text
            lines.append(line)
            self._text = (task, lines, left - 1) if left > 1 else None
            if left == 1:
                self._load(task, "\n".join(lines))
            return
        match line.split():
            case ["to", boom, q1, q2] if self._hello.servo and not brain.running:
                brain.target = brain.target.copy()
                brain.target[joints_of(boom)] = float(q1), float(q2)
            case ["set", port, value] if port in brain.outputs:
                brain.outputs[port] = value == "1"
            case ["task", name, count]:
                self._text = (name, [], int(count))
            case ["start"]:
                brain.start()
            case ["halt"]:
                brain.halt()

    def _load(self, task: str, text: str) -> None:
        try:
            self._host.brain.load(task, text)
        except CraneScriptError as error:
            self._host.brain.ended = str(error).replace(" ", "_")
