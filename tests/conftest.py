"""What all tests share."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

# How long an example takes says nothing on a busy machine; pytest-timeout ends what hangs.
settings.register_profile("openpendant", deadline=None)
settings.load_profile("openpendant")


@pytest.fixture(scope="session", autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A home for the whole run: no test sees the user's robots, and bodies are made once for all workers."""
    base = tmp_path_factory.getbasetemp()
    home = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "home"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENPENDANT_HOME", str(home))
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes too long for every run may take hours, unless it says less."""
    for item in items:
        if item.get_closest_marker("soak") is not None and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(4 * 3600))
