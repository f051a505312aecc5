"""The addresses of access: who one is, pairing, who is paired, the certificate of the authority."""

import math

import segno
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from openpendant.errors import InputError
from openpendant.messages import Me, NewPairing, NewSession, Pairing, Problem, Role, SessionInfo, SignedIn
from openpendant.said import say

from .access import COOKIE, Access, Lan, caller_of, rate_key
from .openapi import accepts_json, answers_with
from .replies import reply_json
from .request_bodies import read_json
from .services import Served
from .threads import run_in_thread

ACCESS_KINDS = (Me, NewPairing, NewSession, Pairing, SessionInfo, SignedIn)
LONGEST_NAME = 60
LONGEST_CODE = 100
COOKIE_S = 365 * 86400

router = APIRouter()


def offer_pairing(access: Access, role: Role, name: str = "") -> Pairing:
    """Return a code that lets somebody in, once.

    Raises:
        InputError: The server is not in the network, or too many codes are open.
    """
    lan = _lan_of(access)
    offer = access.desk.offer(role, name)
    links = lan.links(offer.secret)
    picture = segno.make(links[0], error="m", micro=False).svg_data_uri(scale=4, border=2, light="white")
    left = access.desk.remaining_s(offer)
    return Pairing(code=offer.code or "", role=role, expires_s=round(left), links=links, qr=picture)


@router.get("/api/me", responses=answers_with(Me))
async def me(served: Served, request: Request) -> Response:
    """Who the server takes you for."""
    caller = caller_of(request.scope)
    name = "" if caller.local else caller.name
    return reply_json(Me(name=name, role=caller.role, local=caller.local, lan=served.access.lan is not None))


@router.delete("/api/me", responses=answers_with(Me))
async def sign_out(served: Served, request: Request) -> Response:
    """End one's own pairing."""
    caller = caller_of(request.scope)
    if caller.local:
        raise InputError(say("access.no_sign_out"))
    served.access.sessions.revoke(caller.session)
    served.access.audit.note("signed out", caller, session=caller.session)
    reply = reply_json(Me(name="", role=None, local=False, lan=True))
    reply.delete_cookie(COOKIE, path="/", secure=True, httponly=True, samesite="strict")
    return reply


@router.get("/api/sessions", responses=answers_with(list[SessionInfo]))
async def sessions(served: Served, request: Request) -> Response:
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
                connected=one.id in served.access.live,
                you=one.id == own,
            )
            for one in served.access.sessions.all()
        ]
    )


@router.post(
    "/api/sessions",
    responses={201: answers_with(SignedIn)[200]},
    openapi_extra=accepts_json(NewSession),
    status_code=201,
)
async def pair(served: Served, request: Request) -> Response:
    """Come in with a code, or with the secret of a link."""
    caller = caller_of(request.scope)
    if caller.local:
        raise InputError(say("access.no_sign_in"))
    asked = await read_json(request, NewSession)
    key = rate_key(caller.address)
    wait = served.access.tries.wait_s(key)
    if wait > 0.0:
        served.access.note_refused(caller, "too many tries")
        return too_many(wait)
    name = checked_name(asked.name, needed=False)
    offer = served.access.desk.use(asked.code.strip().replace(" ", "")) if len(asked.code) <= LONGEST_CODE else None
    if offer is None:
        served.access.tries.failed(key)
        served.access.note_refused(caller, "a wrong code")
        problem = Problem(message=say("access.wrong_code"))
        return reply_json(problem, status=403)
    served.access.tries.succeeded(key)
    session, token = served.access.sessions.add(offer.name or name or caller.address, offer.role, caller.address)
    served.access.audit.note("paired", caller, session=session.id, name=session.name, as_role=session.role)
    told = SignedIn(name=session.name, role=session.role, token=token if asked.token else "")
    reply = reply_json(told, status=201)
    if not asked.token:
        reply.set_cookie(COOKIE, token, max_age=COOKIE_S, path="/", secure=True, httponly=True, samesite="strict")
    return reply


@router.delete("/api/sessions/{id}", responses=answers_with(Me))
async def revoke(served: Served, request: Request, id: str) -> Response:  # noqa: A002 - the name in the address
    """Let somebody in no more; what they have open ends at once."""
    session = served.access.sessions.revoke(id)
    served.access.audit.note("revoked", caller_of(request.scope), session=session.id, name=session.name)
    return reply_json(Me(name=session.name, role=None, local=False, lan=served.access.lan is not None))


@router.post(
    "/api/pairings",
    responses={201: answers_with(Pairing)[200]},
    openapi_extra=accepts_json(NewPairing),
    status_code=201,
)
async def offer(served: Served, request: Request) -> Response:
    """A code and a link that let somebody in, once, in a role."""
    asked = await read_json(request, NewPairing)
    name = checked_name(asked.name, needed=False)
    # The machine's own name may have to be looked up, and a network without a name server answers late.
    made = await run_in_thread(lambda: offer_pairing(served.access, asked.role, name))
    served.access.audit.note("code shown", caller_of(request.scope), for_role=asked.role, name=asked.name)
    return reply_json(made, status=201)


@router.get("/ca.crt", responses={200: {"content": {"application/x-x509-ca-cert": {}}}})
async def authority(served: Served) -> Response:
    """The certificate of this server's authority, for devices that shall trust it."""
    data = await run_in_thread(_lan_of(served.access).authority.file.read_bytes)
    headers = {"content-disposition": 'attachment; filename="openpendant-ca.crt"', "cache-control": "no-store"}
    return Response(data, media_type="application/x-x509-ca-cert", headers=headers)


def checked_name(name: str, *, needed: bool) -> str:
    """Return the name of a person or device; raises InputError where it cannot be one."""
    plain = name.strip()
    if (needed and not plain) or len(plain) > LONGEST_NAME or not plain.isprintable():
        raise InputError(say("access.name", name=name[:80], most=LONGEST_NAME))
    return plain


def too_many(wait_s: float) -> Response:
    """Return the answer to somebody who has tried too often."""
    seconds = math.ceil(wait_s)
    reply = reply_json(Problem(message=say("access.wrong_codes", wait_s=seconds)), status=429)
    reply.headers["retry-after"] = str(seconds)
    return reply


def _lan_of(access: Access) -> Lan:
    if access.lan is None:
        raise InputError(say("access.local_only"))
    return access.lan
