"""The certificate authority, judged by OpenSSL and by Python's own TLS."""

import datetime as dt
import shutil
import ssl
import subprocess
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

import pytest

from openpendant.errors import InputError, OpenPendantError
from openpendant.server.access import Authority, Lan, certificates
from openpendant.server.access import lan as lan_module

NAMES, ADDRESSES = ("localhost", "cell.local"), (ip_address("10.1.2.3"), ip_address("fd00::7"))


def openssl(*words: object) -> subprocess.CompletedProcess[str]:
    tool = shutil.which("openssl")
    assert tool is not None
    return subprocess.run([tool, *map(str, words)], capture_output=True, text=True, check=False)


def shakes_hands(ca: Path, context: ssl.SSLContext, name: str) -> None:
    """Do a handshake in memory; raises SSLError where the client does not trust the server."""
    client_in, client_out, server_in, server_out = (ssl.MemoryBIO() for _ in range(4))
    client = ssl.create_default_context(cafile=ca).wrap_bio(client_in, client_out, server_hostname=name)
    server = context.wrap_bio(server_in, server_out, server_side=True)
    for _ in range(4):
        for side, mine, other in ((client, client_out, server_in), (server, server_out, client_in)):
            with suppress(ssl.SSLWantReadError):
                side.do_handshake()
            other.write(mine.read())
    client.do_handshake()


def test_openssl_and_python_trust_it_under_its_names_alone(tmp_path: Path) -> None:
    authority = Authority(tmp_path / "ca")
    identity = authority.identity(NAMES, ADDRESSES)
    verify = ("verify", "-x509_strict", "-CAfile", authority.file)
    assert openssl(*verify, "-verify_hostname", "cell.local", identity.chain).returncode == 0
    assert openssl(*verify, "-verify_ip", "fd00::7", identity.chain).returncode == 0
    assert openssl(*verify, "-verify_hostname", "other.local", identity.chain).returncode != 0
    assert openssl("verify", identity.chain).returncode != 0
    for name in ("cell.local", "10.1.2.3", "fd00::7"):
        shakes_hands(authority.file, identity.context(), name)
    with pytest.raises(ssl.SSLCertVerificationError):
        shakes_hands(authority.file, identity.context(), "10.1.2.4")


def test_a_stolen_authority_cannot_vouch_for_web_sites(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority = Authority(tmp_path / "ca", ["lab7.example.org"])
    assert authority.identity(["bank.example", "lab7.example.org"], []).names == ("lab7.example.org",)
    monkeypatch.setattr(authority, "may_name", lambda _: True)
    forged = authority.identity(["bank.example"], [])
    told = openssl("verify", "-CAfile", authority.file, forged.chain)
    assert told.returncode != 0
    assert "permitted subtree violation" in told.stderr + told.stdout


def test_keys_are_the_owners_alone(tmp_path: Path) -> None:
    authority = Authority(tmp_path / "ca")
    authority.identity(NAMES, ADDRESSES)
    assert (tmp_path / "ca").stat().st_mode & 0o777 == 0o700
    assert {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "ca").glob("*.key")} == {
        "ca.key": 0o600,
        "server.key": 0o600,
    }


def test_the_authority_stays_and_the_certificate_follows_names_addresses_and_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Authority(tmp_path / "ca")
    one = first.identity(NAMES, ADDRESSES).chain.read_bytes()
    again = Authority(tmp_path / "ca")
    assert again.fingerprint == first.fingerprint
    assert again.identity(NAMES, ADDRESSES).chain.read_bytes() == one
    two = again.identity(NAMES, (*ADDRESSES, ip_address("10.1.2.9"))).chain.read_bytes()
    assert two != one
    monkeypatch.setattr(certificates, "RENEW_BEFORE", dt.timedelta(days=91))
    assert again.identity(NAMES, (*ADDRESSES, ip_address("10.1.2.9"))).chain.read_bytes() != two


@pytest.mark.parametrize("file", ["server.crt", "server.key"])
def test_a_broken_certificate_is_made_anew(tmp_path: Path, file: str) -> None:
    authority = Authority(tmp_path / "ca")
    authority.identity(NAMES, ADDRESSES)
    (tmp_path / "ca" / file).write_text("rubbish")
    shakes_hands(authority.file, authority.identity(NAMES, ADDRESSES).context(), "cell.local")


def test_a_broken_authority_is_told_with_the_way_out(tmp_path: Path) -> None:
    Authority(tmp_path / "ca")
    other = Authority(tmp_path / "other")
    (tmp_path / "ca" / "ca.key").write_bytes((other.folder / "ca.key").read_bytes())
    with pytest.raises(OpenPendantError, match="not the key"):
        Authority(tmp_path / "ca")
    (tmp_path / "ca" / "ca.crt").write_text("rubbish")
    with pytest.raises(OpenPendantError, match="remove it"):
        Authority(tmp_path / "ca")


def test_a_machine_that_moves_gets_a_certificate_for_its_new_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lan_module, "own_addresses", lambda: [ip_address("10.0.0.1")])
    lan = Lan(tmp_path / "ca", 8443, ["robots.lan"])
    assert lan.urls[0] == "https://10.0.0.1:8443"
    assert "https://robots.lan:8443" in lan.urls
    assert not lan.renew()
    monkeypatch.setattr(lan_module, "own_addresses", lambda: [ip_address("fd00::1"), ip_address("10.0.0.2")])
    assert lan.renew()
    assert {"10.0.0.2", "fd00::1", "robots.lan"} <= lan.hosts
    assert "10.0.0.1" not in lan.hosts
    assert lan.urls[:2] == ["https://10.0.0.2:8443", "https://[fd00::1]:8443"]
    # The very context that the server uses has it.
    shakes_hands(lan.authority.file, lan.context, "10.0.0.2")


def test_a_name_that_the_authority_does_not_cover_is_refused(tmp_path: Path) -> None:
    Lan(tmp_path / "ca", 8443)
    with pytest.raises(InputError, match=r"robots\.example\.org.*remove"):
        Lan(tmp_path / "ca", 8443, ["robots.example.org"])
    assert "robots.example.org" in Lan(tmp_path / "new", 8443, ["robots.example.org"]).hosts
    with pytest.raises(InputError, match="is not an address"):
        Lan(tmp_path / "ca", 8443, address="somewhere")
