MODULE MotionProgramLog
  ! Writes the log file of MotionProgram: time in s, command, joints in degrees. Task: one in the background.
  CONST string RAM:="RAMDISK:";
  CONST num FILE_VERSION:=10011;
  CONST num PERIOD:=0.004;

  ! Shared with MotionProgram.
  PERS num mpLogOrder:=0;
  PERS bool mpLogAlive:=FALSE;
  PERS bool mpLogOpen:=FALSE;
  PERS string mpTimestamp:="";

  VAR iodev log;
  VAR rawbytes line;
  VAR num lineAt;
  VAR clock running;

  PROC main()
    VAR bool both;
    VAR string name;
    ! An order from before the last stop is none.
    WHILE mpLogOrder<>0 DO
      WaitTime PERIOD;
    ENDWHILE
    WHILE mpLogOrder=0 DO
      mpLogAlive:=TRUE;
      WaitTime PERIOD;
    ENDWHILE
    both:=HasArm("T_ROB2");
    name:="log-"+mpTimestamp+".bin";
    Open RAM+"/"+name,log\Write\Bin;
    ErrWrite\I,"Motion program log file opened",name;
    WriteHeader both;
    ClkReset running;
    ClkStart running;
    SetDO motion_program_log_motion,1;
    mpLogOpen:=TRUE;
    WHILE mpLogOrder<>0 DO
      WriteLine both;
      WaitTime PERIOD;
    ENDWHILE
    SetDO motion_program_log_motion,0;
    Close log;
    ErrWrite\I,"Motion program log file closed",name;
    mpLogOpen:=FALSE;
  ENDPROC

  FUNC bool HasArm(string task)
    VAR jointtarget joints;
    joints:=CJointT(\TaskName:=task);
    RETURN TRUE;
  ERROR
    SkipWarn;
    RETURN FALSE;
  ENDFUNC

  PROC WriteHeader(bool both)
    VAR string columns;
    columns:="timestamp,cmdnum,J1,J2,J3,J4,J5,J6";
    IF HasSeven("T_ROB1") columns:=columns+",J7";
    IF both THEN
      columns:=columns+",J1_2,J2_2,J3_2,J4_2,J5_2,J6_2";
      IF HasSeven("T_ROB2") columns:=columns+",J7_2";
    ENDIF
    BeginLine;
    AddValue FILE_VERSION;
    AddText mpTimestamp;
    AddText columns;
    WriteRawBytes log,line;
  ENDPROC

  PROC WriteLine(bool both)
    BeginLine;
    AddValue ClkRead(running\HighRes);
    AddValue AOutput(motion_program_current_cmd_num);
    AddJoints CJointT(\TaskName:="T_ROB1");
    IF both AddJoints CJointT(\TaskName:="T_ROB2");
    WriteRawBytes log,line;
  ENDPROC

  FUNC bool HasSeven(string task)
    VAR jointtarget joints;
    joints:=CJointT(\TaskName:=task);
    RETURN joints.extax.eax_a<8E9;
  ENDFUNC

  PROC BeginLine()
    ClearRawBytes line;
    lineAt:=1;
  ENDPROC

  PROC AddValue(num value)
    PackRawBytes value,line,lineAt\Float4;
    lineAt:=lineAt+4;
  ENDPROC

  PROC AddText(string text)
    AddValue StrLen(text);
    PackRawBytes text,line,lineAt\ASCII;
    lineAt:=lineAt+StrLen(text);
  ENDPROC

  PROC AddJoints(jointtarget joints)
    AddValue joints.robax.rax_1;
    AddValue joints.robax.rax_2;
    AddValue joints.robax.rax_3;
    AddValue joints.robax.rax_4;
    AddValue joints.robax.rax_5;
    AddValue joints.robax.rax_6;
    IF joints.extax.eax_a<8E9 AddValue joints.extax.eax_a;
  ENDPROC
ENDMODULE
