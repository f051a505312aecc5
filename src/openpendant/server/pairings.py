"""The addresses of access: who one is, pairing, who is paired, the certificate of the authority."""

import math
from typing import Any

import segno
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from openpendant.errors import InputError
from openpendant.messages import Me, NewPairing, NewSession, Pairing, Problem, Role, SessionInfo, SignedIn

from .access import COOKIE, Access, Lan, caller_of, rate_key
from .aside import aside
from .openapi import answers_with
from .projects import read_json, takes_json
from .replies import reply_json

__all__ = ["ACCESS_KINDS", "add_access_routes", "offer_pairing"]

ACCESS_KINDS = (Me, NewPairing, NewSession, Pairing, SessionInfo, SignedIn)
LONGEST_NAME = 60
LONGEST_CODE = 100
COOKIE_S = 365 * 86400


def offer_pairing(access: Access, role: Role, name: str = "") -> Pairing:
    """Return a code that lets somebody in, once.

    Raises:
        InputError: The server is not in the network, or too many codes are open.
    """
    lan = _lan_of(access)
    offer = access.desk.offer(role, name)
    links = lan.links(offer.secret)
    picture = segno.make(links[0], error="m", micro=False).svg_data_uri(scale=4, border=2, light="white")
    left = access.desk.left_s(offer)
    return Pairing(code=offer.code or "", role=role, expires_s=round(left), links=links, qr=picture)


def add_access_routes(app: FastAPI, access: Access) -> None:
    """Give `app` the addresses of access."""

    async def me(request: Request) -> Response:
        """Who the server takes you for."""
        caller = caller_of(request.scope)
        name = "" if caller.local else caller.name
        return reply_json(Me(name=name, role=caller.role, local=caller.local, lan=access.lan is not None))

    async def pair(request: Request) -> Response:
        """Come in with a code, or with the secret of a link."""
        caller = caller_of(request.scope)
        if caller.local:
            raise InputError("nobody signs in on this machine; open the page by its address in the network to pair")
        asked = await read_json(request, NewSession)
        key = rate_key(caller.address)
        wait = access.tries.wait_s(key)
        if wait > 0.0:
            access.note_refused(caller, "too many tries")
            return too_many(wait)
        name = checked_name(asked.name, needed=False)
        offer = access.desk.use(asked.code.strip().replace(" ", "")) if len(asked.code) <= LONGEST_CODE else None
        if offer is None:
            access.tries.failed(key)
            access.note_refused(caller, "a wrong code")
            problem = Problem(message="this code is wrong, was used already or is too old; have a new one shown")
            return reply_json(problem, status=403)
        access.tries.succeeded(key)
        session, token = access.sessions.add(offer.name or name or caller.address, offer.role, caller.address)
        access.audit.note("paired", caller, session=session.id, name=session.name, as_role=session.role)
        told = SignedIn(name=session.name, role=session.role, token=token if asked.token else "")
        reply = reply_json(told, status=201)
        if not asked.token:
            reply.set_cookie(COOKIE, token, max_age=COOKIE_S, path="/", secure=True, httponly=True, samesite="strict")
        return reply

    async def sign_out(request: Request) -> Response:
        """End one's own pairing."""
        caller = caller_of(request.scope)
        if caller.local:
            raise InputError("nobody signs in on this machine, so that nobody can sign out")
        access.sessions.revoke(caller.session)
        access.audit.note("signed out", caller, session=caller.session)
        reply = reply_json(Me(name="", role=None, local=False, lan=True))
        reply.delete_cookie(COOKIE, path="/", secure=True, httponly=True, samesite="strict")
        return reply

    async def sessions(request: Request) -> Response:
        """Who is paired, the newest first."""
        own = caller_of(request.scope).session
        return reply_json(
            [
                SessionInfo(
                    id=one.id,
                    name=one.name,
                    role=one.role,
                    since_s=one.since_s,
                    seen_s=one.seen_s,
                    address=one.address,
                    connected=one.id in access.live,
                    you=one.id == own,
                )
                for one in access.sessions.all()
            ]
        )

    async def revoke(request: Request, id: str) -> Response:  # noqa: A002 - the name in the address
        """Let somebody in no more; what they have open ends at once."""
        session = access.sessions.revoke(id)
        access.audit.note("revoked", caller_of(request.scope), session=session.id, name=session.name)
        return reply_json(Me(name=session.name, role=None, local=False, lan=access.lan is not None))

    async def offer(request: Request) -> Response:
        """A code and a link that let somebody in, once, in a role."""
        asked = await read_json(request, NewPairing)
        name = checked_name(asked.name, needed=False)
        # The machine's own name may have to be looked up, and a network without a name server answers late.
        made = await aside(lambda: offer_pairing(access, asked.role, name))
        access.audit.note("code shown", caller_of(request.scope), for_role=asked.role, name=asked.name)
        return reply_json(made, status=201)

    async def authority() -> Response:
        """The certificate of this server's authority, for devices that shall trust it."""
        data = await aside(_lan_of(access).authority.file.read_bytes)
        headers = {"content-disposition": 'attachment; filename="openpendant-ca.crt"', "cache-control": "no-store"}
        return Response(data, media_type="application/x-x509-ca-cert", headers=headers)

    def add(method: str, path: str, answer: Any, gives: Any, **more: Any) -> None:
        status = more.get("status_code", 200)
        app.add_api_route(path, answer, methods=[method], responses={status: answers_with(gives)[200]}, **more)

    add("GET", "/api/me", me, Me)
    add("DELETE", "/api/me", sign_out, Me)
    add("GET", "/api/sessions", sessions, list[SessionInfo])
    add("POST", "/api/sessions", pair, SignedIn, openapi_extra=takes_json(NewSession), status_code=201)
    add("DELETE", "/api/sessions/{id}", revoke, Me)
    add("POST", "/api/pairings", offer, Pairing, openapi_extra=takes_json(NewPairing), status_code=201)
    app.add_api_route("/ca.crt", authority, responses={200: {"content": {"application/x-x509-ca-cert": {}}}})


def checked_name(name: str, *, needed: bool) -> str:
    """Return the name of a person or device; raises InputError where it cannot be one."""
    plain = name.strip()
    if (needed and not plain) or len(plain) > LONGEST_NAME or not plain.isprintable():
        raise InputError(f"name {name[:80]!r}; allowed are up to {LONGEST_NAME} printable characters")
    return plain


def too_many(wait_s: float) -> Response:
    """Return the answer to somebody who has tried too often."""
    seconds = math.ceil(wait_s)
    reply = reply_json(Problem(message=f"too many wrong codes; try again in {seconds} s"), status=429)
    reply.headers["retry-after"] = str(seconds)
    return reply


def _lan_of(access: Access) -> Lan:
    if access.lan is None:
        raise InputError("this server is on this machine alone; start it with --lan to let others in")
    return access.lan
