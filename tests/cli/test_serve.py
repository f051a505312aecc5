"""`openpendant serve` as a process of its own."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from openpendant import server
from openpendant.cli import main
from openpendant.cli.serve import display_likely
from openpendant.server import listen


@contextmanager
def started(*words: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "openpendant", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("words", [("serve",), ()])
def test_one_line_when_it_is_ready_and_a_clean_end(words: tuple[str, ...]) -> None:
    with started(*words, "--port", "0", "--json") as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        assert list(told) == ["url"]
        assert told["url"].startswith("http://127.0.0.1:")
        assert httpx.get(f"{told['url']}/api/health").status_code == 200
        process.send_signal(signal.SIGINT)
        rest, complaint = process.communicate(timeout=60)
    assert (process.returncode, rest, complaint) == (0, "", "")


def test_a_person_is_told_the_address() -> None:
    with started("serve", "--port", "0", "--no-open") as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("OpenPendant is at http://127.0.0.1:")


def test_a_taken_port_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with listen(port=0) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 2
    assert capsys.readouterr().err == (
        f"openpendant: port {port} is in use on 127.0.0.1; choose another, or any free one with --port 0\n"
    )


def test_another_port_than_the_usual_one_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with listen(port=0) as bound:
        port = bound.getsockname()[1]
        monkeypatch.setattr(server, "listen", lambda *_: bound)
        monkeypatch.setattr(server, "run", lambda _app, _bound, on_ready: on_ready(f"http://127.0.0.1:{port}"))
        assert main([]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"Port 8000 is in use, so this is on {port}.",
        f"OpenPendant is at http://127.0.0.1:{port}  (Ctrl-C stops it)",
    ]


def test_other_machines_are_kept_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--host", "0.0.0.0"]) == 2
    assert "no sign-in yet; allowed are 127.0.0.1, ::1 and localhost" in capsys.readouterr().err


def test_no_browser_without_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    assert not display_likely()
    monkeypatch.setenv("DISPLAY", ":0")
    assert display_likely()
    monkeypatch.setenv("SSH_CONNECTION", "somewhere")
    assert not display_likely()
