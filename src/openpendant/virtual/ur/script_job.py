"""ScriptJob: a large script being compiled in its own process, while the controller keeps ticking."""

import subprocess
import sys
import tempfile
from collections.abc import Mapping

from openpendant.dialects.urscript import Builtin, ScriptError, ScriptProgram
from openpendant.dialects.urscript.compile_ahead import decode_compiled, encode_request

CHILD = "from openpendant.dialects.urscript.compile_ahead import main; main()"


class ScriptJob:
    """Compiles one script. No call waits."""

    def __init__(self, text: str, builtins: Mapping[str, Builtin]) -> None:
        """Begin."""
        self._text, self._builtins = text, builtins
        self._answer = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        with tempfile.TemporaryFile() as request:
            request.write(encode_request(text, builtins))
            request.seek(0)
            self._child = subprocess.Popen(
                (sys.executable, "-c", CHILD), stdin=request, stdout=self._answer, stderr=subprocess.DEVNULL
            )

    def poll(self) -> ScriptProgram | ScriptError | None:
        """Return the program or why there is none; None: not done yet."""
        if self._child.poll() is None:
            return None
        try:
            if self._child.returncode != 0:
                return ScriptError(1, 1, "the script could not be compiled")
            self._answer.seek(0)
            return decode_compiled(self._answer.read(), self._text, self._builtins)
        except ScriptError as error:
            return error
        finally:
            self.close()

    def close(self) -> None:
        """Give up what is not done."""
        if self._child.poll() is None:
            self._child.kill()
            self._child.wait()
        self._answer.close()
