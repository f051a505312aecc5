"""A virtual ABB controller in a process of its own: `abb_process.py MODEL ADDRESS RWS_PORT EGM_PORT FOLDER`."""

import signal
import sys
import threading
from pathlib import Path

import numpy as np
from abb_pair import IRB_TASKS, READY, SIGNALS, YUMI_TASKS

from openpendant.robots import load
from openpendant.virtual.abb import AbbController, AbbHost, AbbSetup, build_controller
from openpendant.virtual.abb.compile_ahead import compile_kernels
from openpendant.virtual.wire import ProgramSockets


def serve(model: str, address: str, rws_port: int, egm_port: int, folder: Path) -> None:
    """Serve until the input ends; a line says that the ports answer."""
    tasks = YUMI_TASKS if model == "yumi" else IRB_TASKS
    setup = AbbSetup(model, address, folder, folder, signals=SIGNALS, tasks=tasks)
    robot = load(model)
    start = READY if model == "irb120" else np.concatenate([robot.posture(arm=name) for name in robot.arms])

    def make(sockets: ProgramSockets) -> AbbController:
        brain = build_controller(setup, sockets, start_q=start)
        # Nothing is compiled or loaded while the arm moves in real time.
        compile_kernels(brain.units.values())
        brain.panel.set_motors(on=True)
        return brain

    # The driver of a controller on this computer waits at the controller's own address.
    host = AbbHost(address, make, rws_port=rws_port, sensor=(address, egm_port))
    ended = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    host.run(ended.is_set)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    model, address, rws_port, egm_port, folder = sys.argv[1:]
    serve(model, address, int(rws_port), int(egm_port), Path(folder))
