"""AtOnce: threads of virtual time."""

from concurrent.futures import Executor, Future

from openpendant.errors import OpenPendantError


class AtOnce(Executor):
    """Does in the caller what a thread would do: time passes meanwhile."""

    def submit(self, fn, /, *args, **kwargs):
        future: Future[object] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except OpenPendantError as error:
            future.set_exception(error)
        return future
