"""The addresses of calibration: a tool's working point from touches, a work object from three points."""

from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter
from numpy.typing import NDArray
from starlette.requests import Request
from starlette.responses import Response

from openpendant.errors import InputError
from openpendant.messages import FrameFound, FrameTouches, TcpFound, TcpTouches
from openpendant.said import say
from openpendant.scene import frame_from_three_points, tcp_from_touches

from .openapi import accepts_json, answers_with
from .poses import pose_from_transform, transform_from_pose
from .replies import reply_json
from .request_bodies import read_json

CALIBRATION_KINDS = (TcpTouches, TcpFound, FrameTouches, FrameFound)
MOST_TOUCHES = 100
FARTHEST_M = 1000.0

router = APIRouter()


@router.post("/api/calibrations/tool", responses=answers_with(TcpFound), openapi_extra=accepts_json(TcpTouches))
async def tool(request: Request) -> Response:
    """The working point of a tool whose tip has touched one point in four or more orientations."""
    touches = await read_json(request, TcpTouches)
    check_count(len(touches.flanges))
    check_near(pose.xyz for pose in touches.flanges)
    fit = tcp_from_touches([transform_from_pose(pose) for pose in touches.flanges])
    return reply_json(
        TcpFound(
            xyz=vector(fit.xyz),
            point=vector(fit.point),
            residuals_m=tuple(float(one) for one in fit.residuals),
            rms_m=fit.rms,
            uncertainty_m=fit.uncertainty,
        )
    )


@router.post("/api/calibrations/frame", responses=answers_with(FrameFound), openapi_extra=accepts_json(FrameTouches))
async def frame(request: Request) -> Response:
    """The work object whose origin, x axis and xy plane three touched points fix."""
    touches = await read_json(request, FrameTouches)
    check_count(len(touches.further))
    check_near((touches.origin, touches.on_x, touches.in_xy, *touches.further))
    fit = frame_from_three_points(touches.origin, touches.on_x, touches.in_xy, touches.further)
    return reply_json(
        FrameFound(
            pose=pose_from_transform(fit.T),
            x_length_m=fit.x_length,
            y_length_m=fit.y_length,
            uncertainty_rad=fit.uncertainty,
            heights_m=tuple(float(one) for one in fit.height_residuals),
        )
    )


def vector(values: NDArray[Any]) -> tuple[float, float, float]:
    """Return three numbers as the wire has them."""
    x, y, z = (float(value) for value in values)
    return x, y, z


def check_near(points: Iterable[tuple[float, float, float]]) -> None:
    """Raise InputError where a point is farther away than any robot reaches."""
    for point in points:
        if not max(abs(value) for value in point) <= FARTHEST_M:
            raise InputError(say("request.far_point", point_m=str(list(point)), most_m=FARTHEST_M))


def check_count(count: int) -> None:
    """Raise InputError where there are more touches than a person makes."""
    if count > MOST_TOUCHES:
        raise InputError(say("calibration.many", count=count, most=MOST_TOUCHES))
