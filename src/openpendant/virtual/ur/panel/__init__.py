"""The pendant as a page: plain files and a stream of states, served by the controller's own loop."""

from .service import PanelService

__all__ = ["PanelService"]
