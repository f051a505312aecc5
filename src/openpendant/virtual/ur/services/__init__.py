"""What answers on the ports of a Universal Robots controller: sessions of the protocols around one brain."""

from .dashboard import DashboardService
from .host_port import ControllerHost
from .primary import PrimaryService
from .realtime import RealtimeService
from .rtde import RtdeService

__all__ = ["ControllerHost", "DashboardService", "PrimaryService", "RealtimeService", "RtdeService"]
