"""Loops ask for real-time scheduling, and do without where it is not granted."""

import os
import subprocess
import sys

ASK = """
import os, resource, sys, threading, time
from openpendant.real_time import request_real_time
if sys.argv[1] == "denied" and os.getuid() == 0:
    os.setgid(65534), os.setuid(65534)
if sys.argv[1] == "denied":
    resource.setrlimit(resource.RLIMIT_RTPRIO, (0, 0))
threading.Thread(target=time.sleep, args=(5.0,), daemon=True).start()
granted = request_real_time()
kinds = {os.sched_getscheduler(int(one)) & ~os.SCHED_RESET_ON_FORK for one in os.listdir("/proc/self/task")}
child = os.fork()
if child == 0:
    os._exit(os.sched_getscheduler(0))
kind = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
print(granted, kinds == {os.SCHED_RR if granted else os.SCHED_OTHER}, kind == os.SCHED_OTHER)
"""


def ask(how: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", ASK, how], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.split()


def may_be_real_time() -> bool:
    """Whether the system lets this user have it, asked without our own code."""
    try:
        was = os.sched_getscheduler(0)
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
        os.sched_setscheduler(0, was, os.sched_param(0))
    except PermissionError:
        return False
    return True


def test_all_threads_have_it_where_the_system_allows_it() -> None:
    assert ask("as I am") == [str(may_be_real_time()), "True", "True"]


def test_without_the_right_nothing_changes() -> None:
    assert ask("denied") == ["False", "True", "True"]
