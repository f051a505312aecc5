"""The convention of robots without a maker."""

import numpy as np

from openpendant.robots import load
from openpendant.robots.conventions import Plain


def test_plain_prints_millimetres_and_angles() -> None:
    chain = load("irb120").arm().chain
    T = np.eye(4)
    T[:3, 3] = 0.1, -0.2, -1e-9
    printed = Plain().printer(chain)(T, np.zeros(6))
    assert printed.text == "x 100.000  y -200.000  z 0.000  roll 0.000  pitch 0.000  yaw 0.000"


def test_plain_names_the_joints_where_the_geometry_has_no_words() -> None:
    chain = load("yumi").arm("left").chain
    assert (
        Plain().describer(chain)(np.radians([0, -130, 30, 0, 40, 0, 135]))
        == "0.0° -130.0° 30.0° 0.0° 40.0° 0.0° 135.0°"
    )
    assert Plain().describer(load("irb120").arm().chain)(np.zeros(6)) == "shoulder +, elbow +, wrist +"
