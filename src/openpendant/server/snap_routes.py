"""The address of snapping: where a tool goes that is sent to a surface or an edge."""

import numpy as np
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from openpendant.errors import InputError
from openpendant.messages import Pose, SnapBox, SnapRequest
from openpendant.motion.process import PlacedBox, snap_to_edge, snap_to_face, snap_to_touch, turn_to_side
from openpendant.said import say

from .calibration_routes import check_near
from .openapi import accepts_json, answers_with
from .poses import pose_from_transform, transform_from_pose
from .replies import reply_json
from .request_bodies import read_json

SNAP_KINDS = (SnapRequest, Pose)

router = APIRouter()


@router.post("/api/snaps", responses=answers_with(Pose), openapi_extra=accepts_json(SnapRequest))
async def snap(request: Request) -> Response:
    """Where a tool goes that is sent to a face or an edge of a box, or to a touched place."""
    asked = await read_json(request, SnapRequest)
    T_tool = transform_from_pose(asked.tool)
    box = None if asked.box is None else read_box(asked.box)
    check_near([asked.tool.xyz])
    if asked.to == "touch":
        if asked.touch is None:
            raise InputError(say("request.touch_place"))
        check_near([asked.touch.at])
        T = snap_to_touch(box, asked.touch.at, asked.touch.normal, T_tool, asked.weld)
    elif box is None:
        raise InputError(say("request.only_box"))
    elif asked.to == "side":
        T = turn_to_side(box, T_tool, asked.side, asked.weld)
    else:
        T = snap_to_face(box, T_tool) if asked.to == "face" else snap_to_edge(box, T_tool, asked.weld)
    return reply_json(pose_from_transform(T))


def read_box(box: SnapBox) -> PlacedBox:
    """Return a box as the maths has it."""
    check_near([box.pose.xyz, box.size])
    return PlacedBox(transform_from_pose(box.pose), np.array(box.size))
