"""For all tests of running cells: no robot may load a kernel in its loop, where it would hold up its ticks."""

from collections.abc import Iterator

import msgspec
import pytest

from live_folder import mark_folder
from openpendant.messages import bus
from openpendant.runtime.clock import SystemClock
from openpendant.runtime.link import CellLink

VIRTUAL_TIME = {
    "test_bus_codec",
    "test_contact",
    "test_corridor",
    "test_early_resume",
    "test_following",
    "test_hand_rules",
    "test_loop",
    "test_loop_clock",
    "test_path_ends",
    "test_reduced_speed",
    "test_run_life",
    "test_run_machine",
    "test_sample_stream",
    "test_spaces",
    "test_stop_counts",
    "test_stop_moments",
    "test_stop_table",
    "test_stops",
    "test_stops_first",
    "test_upload_speed",
    "test_uploads_of_several_arms",
    "test_waiting_runs",
}

pytest_collection_modifyitems = mark_folder(__file__, VIRTUAL_TIME)


@pytest.fixture(scope="session", autouse=True)
def kernels_loaded_late() -> Iterator[list[str]]:
    """What robots' processes tell of kernels that their rehearsal has left out."""
    late: list[str] = []
    take = CellLink._receive_event

    def listen(self: CellLink, where: str, raw: bytes) -> None:
        take(self, where, raw)
        event = msgspec.msgpack.decode(raw, type=bus.RobotEvent)
        # In virtual time a robot lives in the test's own process, and nobody has rehearsed.
        if isinstance(self.clock, SystemClock) and event.said is not None and event.said.code == "process.kernels":
            late.append(event.message)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CellLink, "_receive_event", listen)
        yield late


@pytest.fixture(autouse=True)
def no_kernel_is_loaded_late(kernels_loaded_late: list[str]) -> Iterator[None]:
    """Fail with the first of them."""
    yield
    late, kernels_loaded_late[:] = list(kernels_loaded_late), []
    assert not late
