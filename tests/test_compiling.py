"""Kernels are compiled also where nothing can be written, and anew where any of them changed."""

from pathlib import Path

import numba
import pytest

from openpendant.jit import make_jit


def twice(x: float) -> float:
    return 2.0 * x


def test_without_a_place_for_the_cache_kernels_are_compiled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """A read-only installation and no home that can be written: numba then has nowhere to look."""
    monkeypatch.setattr(numba.core.caching.CompileResultCacheImpl, "_locator_classes", [])
    with pytest.raises(RuntimeError, match="cannot cache"):
        numba.njit(cache=True)(twice)
    assert make_jit(Path(__file__).parent)(twice)(1.5) == 3.0


def test_a_change_of_any_kernel_in_the_folder_is_a_new_cache(tmp_path: Path) -> None:
    names = []
    for content in ("a = 1", "a = 2", "a = 1"):
        (tmp_path / "other.py").write_text(content)

        def kernel(x: float) -> float:
            return x

        make_jit(tmp_path)(kernel)
        names.append(kernel.__qualname__)
    assert names[0] != names[1]
    assert names[0] == names[2]
