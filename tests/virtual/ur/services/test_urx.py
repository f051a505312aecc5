"""urx, unmodified, on a virtual UR3e: it reads the secondary interface and uploads scripts.

urx knows the mode package of PolyScope 3.2 (46 bytes); with the 47 bytes of 5.10 and later, on real arms too, it takes
the robot for stopped and cannot wait for moves itself. It runs in its own process: its old code warns, and it
leaves sockets to the garbage collector.
"""

import json
import subprocess
import sys

import pytest
from waiting import wait_until

from openpendant.virtual.launch import start_virtual

HOME = [0.3, -1.5, 1.2, -1.2, -1.57, 0.2]
CLIENT = """
import json, sys, time
from urx.urrobot import URRobot
from urx.ursecmon import TimeoutException

HOME = json.loads(sys.argv[2])

def wait_until(condition):
    end = time.monotonic() + 30.0
    while not condition():
        if time.monotonic() > end:
            client.close()
            raise SystemExit("waited in vain")
        time.sleep(0.01)

def connect():
    # It gives up after half a second, which a busy machine may need.
    for _ in range(20):
        try:
            return URRobot(sys.argv[1])
        except (TimeoutException, TimeoutError):
            continue
    raise SystemExit("urx found no data")

client = connect()
client.secmon._s_secondary.settimeout(30.0)
seen = {"start": client.getj()}
goal = [0.6, *HOME[1:]]
client.movej(goal, acc=2.0, vel=1.0, wait=False)
wait_until(lambda: max(abs(a - b) for a, b in zip(client.getj(), goal)) < 2e-3)
wait_until(lambda: not client.is_program_running())
pose = client.getl()
pose[2] -= 0.05
client.movel(pose, acc=0.5, vel=0.2, wait=False)
wait_until(lambda: abs(client.getl()[2] - pose[2]) < 1e-3)
wait_until(lambda: not client.is_program_running())
client.send_program("set_digital_out(2, True)")
seen["end"] = client.getj()
print(json.dumps(seen), flush=True)
client.close()
"""


def test_urx_reads_and_moves():
    with start_virtual("ur3e", "127.0.10.30", start_q=HOME) as robot:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", CLIENT, robot.address, json.dumps(HOME)],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        seen = json.loads(done.stdout)
        assert seen["start"] == pytest.approx(HOME, abs=1e-3)
        assert seen["end"] == pytest.approx(robot.read("actual_q")["actual_q"], abs=2e-3)
        wait_until(lambda: robot.read("actual_digital_output_bits")["actual_digital_output_bits"] == 0b100, "output 2")
