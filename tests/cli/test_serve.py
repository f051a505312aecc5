"""`openpendant serve` as a process."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from openpendant import server
from openpendant.cli import main
from openpendant.cli.serve import display_likely
from openpendant.client import connect, pair
from openpendant.server import listen
from openpendant.server.access import AuditLog, Caller


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
        monkeypatch.setattr(server, "run", lambda _app, _bound, on_ready, *_: on_ready(f"http://127.0.0.1:{port}"))
        assert main([]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"Port 8000 is in use; using port {port}.",
        f"OpenPendant is at http://127.0.0.1:{port}  (Ctrl-C stops it)",
    ]


def test_other_machines_are_kept_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--host", "0.0.0.0"]) == 2
    told = capsys.readouterr().err
    assert "has no sign-in; allowed: 127.0.0.1, ::1 and localhost. Let others in with --lan" in told


def test_others_come_in_with_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENPENDANT_HOME", str(tmp_path))
    words = ("serve", "--lan", "--lan-address", "127.0.0.1", "--lan-port", "0", "--port", "0", "--role", "viewer")
    with started(*words, "--json") as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        token = pair(told["lan"][0], told["code"], name="Test", ca=told["ca"])
        assert connect(told["lan"][0], token=token, ca=told["ca"]).me().role == "viewer"
        more = subprocess.run(
            [sys.executable, "-m", "openpendant", "pair", "--url", told["url"], "--role", "engineer", "--json"],
            capture_output=True,
            text=True,
            check=True,
        )
        assert json.loads(more.stdout)["role"] == "engineer"
        process.send_signal(signal.SIGINT)
        rest, complaint = process.communicate(timeout=60)
    assert (process.returncode, rest, complaint) == (0, "", "")


def test_a_person_is_told_code_link_and_fingerprint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENPENDANT_HOME", str(tmp_path))
    with started("serve", "--lan", "--lan-address", "127.0.0.1", "--lan-port", "0", "--port", "0") as process:
        assert process.stdout is not None
        text = ""
        for line in process.stdout:
            text += line
            if line.startswith("Another code"):
                break
    assert re.search(r"Code for one operator: \d{3} \d{3} ", text)
    assert re.search(r"https://127\.0\.0\.1:\d+/#/pair/\S{22}", text)
    assert re.search(r"([0-9A-F]{2}:){31}", text)


def test_options_of_the_network_alone_are_misuse(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--name", "x.lan"]) == 2
    assert "--lan" in capsys.readouterr().err


def test_the_audit_log_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENPENDANT_HOME", str(tmp_path))
    assert main(["audit"]) == 0
    assert "The audit log is empty" in capsys.readouterr().out
    assert main(["audit", "--where"]) == 0
    log = AuditLog(Path(capsys.readouterr().out.strip()))
    log.note(
        "run", Caller(name="Ann\x1b[31m", role="operator", session="", address="10.0.0.7", local=False), program="p"
    )
    assert main(["audit"]) == 0
    assert "Ann?[31m (operator) from 10.0.0.7: run  program p" in capsys.readouterr().out
    assert main(["audit", "--json", "--last", "1"]) == 0
    assert json.loads(capsys.readouterr().out)["what"] == "run"


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
