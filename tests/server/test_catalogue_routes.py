"""The addresses of the library of tools."""

import httpx
import msgspec

from openpendant.messages import ToolKind
from openpendant.scene import TOOL_KINDS, CellTool, make_tool


def test_the_library_is_listed_and_makes_tools_to_measure(http: httpx.Client) -> None:
    kinds = msgspec.convert(http.get("/api/tools").json(), tuple[ToolKind, ...])
    assert kinds == TOOL_KINDS
    order = {"name": "gripper", "measures": {"stroke_m": 0.06}, "signal": "grip"}
    made = http.post("/api/tools/parallel_small", json=order)
    assert made.status_code == 200
    tool = msgspec.json.decode(made.content, type=CellTool)
    assert tool == make_tool("parallel_small", "gripper", {"stroke_m": 0.06}, signal="grip")


def test_what_is_not_known_or_allowed_is_said(http: httpx.Client) -> None:
    assert http.post("/api/tools/pliers", json={"name": "x"}).status_code == 404
    refused = http.post("/api/tools/cup", json={"name": "x", "measures": {"cup_m": 9.0}})
    assert refused.status_code in (400, 422)
    assert "cup_m: 9 m is out of range; allowed: 0.005 to 0.15 m" in refused.json()["message"]
