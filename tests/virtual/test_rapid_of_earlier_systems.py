"""RAPID in the manner of two earlier systems, with its quirks, as it was written: not our modules."""

from pathlib import Path

import numpy as np
import pytest
from abb_stand import AbbBench
from program_wires import ProgramWires
from yumi_bench import YumiBench

SERVES_ONE = r"""
MODULE MainModule
  ! one connection for each message; then main ends, and the cycle begins again
  VAR socketdev server_socket;
  VAR socketdev client_socket;
  VAR rawbytes data;
  VAR string message := "";
  VAR num served := 0;
  PERS num rounds := 0;
  PERS bool toolAct := FALSE;
  PERS num calculationResult := -2;
  PERS jointtarget angleTarget := [[0,10,20,0,60,0],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];

  proc main()
    rounds := rounds + 1;
    SocketCreate server_socket;
    SocketBind server_socket, "127.0.0.1", 5000;
    SocketListen server_socket;
    SocketAccept server_socket, client_socket \Time := WAIT_MAX;
    SocketReceive client_socket \RawData := data;
    UnpackRawBytes data, 1, message \ASCII := 80;
    served := served + 1;
    IF StrPart(message, 1, 1) = "Y" THEN
      toolAct := StrPart(message, 2, 1) = "T";
      UpdateToolState;
      SocketSend client_socket \Str := "success";
    ELSEIF StrPart(message, 1, 1) = "A" THEN
      message := "[" + StrPart(message, 4, StrLen(message) - 3);
      IF StrToVal(message + ",[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]]", angleTarget) THEN
        MoveAbsJ angleTarget, v2000, fine, tool0;
        WaitRob \InPos;
        SocketSend client_socket \Str := "success";
      ELSE
        SocketSend client_socket \Str := "error";
      ENDIF
    ELSEIF StrPart(message, 1, 2) = "XC" THEN
      CheckTarget;
      SocketSend client_socket \Str := "in reach";
    endif
    SocketClose client_socket;
    SocketClose server_socket;
  ERROR
    IF ERRNO = ERR_ROBLIMIT THEN
      calculationResult := -1;
      SocketSend client_socket \Str := "error";
      SkipWarn;
      TRYNEXT;
    ELSEIF ERRNO = ERR_OUTSIDE_REACH THEN
      calculationResult := -2;
      SkipWarn;
      TRYNEXT;
    ELSEIF ERRNO = ERR_SOCK_TIMEOUT OR ERRNO = ERR_SOCK_CLOSED THEN
      SkipWarn;
      SocketClose client_socket;
      SocketClose server_socket;
      TRYNEXT;
    ENDIF
  endproc

  LOCAL PROC CheckTarget()
    VAR jointtarget jointDataResult;
    calculationResult := 0;
    jointDataResult := CalcJointT([[5000,0,0],[1,0,0,0],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]], tool0 \WObj := wobj0);
    calculationResult := 1;
  ENDPROC

  PROC UpdateToolState()
    IF toolAct THEN
      IF DOutput(pinzaOutput1) <> 0 SetDO pinzaOutput1, 0;
      IF DOutput(pinzaOutput0) <> 1 SetDO pinzaOutput0, 1;
    ELSE
      IF DOutput(pinzaOutput1) <> 1 SetDO pinzaOutput1, 1;
      IF DOutput(pinzaOutput0) <> 0 SetDO pinzaOutput0, 0;
    ENDIF
  ENDPROC
ENDMODULE
"""


def test_a_main_that_serves_one_connection_is_started_again_by_the_cycle(tmp_path: Path):
    wires = ProgramWires()
    bench = AbbBench(tmp_path, wires)
    bench.load(SERVES_ONE)
    bench.start("forever")

    def ask(data: bytes) -> bytes:
        bench.tick_until(lambda: wires.listens(5000), 5.0)
        end = wires.connect(5000)
        end.send(data)
        bench.tick_until(lambda: end.closed_by_robot, 20.0)
        return bytes(end.came)

    assert ask(b"YT") == b"success"
    assert [bench.brain.signals.read(f"pinzaOutput{one}") for one in (0, 1)] == [1.0, 0.0]
    assert ask(b"YF") == b"success"
    assert ask(b"A11[10,10,20,0,60,0]") == b"success"
    assert np.degrees(bench.unit.arm.plant.q[0]) == pytest.approx(10.0, abs=0.01)
    assert ask(b"A11[10,10,20,0,60") == b"error"
    # TRYNEXT in main continues behind the whole call of CheckTarget.
    assert ask(b"XC") == b"in reach"
    assert bench.read("calculationResult") == "-2"
    # Without an answer for what is unknown, and a client that leaves without a word.
    assert ask(b"??") == b""
    bench.tick_until(lambda: wires.listens(5000))
    gone = wires.connect(5000)
    gone.close()
    # Who came now would wait at a server that is about to close.
    bench.tick_until(lambda: gone.closed_by_robot)
    assert ask(b"YT") == b"success"
    assert bench.errors == []
    bench.tick_until(lambda: wires.listens(5000))
    # Variables keep their values from cycle to cycle; PP to Main gives them their first ones.
    assert (bench.read("rounds"), bench.read("served")) == ("9", "8")
    bench.brain.program.stop()
    bench.brain.reset_pointers()
    assert bench.read("served") == "0"


