"""jit: compile a kernel with numba, cached on disk, without losing its Python type."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

__all__ = ["jit"]

F = TypeVar("F", bound=Callable[..., Any])


def _digest_of_all_kernels() -> str:
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


_DIGEST = _digest_of_all_kernels()
_compile = cast(Callable[..., Callable[[Any], Any]], numba.njit)


def jit(function: F) -> F:
    """Return `function` compiled at its first call. With NUMBA_DISABLE_JIT=1 it stays plain Python.

    numba's disk cache notices a change of the kernel's own file only, and would go on using old code
    of another file that was inlined into it. The cache file is named after the kernel's qualified
    name, so the digest of all kernels in that name makes every change a new cache.
    """
    function.__qualname__ = f"{function.__qualname__}_{_DIGEST}"
    # "contract" allows fused multiply-add, a tenth faster and no less exact; no other liberty is taken.
    return cast(F, _compile(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})(function))
