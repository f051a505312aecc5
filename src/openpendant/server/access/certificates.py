"""Authority: this machine's own certificate authority, and the certificate of its server.

The authority is made once; a device that trusts it trusts every later certificate of this server. It may vouch for
names that are only ever used inside a network, for the names that this machine had, and for addresses; not for
anybody's web site, so that a stolen key does little harm.
"""

import datetime as dt
import ssl
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from openpendant.errors import InputError, OpenPendantError

from .private_files import make_private_folder, write_private

CA_KEY, CA_FILE, KEY_FILE, CHAIN_FILE = "ca.key", "ca.crt", "server.key", "server.crt"
CA_LIFE, LEAF_LIFE, RENEW_BEFORE = dt.timedelta(days=3650), dt.timedelta(days=90), dt.timedelta(days=30)
EARLIER = dt.timedelta(days=1)
"""Clocks differ: certificates hold from a day before they are made."""
INSIDE = ("local", "localhost", "lan", "internal", "home.arpa")
"""Names (and all below them) that do not exist on the internet (RFC 6761, 6762, 8375, and in common use)."""

Places = tuple[tuple[str, ...], tuple[IPv4Address | IPv6Address, ...]]
"""Names and addresses that a certificate is for."""


class Identity:
    """The server's certificate and key, in files."""

    def __init__(self, certificate: x509.Certificate, chain: Path, key: Path) -> None:
        self.chain, self.key = chain, key
        found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        self.names = tuple(found.get_values_for_type(x509.DNSName))
        self.addresses = tuple(found.get_values_for_type(x509.IPAddress))
        self.until = certificate.not_valid_after_utc

    def context(self) -> ssl.SSLContext:
        """Return what a server needs for TLS 1.2 and newer."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        self.load_into(context)
        return context

    def load_into(self, context: ssl.SSLContext) -> None:
        """Have connections from now on use this certificate."""
        context.load_cert_chain(self.chain, self.key)


class Authority:
    """The authority of one folder; made where it is not there yet."""

    def __init__(self, folder: Path, names: Iterable[str] = ()) -> None:
        """Read the authority, or make one that may also vouch for `names`.

        Raises:
            OpenPendantError: Its files are there and cannot be used; says which.
        """
        self.folder = folder
        make_private_folder(folder)
        if not (folder / CA_FILE).exists() or not (folder / CA_KEY).exists():
            self._make(tuple(names))
        try:
            self._certificate = x509.load_pem_x509_certificate(self.file.read_bytes())
            key = serialization.load_pem_private_key((folder / CA_KEY).read_bytes(), None)
        except (ValueError, TypeError, OSError) as error:
            raise OpenPendantError(
                f"the certificate authority in {folder} cannot be read: {error}; remove it to create a new one"
            ) from None
        if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != self._certificate.public_key():
            raise OpenPendantError(f"{CA_KEY} in {folder} is not the key of {CA_FILE}; remove the folder")
        self._key = key

    @property
    def file(self) -> Path:
        """The certificate of the authority, for devices that shall trust it."""
        return self.folder / CA_FILE

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the authority's certificate, to compare with what a device shows."""
        return self._certificate.fingerprint(hashes.SHA256()).hex(":").upper()

    def may_name(self, name: str) -> bool:
        """Return whether the authority may vouch for a name."""
        held = self._certificate.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or []
        allowed = [one.value for one in held if isinstance(one, x509.DNSName)]
        return any(name == one or name.endswith(f".{one}") for one in allowed)

    def identity(self, names: Iterable[str], addresses: Iterable[IPv4Address | IPv6Address]) -> Identity:
        """Return a certificate for these names and addresses: the one that is there, or a new one.

        Names that the authority may not vouch for are left out.
        """
        wanted = tuple(name for name in dict.fromkeys(names) if self.may_name(name)), tuple(dict.fromkeys(addresses))
        return self._kept(wanted) or self._issue(wanted)

    def check_name(self, name: str) -> str:
        """Return a further name of this machine in plain form.

        Raises:
            InputError: The authority may not vouch for it; says what is allowed.
        """
        plain = name.strip().lower().rstrip(".")
        if not self.may_name(plain):
            raise InputError(
                f"name {name!r}: the certificate authority of this machine does not cover it; it covers names that "
                f"end in {', '.join(f'.{one}' for one in INSIDE)}. To cover another, remove {self.folder} and start "
                "again with it; every device must then trust the new authority"
            )
        return plain

    def _kept(self, wanted: Places) -> Identity | None:
        with suppress(ValueError, TypeError, OSError, InvalidSignature, x509.ExtensionNotFound):
            certificate = x509.load_pem_x509_certificate((self.folder / CHAIN_FILE).read_bytes())
            certificate.verify_directly_issued_by(self._certificate)
            found = Identity(certificate, self.folder / CHAIN_FILE, self.folder / KEY_FILE)
            lasts = found.until - dt.datetime.now(dt.UTC) > RENEW_BEFORE
            if lasts and set(found.names) == set(wanted[0]) and set(found.addresses) == set(wanted[1]):
                # That key and certificate belong together is tried, too.
                found.context()
                return found
        return None

    def _issue(self, wanted: Places) -> Identity:
        key = ec.generate_private_key(ec.SECP256R1())
        names: list[x509.GeneralName] = [x509.DNSName(name) for name in wanted[0]]
        names += [x509.IPAddress(address) for address in wanted[1]]
        certificate = (
            _blank("OpenPendant server", self._certificate.subject, key.public_key(), LEAF_LIFE)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName(names), critical=False)
            .add_extension(_usage(signs=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False)
            .sign(self._key, hashes.SHA256())
        )
        write_private(self.folder / KEY_FILE, _pem(key))
        write_private(self.folder / CHAIN_FILE, certificate.public_bytes(serialization.Encoding.PEM))
        return Identity(certificate, self.folder / CHAIN_FILE, self.folder / KEY_FILE)

    def _make(self, names: tuple[str, ...]) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        # A random mark distinguishes the authorities of two machines of the same name.
        title = f"OpenPendant {x509.random_serial_number() & 0xFFFFFF:06x}"
        allowed = [x509.DNSName(name) for name in dict.fromkeys((*INSIDE, *names))]
        certificate = (
            _blank(title, None, key.public_key(), CA_LIFE)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_usage(signs=True), critical=True)
            .add_extension(x509.NameConstraints(permitted_subtrees=allowed, excluded_subtrees=None), critical=True)
            .sign(key, hashes.SHA256())
        )
        write_private(self.folder / CA_KEY, _pem(key))
        write_private(self.folder / CA_FILE, certificate.public_bytes(serialization.Encoding.PEM))


def _blank(
    title: str, issuer: x509.Name | None, key: ec.EllipticCurvePublicKey, life: dt.timedelta
) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, title)])
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject if issuer is None else issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - EARLIER)
        .not_valid_after(now + life)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        key_cert_sign=signs,
        crl_sign=signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