RIGHT = r"""
MODULE Module1
  PERS num rightHandNum{3} := [0,0,0];
  PERS bool leftHandOn := FALSE;
  PERS bool leftHome := FALSE;
  PERS string modeSelect := "PLAY";
  PERS num absolutePosition{7} := [6,6,6,6,6,6,6];
  VAR jointtarget rotJ1_R := [[0,-130,30,0,40,0],[-135,9E9,9E9,9E9,9E9,9E9]];
  VAR iodev logfile;
  PERS string seen{3} := ["","",""];
  PROC main()
    MoveAbsJ rotJ1_R \NoEOffs, v1000 \T := 3, z100, tool0 \WObj := wobj0;
    Open "HOME:test.csv", logfile \Append;
    Write logfile, "01,L," \NoNewLine;
    Write logfile, NumToStr(-152.89, 2) + "," + NumToStr(40.27, 2);
    Close logfile;
    Open "HOME:test.csv", logfile \Read;
    seen{1} := ReadStr(logfile \Delim := ",");
    seen{2} := ReadStr(logfile \Delim := ",");
    seen{3} := ReadStr(logfile \Delim := ",");
    Close logfile;
    FOR i FROM 1 TO 3 DO
      rightHandNum{1} := 10 * i;
      leftHandOn := TRUE;
      ! a busy loop without a wait
      WHILE leftHandOn = TRUE DO
      ENDWHILE
    ENDFOR
    leftHome := TRUE;
    WHILE leftHome DO
    ENDWHILE
    modeSelect := "DONE";
  ENDPROC
ENDMODULE
"""
LEFT = r"""
MODULE Module1
  PERS num rightHandNum{3};
  PERS bool leftHandOn;
  PERS bool leftHome;
  PERS string modeSelect;
  PERS num moves := 0;
  VAR robtarget initialTarget;
  VAR jointtarget rotJ1_L := [[0,-130,30,0,40,0],[135,9E9,9E9,9E9,9E9,9E9]];
  PROC main()
    MoveAbsJ rotJ1_L \NoEOffs, v1000 \T := 3, fine, tool0 \WObj := wobj0;
    initialTarget := CRobT(\Tool := tool0 \WObj := wobj0);
    WHILE modeSelect = "PLAY" DO
      MoveLeftArm;
    ENDWHILE
  ENDPROC
  PROC MoveLeftArm()
    IF leftHome = TRUE THEN
      MoveAbsJ rotJ1_L \NoEOffs, v1000 \T := 3, z100, tool0 \WObj := wobj0;
      leftHome := FALSE;
    ELSEIF leftHandOn = TRUE THEN
      moves := moves + 1;
      MoveJ RelTool(initialTarget, 0, 0, rightHandNum{1}), v1000, z30, tool0;
      leftHandOn := FALSE;
    ENDIF
  ENDPROC
ENDMODULE
"""


def test_two_tasks_wait_for_each_other_in_busy_loops(tmp_path: Path):
    bench = YumiBench(tmp_path)
    for task, text in (("T_ROB_R", RIGHT), ("T_ROB_L", LEFT)):
        bench.brain.program.load(task, text, "Module1.mod", replace=True)
    bench.start()
    took = bench.tick_until(lambda: not bench.brain.program.running, 30.0)
    assert bench.errors == []
    assert bench.brain.program.read(("T_ROB_L", "moves")) == "3"
    assert took < 10.0
    assert bench.brain.program.value(("T_ROB_R", "seen")) == ["01", "L", "-152.89"]
    bench.tick_until(lambda: bench.left.in_position, 5.0)
    assert np.degrees(bench.left.arm.plant.q) == pytest.approx([0, -130, 30, 0, 40, 0, 135], abs=0.05)
