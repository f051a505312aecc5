"""`openpendant virtual irb120` and its terminal pendant as a person starts them; one process for the file."""

import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from abb_robot_client.rws import RWS

from openpendant.errors import ControllerError
from openpendant.virtual import VirtualHandle, start_virtual

ADDRESS = "127.0.10.44"
PATIENCE_S = 60.0
ASKING = """MODULE Asking
PROC main()
  VAR num n;
  TPReadFK n,"Go?","Yes","","","","No";
  TPWrite "key "\\Num:=n;
  TPReadNum n,"How many?";
  TPWrite "number "\\Num:=n;
  SetDO doLamp,1;
  MoveAbsJ [[20,10,20,0,60,0],[9E9,9E9,9E9,9E9,9E9,9E9]],v1000,fine,grip;
  Stop;
ENDPROC
ENDMODULE
"""
GRIP = "ROB_1/grip=[TRUE,[[0,0,100],[1,0,0,0]],[1,[0,0,50],[1,0,0,0],0,0,0]]"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    (folder / "asking.mod").write_text(ASKING)
    return folder


@pytest.fixture(scope="module")
def robot(home: Path) -> Iterator[VirtualHandle]:
    with start_virtual(
        "irb120",
        ADDRESS,
        home=home,
        program=home / "asking.mod",
        signals="doLamp:DO,diReady:DI=1",
        tools=GRIP,
        egm="127.0.0.1:7510",
        noise=0,
        start_q=(0.1, 0.1, 0.2, 0.0, 0.5, 0.0),
    ) as made:
        yield made


def pendant(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "openpendant", "pendant", ADDRESS, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def test_the_ready_line_says_where_its_services_are(robot: VirtualHandle):
    assert robot.ready["services"]["egm"] == "127.0.0.1:7510"
    assert robot.ready["services"]["rws"] in (f"http://{ADDRESS}", f"http://{ADDRESS}:8080")
    shown = robot.state()
    assert (shown["robot_mode"], shown["remote"]) == ("motoron", True)
    assert [joint["actual"] for joint in shown["arms"][0]["joints"]] == [0.1, 0.1, 0.2, 0.0, 0.5, 0.0]
    assert [one["name"] for one in shown["outputs"]] == ["doLamp"]
    assert [(one["name"], one["on"]) for one in shown["inputs"]] == [("diReady", True)]
    assert shown["programs"] == ["asking.mod"]


def test_another_client_finds_it_as_it_was_configured(robot: VirtualHandle):
    client = RWS(robot.ready["services"]["rws"])
    flange, tool = client.get_robtarget(), client.get_robtarget(tool="grip")
    assert sum((a - b) ** 2 for a, b in zip(flange.trans, tool.trans, strict=True)) ** 0.5 == pytest.approx(
        100, abs=0.1
    )
    assert client.get_digital_io("diReady") == 1
    client.close()


def test_orders_one_at_a_time(robot: VirtualHandle):
    assert json.loads(pendant("manual-full", "--json").stdout)["chips"][1]["text"] == "MANF"
    assert "no program is asking" in pendant("type", "12").stderr
    with pytest.raises(ControllerError, match="Nothing asks for it"):
        robot.press("key_1")
    with pytest.raises(ControllerError, match="no file"):
        robot.control("load", program="nothing.mod")
    robot.press("auto")
    robot.press("motors_on")


def test_the_screen_answers_what_programs_ask(robot: VirtualHandle):
    main, other = pty.openpty()
    command = [sys.executable, "-m", "openpendant", "pendant", ADDRESS]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120", "LINES": "50"}
    process = subprocess.Popen(command, stdin=other, stdout=other, stderr=other, env=environment)
    os.close(other)
    shown = ""

    def until(condition: Callable[[], bool], what: str) -> None:
        nonlocal shown
        end = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < end, f"waited in vain for {what}: {shown[-2000:]}"
            if select.select([main], [], [], 0.05)[0]:
                try:
                    shown += os.read(main, 65536).decode(errors="replace")
                except OSError:
                    break

    until(lambda: "Axis 1" in shown, "the joints")
    robot.control("load", program="asking.mod")
    os.write(main, b"g")
    until(lambda: "1 Yes" in shown.replace("\x1b[1m", "").replace("\x1b[0m", ""), "the keys")
    os.write(main, b"5")
    until(lambda: "How many?" in shown, "the second question")
    os.write(main, b"13\x7f2\r")
    until(lambda: "number 12" in (robot.state()["terminal"] or ()), "the answer")
    os.write(main, b"q")
    until(lambda: process.poll() is not None, "the end")
    assert process.wait(PATIENCE_S) == 0
    os.close(main)
    end = time.monotonic() + PATIENCE_S
    while (stood := robot.state())["program_state"] == "PLAYING":
        assert time.monotonic() < end, stood
        time.sleep(0.01)
    assert stood["outputs"][0]["on"]
    assert stood["arms"][0]["joints"][0]["actual"] == pytest.approx(0.349, abs=1e-3)


def test_bad_words_end_with_one_line_and_code_2():
    command = [sys.executable, "-m", "openpendant", "virtual", "irb120", "--elastic", "4"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 2
    (line,) = done.stderr.strip().splitlines()
    assert "a virtual IRB 120 has no option --elastic; known: --boot" in line
