"""Access: who may come in over the network, in which role, how often; certificates, pairing, sessions, the audit log.

In: requests, as they come. Out: who asks (`caller_of`), or a refusal with the reason.
"""

from .access import AUDIT_FILE, CERTIFICATES, Access
from .audit import AuditLog, read_audit
from .authorisation import COOKIE, Authorisation, need_of_route
from .caller import Caller, caller_of
from .certificates import Authority
from .lan import Lan, LanListener, is_lan
from .rates import Bucket, rate_key
from .roles import ADDRESSES, MESSAGES, ROLES, allows, need_of_message, why_not

__all__ = [
    "ADDRESSES",
    "AUDIT_FILE",
    "CERTIFICATES",
    "COOKIE",
    "MESSAGES",
    "ROLES",
    "Access",
    "AuditLog",
    "Authorisation",
    "Authority",
    "Bucket",
    "Caller",
    "Lan",
    "LanListener",
    "allows",
    "caller_of",
    "is_lan",
    "need_of_message",
    "need_of_route",
    "rate_key",
    "read_audit",
    "why_not",
]
