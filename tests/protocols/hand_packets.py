"""Random packets of hands, and the published one."""

from hypothesis import strategies as st

from openpendant.protocols.yumi_packet import (
    HandCommand,
    HandPacket,
)

GOLDEN = b"S01,-152.89,+307.35,-229.63,+040.27,+024.14,+005.92E"
hundredths = st.integers(-99999, 99999).map(lambda value: value / 100.0)
points = st.tuples(hundredths, hundredths, hundredths)
packets = st.builds(HandPacket, st.sampled_from(HandCommand), points, points)
