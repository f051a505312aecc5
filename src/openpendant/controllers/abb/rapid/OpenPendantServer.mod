MODULE OpenPendantServer
  ! OpenPendant in a task of its own, which moves nothing: it hears the driver, and stops the arms when it does not.
  ! RobotWare 6 with options 616-1 PC Interface and 623-1 Multitasking.
  !
  ! Requests have 64 bytes, replies 80; numbers are big-endian. Each request gets one reply.
  !   1  "OP", and the kind: B beat, Q query, S stop, P pause, R resume, O output, C check, T tool's pose
  !   4  version "1"
  !   5  number of the request (UDINT)
  !   9  14 numbers (Float4)
  ! Replies: as above, then
  !   9  clock, seconds, 0 to 1000 (Float4)
  !  13  inputs, 17 outputs: a bit each (UDINT)
  !  21  flags (UDINT): 1 heard, 2 stopped, 4 the first arm's program is done, 8 the second's, 16 this is the answer
  !  25  14 numbers (Float4): joints of two arms, degrees; or the answer

  PERS num op_session := 0;
  PERS num op_heard := 0;
  PERS num op_order{2} := [0,0];
  PERS num op_done{2} := [0,0];
  PERS num op_speed := 500;
  PERS string op_tasks{2} := ["",""];
  PERS string op_address := "";
  PERS num op_ask := 0;
  PERS num op_answered := 0;
  PERS num op_error := 0;
  PERS robtarget op_question := [[0,0,0],[1,0,0,0],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]];
  PERS jointtarget op_answer := [[0,0,0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]];

  LOCAL CONST num PORT := 6520;
  LOCAL CONST num REQUEST_BYTES := 64;
  ! A driver that is silent for this time, or that knows nothing newer, is lost.
  LOCAL CONST num LATE_S := 0.4;
  LOCAL CONST num CLOCK_S := 1000;
  LOCAL VAR socketdev door;
  LOCAL VAR socketdev line;
  LOCAL VAR rawbytes request;
  LOCAL VAR rawbytes reply;
  LOCAL VAR clock watch;
  LOCAL VAR num beat_s := 0;
  LOCAL VAR bool beating := FALSE;
  LOCAL VAR bool stopped := FALSE;
  LOCAL VAR bool connected := FALSE;
  LOCAL VAR bool answered := FALSE;
  LOCAL VAR num given{14};

  PROC main()
    op_heard := 0;
    ClkReset watch;
    ClkStart watch;
    SocketClose line;
    SocketClose door;
    SocketCreate door;
    IF op_address = "" THEN
      op_address := GetSysInfo(\LanIp);
    ENDIF
    SocketBind door, op_address, PORT;
    SocketListen door;
    WHILE TRUE DO
      serve_driver;
    ENDWHILE
  ENDPROC

  ! Serve one driver until it leaves, or is not heard any more.
  LOCAL PROC serve_driver()
    connected := FALSE;
    SocketClose line;
    SocketAccept door, line \Time:=WAIT_MAX;
    connected := TRUE;
    beating := FALSE;
    beat_s := now_s();
    WHILE connected DO
      receive_request;
      answer_request;
    ENDWHILE
    lose_driver;
  ERROR
    SkipWarn;
    lose_driver;
    RETURN;
  ENDPROC

  LOCAL PROC receive_request()
    VAR num left_s;
    left_s := LATE_S - age_of(beat_s);
    IF left_s < 0.004 THEN
      left_s := 0.004;
    ENDIF
    ClearRawBytes request;
    SocketReceive line \RawData:=request \ReadNoOfBytes:=REQUEST_BYTES \Time:=left_s;
  ERROR
    RAISE;
  ENDPROC

  ! Nobody leads the arms any more: stop them, and the programs that move them.
  LOCAL PROC lose_driver()
    IF connected THEN
      SocketClose line;
    ENDIF
    connected := FALSE;
    IF op_heard <> 0 THEN
      op_heard := 0;
      beating := FALSE;
      StopMove \Quick \AllMotionTasks;
      Stop \AllMoveTasks;
    ENDIF
  ENDPROC

  LOCAL PROC answer_request()
    VAR string head;
    VAR string kind;
    VAR num number;
    UnpackRawBytes request, 1, head \ASCII:=2;
    UnpackRawBytes request, 3, kind \ASCII:=1;
    UnpackRawBytes request \Network, 5, number \IntX:=UDINT;
    FOR i FROM 1 TO 14 DO
      UnpackRawBytes request \Network, 5 + 4 * i, given{i} \Float4;
    ENDFOR
    IF head <> "OP" THEN
      connected := FALSE;
      RETURN;
    ENDIF
    answered := FALSE;
    TEST kind
    CASE "B":
      hear_beat;
    CASE "Q":
      ! The state is the answer.
    CASE "S":
      stop_arms;
    CASE "P":
      StopMove \AllMotionTasks;
      stopped := TRUE;
    CASE "R":
      IF op_heard <> 0 THEN
        StartMove \AllMotionTasks;
        stopped := FALSE;
      ENDIF
    CASE "O":
      set_output given{1}, given{2};
    CASE "C":
      check_target;
    CASE "T":
      answered := TRUE;
    DEFAULT:
      connected := FALSE;
      RETURN;
    ENDTEST
    send_reply kind, number;
    IF age_of(beat_s) > LATE_S THEN
      connected := FALSE;
    ENDIF
  ERROR
    RAISE;
  ENDPROC

  ! A beat names the session that its driver has started, and the newest clock that it has seen.
  LOCAL PROC hear_beat()
    IF given{1} <> op_session OR op_session = 0 THEN
      connected := FALSE;
      RETURN;
    ENDIF
    IF NOT beating THEN
      beating := TRUE;
      beat_s := now_s();
    ELSEIF given{2} >= 0 THEN
      ! What it answers may be long ago.
      beat_s := given{2};
    ENDIF
    op_heard := op_session;
  ENDPROC

  LOCAL PROC stop_arms()
    IF given{1} > 0 THEN
      StopMove \Quick \AllMotionTasks;
    ELSE
      StopMove \AllMotionTasks;
    ENDIF
    stopped := TRUE;
  ENDPROC

  ! Ask a motion task: the arm, and a robtarget of tool0 in wobj0.
  LOCAL PROC check_target()
    VAR num arm;
    arm := given{1};
    op_question.trans := [given{2},given{3},given{4}];
    op_question.rot := [given{5},given{6},given{7},given{8}];
    op_question.robconf := [given{9},given{10},given{11},given{12}];
    op_question.extax := [given{13},9E9,9E9,9E9,9E9,9E9];
    op_answered := 0;
    op_ask := 0;
    op_ask := arm;
    WaitUntil op_answered = arm \MaxTime:=0.2;
    answered := TRUE;
  ERROR
    IF ERRNO = ERR_WAIT_MAXTIME THEN
      op_error := 3;
      answered := TRUE;
      RETURN;
    ENDIF
    RAISE;
  ENDPROC

  LOCAL PROC send_reply(string kind, num number)
    VAR num flags := 0;
    ClearRawBytes reply;
    PackRawBytes "OP" + kind + "1", reply, 1 \ASCII;
    PackRawBytes number, reply \Network, 5 \IntX:=UDINT;
    pack_number now_s();
    PackRawBytes read_inputs(), reply \Network, 13 \IntX:=UDINT;
    PackRawBytes read_outputs(), reply \Network, 17 \IntX:=UDINT;
    IF op_heard <> 0 flags := flags + 1;
    IF stopped flags := flags + 2;
    IF op_done{1} = op_session flags := flags + 4;
    IF op_done{2} = op_session flags := flags + 8;
    IF answered flags := flags + 16;
    PackRawBytes flags, reply \Network, 21 \IntX:=UDINT;
    IF kind = "C" THEN
      pack_number op_error;
      pack_joints op_answer;
      pack_zeros 6;
    ELSEIF kind = "T" THEN
      pack_pose given{1};
    ELSE
      pack_arm 1;
      pack_arm 2;
    ENDIF
    SocketSend line \RawData:=reply;
  ERROR
    RAISE;
  ENDPROC

  LOCAL PROC pack_arm(num arm)
    IF op_tasks{arm} = "" THEN
      pack_zeros 7;
    ELSE
      pack_joints CJointT(\TaskName:=op_tasks{arm});
    ENDIF
  ENDPROC

  LOCAL PROC pack_joints(jointtarget at)
    pack_number at.robax.rax_1;
    pack_number at.robax.rax_2;
    pack_number at.robax.rax_3;
    pack_number at.robax.rax_4;
    pack_number at.robax.rax_5;
    pack_number at.robax.rax_6;
    IF at.extax.eax_a < 8E9 THEN
      pack_number at.extax.eax_a;
    ELSE
      pack_number 0;
    ENDIF
  ENDPROC

  ! Where tool0 is in wobj0: millimetres, quaternion, confdata, arm angle.
  LOCAL PROC pack_pose(num arm)
    VAR robtarget at;
    at := CRobT(\TaskName:=op_tasks{arm} \Tool:=tool0 \WObj:=wobj0);
    pack_number at.trans.x;
    pack_number at.trans.y;
    pack_number at.trans.z;
    pack_number at.rot.q1;
    pack_number at.rot.q2;
    pack_number at.rot.q3;
    pack_number at.rot.q4;
    pack_number at.robconf.cf1;
    pack_number at.robconf.cf4;
    pack_number at.robconf.cf6;
    pack_number at.robconf.cfx;
    pack_number at.extax.eax_a;
    pack_zeros 2;
  ERROR
    RAISE;
  ENDPROC

  LOCAL PROC pack_zeros(num count)
    FOR i FROM 1 TO count DO
      pack_number 0;
    ENDFOR
  ENDPROC

  LOCAL PROC pack_number(num value)
    PackRawBytes value, reply \Network, RawBytesLen(reply) + 1 \Float4;
  ENDPROC

  LOCAL FUNC num now_s()
    VAR num seconds;
    seconds := ClkRead(watch \HighRes);
    IF seconds >= CLOCK_S THEN
      ClkReset watch;
      ClkStart watch;
      RETURN 0;
    ENDIF
    RETURN seconds;
  ENDFUNC

  ! How long ago a moment of the clock was, which begins again after CLOCK_S.
  LOCAL FUNC num age_of(num moment_s)
    VAR num age_s;
    age_s := now_s() - moment_s;
    IF age_s < -1 THEN
      RETURN age_s + CLOCK_S;
    ENDIF
    RETURN age_s;
  ENDFUNC
  ! Signals of the cell: a driver loads this module with those that are wired.
  LOCAL PROC set_output(num number, num value)
  ENDPROC

  LOCAL FUNC num read_inputs()
    RETURN 0;
  ENDFUNC

  LOCAL FUNC num read_outputs()
    RETURN 0;
  ENDFUNC
ENDMODULE
