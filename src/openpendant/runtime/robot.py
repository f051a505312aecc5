"""The process of one robot: `python -m openpendant.runtime.robot`, with its settings as the first line of its input."""

import faulthandler
import gc
import sys

import msgspec

from openpendant.errors import OpenPendantError
from openpendant.real_time import request_real_time

from .bus import Bus
from .process import RobotProcess, end_on_signals, parent_gone
from .robot_builder import build_robot
from .settings import RobotSettings
from .supervision import STACKS_SIGNAL


def main() -> None:
    """Run the robot until the process that started this one has gone or says so."""
    faulthandler.register(STACKS_SIGNAL)
    line = sys.stdin.buffer.readline()
    if not line:
        return
    settings = msgspec.json.decode(line, type=RobotSettings)
    with Bus.join(settings.endpoint) as session:
        try:
            built = build_robot(settings)
        except OpenPendantError as error:
            sys.exit(f"{settings.robot} cannot run: {error}")
        process = RobotProcess(settings, built.loop, session, built.nearby.place, parent_gone)
        end_on_signals(process)
        # What is loaded by now stays; walking through it again and again would make ticks late.
        gc.collect()
        gc.freeze()
        request_real_time()
        try:
            process.run()
        finally:
            built.loop.controller.close()
            gc.unfreeze()


if __name__ == "__main__":
    main()
