"""What answers on the ports of a virtual ABB controller."""

from .egm_service import EgmService
from .rws_service import RwsService

__all__ = ["EgmService", "RwsService"]
