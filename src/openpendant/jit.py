"""make_jit: compile kernels with numba, cached on disk, without losing their Python types."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])
_compile = cast(Callable[..., Callable[[Any], Any]], numba.njit)
_kernels: list[Any] = []


class Jit(Protocol):
    """Decorates a kernel."""

    def __call__(self, function: F) -> F:
        """Return `function` compiled at its first call. With NUMBA_DISABLE_JIT=1 it stays plain Python."""
        ...


def loaded_kernels() -> dict[str, int]:
    """Return for how many types of arguments each kernel has been loaded so far.

    Loading one takes tenths of a second from the disk, and seconds where it must be compiled: too long for a loop.
    """
    return {kernel.__qualname__: len(kernel.signatures) for kernel in _kernels if getattr(kernel, "signatures", ())}


def make_jit(folder: Path, *others: Path, fuse: bool = False, inline: bool = False) -> Jit:
    """Return the decorator for the kernels in `folder`.

    numba's disk cache notices a change of the kernel's own file only, and would continue using old code
    of another file that was inlined into it. The cache file is named after the kernel's qualified
    name, so the digest of all kernels in that name makes every change a new cache.

    Args:
        folder: Where the kernels are.
        others: Folders of kernels that these call.
        fuse: Allow fused multiply-add, a tenth faster and no less exact; no other liberty is taken.
        inline: Put these kernels into each caller, also where they are long: for parts of others, not for Python.
    """
    digest = hashlib.sha256()
    for path in (*(path for one in (folder, *others) for path in sorted(one.glob("*.py"))), Path(__file__)):
        digest.update(path.read_bytes())
    mark = digest.hexdigest()[:12]
    options = {"nogil": True, "error_model": "numpy", "fastmath": {"contract"} if fuse else False}
    if inline:
        options["forceinline"] = True

    def jit(function: F) -> F:
        function.__qualname__ = f"{function.__qualname__}_{mark}"
        try:
            kernel = _compile(cache=True, **options)(function)
        except RuntimeError:
            # Neither beside the kernel nor in the user's cache can a file be written: compile for this process alone.
            kernel = _compile(**options)(function)
        _kernels.append(kernel)
        return cast(F, kernel)

    return jit
