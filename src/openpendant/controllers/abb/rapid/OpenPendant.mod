MODULE OpenPendant
  ! OpenPendant in a motion task: guides the arm, or runs a program that was loaded beside this module.
  ! The same text is for every motion task of a controller (T_ROB1, or T_ROB_L and T_ROB_R).
  ! RobotWare 6; guided motion needs option 689-1 Externally Guided Motion.

  ! Shared with the task of OpenPendantServer. A driver writes them before it starts the programs.
  PERS num op_session := 0;
  PERS num op_heard := 0;
  PERS num op_order{2} := [0,0];
  PERS num op_done{2} := [0,0];
  PERS num op_speed := 500;
  PERS string op_tasks{2} := ["",""];

  ! A question to a motion task: which arm, for what, and the answer.
  PERS num op_ask := 0;
  PERS num op_answered := 0;
  PERS num op_error := 0;
  PERS robtarget op_question := [[0,0,0],[1,0,0,0],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]];
  PERS jointtarget op_answer := [[0,0,0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]];

  LOCAL CONST num GUIDE := 1;
  LOCAL CONST num JOB := 2;
  LOCAL VAR egmident egm;
  LOCAL VAR intnum asked;
  LOCAL VAR num arm;

  PROC main()
    arm := 1;
    IF op_tasks{2} = GetTaskName() THEN
      arm := 2;
    ENDIF
    op_done{arm} := 0;
    CONNECT asked WITH check;
    IPers op_ask, asked;
    ! Nothing moves before the driver that has started this is heard.
    WaitUntil op_session > 0 AND op_heard = op_session;
    TEST op_order{arm}
    CASE GUIDE:
      WHILE TRUE DO
        guide_arm;
      ENDWHILE
    CASE JOB:
      %"op_job"%;
      WaitRob \InPos;
      op_done{arm} := op_session;
    ENDTEST
    ! The tasks run on until the driver stops them: checks are answered meanwhile.
    WHILE TRUE DO
      WaitTime 1;
    ENDWHILE
  ENDPROC

  ! Follow the driver until it is silent for 0.4 s; then the arm brakes.
  LOCAL PROC guide_arm()
    VAR jointtarget here;
    EGMGetId egm;
    EGMSetupUC ROB_ID, egm, "default", device_name() \Joint \CommTimeout:=0.4;
    EGMActJoint egm \LpFilter:=100 \SampleRate:=4 \MaxSpeedDeviation:=op_speed;
    here := CJointT();
    IF here.extax.eax_a < 8E9 THEN
      EGMRunJoint egm, EGM_STOP_HOLD \J1 \J2 \J3 \J4 \J5 \J6 \J7 \CondTime:=1E6 \RampInTime:=0.05;
    ELSE
      EGMRunJoint egm, EGM_STOP_HOLD \J1 \J2 \J3 \J4 \J5 \J6 \CondTime:=1E6 \RampInTime:=0.05;
    ENDIF
    EGMReset egm;
  ERROR
    IF ERRNO = ERR_UDPUC_COMM THEN
      SkipWarn;
      EGMReset egm;
      WaitTime 0.1;
      RETURN;
    ENDIF
    RAISE;
  ENDPROC

  ! Of the configuration: Communication, Transmission Protocol, type UDPUC.
  LOCAL FUNC string device_name()
    IF arm = 2 THEN
      RETURN "OpenPendant2:";
    ENDIF
    RETURN "OpenPendant1:";
  ENDFUNC

  ! Answer where the joints would be for a robtarget of tool0 in wobj0.
  LOCAL TRAP check
    IF op_ask <> arm THEN
      RETURN;
    ENDIF
    op_error := 0;
    op_answer := CalcJointT(op_question, tool0 \WObj:=wobj0);
    op_answered := op_ask;
  ERROR
    op_error := 1;
    IF ERRNO = ERR_ROBLIMIT THEN
      op_error := 2;
    ENDIF
    SkipWarn;
    op_answered := op_ask;
    RETURN;
  ENDTRAP
ENDMODULE
