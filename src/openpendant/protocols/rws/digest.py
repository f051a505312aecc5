"""The login of Robot Web Services: HTTP digest authentication with MD5 (RFC 2617, RFC 7616)."""

import hashlib
import hmac
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from openpendant.protocols.error import ProtocolError

MOST_NONCES = 1000
"""Numbers that a controller remembers; whoever comes with an older one logs in again."""
_SCHEME = "digest "
_pair = re.compile(r'\s*([A-Za-z]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))\s*(?:,|$)')


@dataclass(frozen=True, slots=True)
class DigestChallenge:
    """What a controller asks a client to prove that it knows its password.

    Attributes:
        realm: For which the password is.
        nonce: What has to go into the proof.
        opaque: Comes back as it is.
        quality: "auth", or empty: the oldest form, without a count.
        stale: Whether only the nonce was too old.
    """

    realm: str
    nonce: str
    opaque: str = ""
    quality: str = "auth"
    stale: bool = False

    def encode(self) -> str:
        """Return the value of the header WWW-Authenticate."""
        words = [f"realm={_quoted(self.realm)}", f"nonce={_quoted(self.nonce)}"]
        if self.quality:
            words.append(f"qop={_quoted(self.quality)}")
        if self.opaque:
            words.append(f"opaque={_quoted(self.opaque)}")
        words.append("algorithm=MD5")
        if self.stale:
            words.append("stale=true")
        return f"Digest {', '.join(words)}"

    def authorization(self, user: str, password: str, method: str, target: str, *, count: int, token: str) -> str:
        """Return the value of the header Authorization.

        Args:
            user: Name.
            password: Of the user.
            method: Of the request.
            target: Path and query of the request, as they stand in its first line.
            count: How often this challenge has been answered, with this one; from 1.
            token: Random, of the client.
        """
        proof = _Proof(user, self.realm, self.nonce, target, self.quality, f"{count:08x}", token)
        words = [
            f"username={_quoted(user)}",
            f"realm={_quoted(self.realm)}",
            f"nonce={_quoted(self.nonce)}",
            f"uri={_quoted(target)}",
            f"response={_quoted(proof.response(password, method))}",
            "algorithm=MD5",
        ]
        if self.opaque:
            words.append(f"opaque={_quoted(self.opaque)}")
        if self.quality:
            words += [f"qop={self.quality}", f"nc={proof.count}", f"cnonce={_quoted(token)}"]
        return f"Digest {', '.join(words)}"


def parse_challenge(header: str) -> DigestChallenge:
    """Read the header WWW-Authenticate.

    Raises:
        ProtocolError: It asks for another kind of login; says which.
    """
    words = _parameters(header)
    if words.get("algorithm", "MD5").upper() != "MD5":
        raise ProtocolError(f"a login by {words['algorithm']}; MD5 is allowed")
    offered = [one.strip() for one in words.get("qop", "").split(",") if one.strip()]
    if offered and "auth" not in offered:
        raise ProtocolError(f"a login of quality {', '.join(offered)}; auth is allowed")
    if "realm" not in words or "nonce" not in words:
        raise ProtocolError("a challenge without realm or nonce")
    stale = words.get("stale", "").lower() == "true"
    return DigestChallenge(words["realm"], words["nonce"], words.get("opaque", ""), "auth" if offered else "", stale)


class DigestRealm:
    """The controller's side: issues challenges and identifies who has answered one."""

    def __init__(self, name: str, passwords: Mapping[str, str], tokens: Callable[[], str]) -> None:
        """Begin without sessions.

        Args:
            name: Of the realm.
            passwords: By user.
            tokens: Returns unguessable random text, different at each call.
        """
        self._name = name
        self._passwords = dict(passwords)
        self._tokens = tokens
        self._opaque = tokens()
        self._nonces: dict[str, None] = {}

    def challenge(self, *, stale: bool = False) -> DigestChallenge:
        """Return a new challenge."""
        nonce = self._tokens()
        self._nonces[nonce] = None
        if len(self._nonces) > MOST_NONCES:
            del self._nonces[next(iter(self._nonces))]
        return DigestChallenge(self._name, nonce, self._opaque, stale=stale)

    def user_of(self, method: str, target: str, header: str) -> str | DigestChallenge:
        """Return who asks, or the challenge to refuse the request with.

        A challenge may be answered again and in any order: clients share one over several connections.

        Args:
            method: Of the request.
            target: Path and query, as in its first line.
            header: The header Authorization; empty: there is none.
        """
        try:
            words = _parameters(header)
        except ProtocolError:
            return self.challenge()
        proof = _Proof(
            words.get("username", ""),
            words.get("realm", ""),
            words.get("nonce", ""),
            words.get("uri", ""),
            words.get("qop", ""),
            words.get("nc", ""),
            words.get("cnonce", ""),
        )
        password = self._passwords.get(proof.user)
        if password is None or proof.realm != self._name or proof.target != target or proof.quality not in ("", "auth"):
            return self.challenge()
        if not hmac.compare_digest(proof.response(password, method).encode(), words.get("response", "").encode()):
            return self.challenge()
        return proof.user if proof.nonce in self._nonces else self.challenge(stale=True)


@dataclass(frozen=True, slots=True)
class _Proof:
    user: str
    realm: str
    nonce: str
    target: str
    quality: str
    count: str
    token: str

    def response(self, password: str, method: str) -> str:
        secret = _md5(f"{self.user}:{self.realm}:{password}")
        request = _md5(f"{method}:{self.target}")
        if not self.quality:
            return _md5(f"{secret}:{self.nonce}:{request}")
        return _md5(f"{secret}:{self.nonce}:{self.count}:{self.token}:{self.quality}:{request}")


def _parameters(header: str) -> dict[str, str]:
    if not header.lower().startswith(_SCHEME):
        raise ProtocolError(f"a login by {header.split(' ')[0][:40]!r}; Digest is allowed")
    found: dict[str, str] = {}
    at = len(_SCHEME)
    while at < len(header):
        match = _pair.match(header, at)
        if match is None:
            raise ProtocolError(f"a login that cannot be read from character {at}")
        name, quoted, plain = match.groups()
        found[name.lower()] = plain if quoted is None else re.sub(r"\\(.)", r"\1", quoted)
        at = match.end()
    return found


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
