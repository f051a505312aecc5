MODULE MotionProgram
  ! Executes motion_program.bin (version 10011) of the RAM disk. Task: every one that moves an arm: T_ROB1, T_ROB2.
  ! T_ROB1 executes motion_program.bin, T_ROB2 motion_program2.bin. MotionProgramLog keeps the log file.
  ! Two arms need MotionProgramSync too, in both tasks; guided motion (EGM) needs MotionProgramGuided, likewise.

  CONST string RAM:="RAMDISK:";
  CONST string FIRST_TASK:="T_ROB1";
  CONST num FILE_VERSION:=10011;
  CONST num QUEUE:=32;

  ! Shared with MotionProgramLog.
  PERS num mpLogOrder:=0;
  PERS bool mpLogAlive:=FALSE;
  PERS bool mpLogOpen:=FALSE;
  PERS string mpTimestamp:="";

  TASK PERS tooldata mpTool:=[TRUE,[[0,0,0],[1,0,0,0]],[0.001,[0,0,0.001],[1,0,0,0],0,0,0]];
  TASK PERS wobjdata mpWobj:=[FALSE,TRUE,"",[[0,0,0],[1,0,0,0]],[[0,0,0],[1,0,0,0]]];
  TASK PERS loaddata mpLoad:=[0.001,[0,0,0.001],[1,0,0,0],0,0,0];

  VAR iodev file;
  VAR rawbytes block;
  VAR num blockAt:=1;
  VAR bool first;
  VAR bool synchronised;
  VAR bool guided;
  VAR num command;
  VAR num preempted;
  ! Commands whose moves have been asked for, in the order in which they will begin.
  VAR num coming{QUEUE};
  VAR num comingFirst;
  VAR num comingLast;
  VAR intnum beginning;
  VAR triggdata atBeginning;

  PROC main()
    VAR string reason;
    first:=GetTaskName()=FIRST_TASK;
    synchronised:=FALSE;
    guided:=FALSE;
    command:=0;
    preempted:=0;
    comingFirst:=1;
    comingLast:=1;
    IF first THEN
      mpLogOrder:=0;
      mpLogAlive:=FALSE;
      SetAO motion_program_preempt,0;
      SetAO motion_program_preempt_current,0;
      SetAO motion_program_preempt_cmd_num,-1;
      SetAO motion_program_current_cmd_num,-1;
      SetAO motion_program_queued_cmd_num,-1;
    ENDIF
    CONNECT beginning WITH CommandBegins;
    TriggInt atBeginning,0\Start,beginning;
    OpenFile "";
    IF first StartLog;
    WHILE NextCommand() DO
      Execute;
      Preempt;
    ENDWHILE
    Close file;
    WaitRob\InPos;
    IF guided %"MpGuidedEnd"%;
    IDelete beginning;
    IF first EndLog;
  ERROR
    TEST ERRNO
    CASE ERR_FILEACC:
      reason:="file is not there";
    CASE ERR_RANYBIN_EOF,ERR_OUTOFBND:
      reason:="file ends within a command";
    CASE ERR_ARGVALERR:
      reason:="command or value is not known";
    CASE ERR_WAIT_MAXTIME:
      reason:="MotionProgramLog does not run";
    CASE ERR_REFUNKPRC:
      reason:="module for this command is not loaded";
    DEFAULT:
      reason:="error "+NumToStr(ERRNO,0);
    ENDTEST
    Fail reason;
  ENDPROC

  ! What a client looks for in the event log; all tasks stop.
  PROC Fail(string reason)
    VAR string cmd;
    cmd:="command "+NumToStr(command,0);
    ErrWrite "Motion program failed",reason\RL2:=GetTaskName()\RL3:=cmd\RL4:="version "+NumToStr(FILE_VERSION,0);
    mpLogOrder:=0;
    Stop;
  ENDPROC

  ! Log

  PROC StartLog()
    WaitUntil mpLogAlive\MaxTime:=5;
    mpLogOpen:=FALSE;
    mpLogOrder:=1;
    WaitUntil mpLogOpen\MaxTime:=5;
  ERROR
    RAISE;
  ENDPROC

  PROC EndLog()
    mpLogOrder:=0;
    WaitUntil NOT mpLogOpen\MaxTime:=5;
  ERROR
    RAISE;
  ENDPROC

  ! File

  PROC OpenFile(string ending)
    VAR string name;
    name:=RAM+"/motion_program";
    IF NOT first name:=name+StrPart(GetTaskName(),StrLen(GetTaskName()),1);
    Open name+ending+".bin",file\Read\Bin;
    ClearRawBytes block;
    blockAt:=1;
    ReadHeader;
  ERROR
    RAISE;
  ENDPROC

  PROC ReadHeader()
    VAR string timestamp;
    VAR string unit;
    VAR num sequence;
    IF ReadValue()<>FILE_VERSION RAISE ERR_ARGVALERR;
    mpTool.robhold:=ReadValue()<>0;
    mpTool.tframe:=ReadPose();
    mpTool.tload:=ReadLoad();
    mpWobj.robhold:=ReadValue()<>0;
    mpWobj.ufprog:=ReadValue()<>0;
    ReadText unit;
    mpWobj.ufmec:=unit;
    mpWobj.uframe:=ReadPose();
    mpWobj.oframe:=ReadPose();
    mpLoad:=ReadLoad();
    GripLoad mpLoad;
    ReadText timestamp;
    IF first mpTimestamp:=timestamp;
    sequence:=ReadValue();
    BeginGuidance ReadValue();
  ERROR
    RAISE;
  ENDPROC

  ! By name: without option 689-1 there is no MotionProgramGuided, and programs of kind 0 do not need it.
  PROC BeginGuidance(num kind)
    guided:=FALSE;
    %"MpGuidedBegin"% kind;
    guided:=TRUE;
  ERROR
    IF ERRNO=ERR_REFUNKPRC AND kind=0 THEN
      SkipWarn;
      RETURN;
    ENDIF
    RAISE;
  ENDPROC

  ! A block has 1024 bytes, a value 4: none is cut by the end of a block.
  FUNC num ReadValue()
    VAR num value;
    IF blockAt>RawBytesLen(block) THEN
      ReadRawBytes file,block;
      blockAt:=1;
    ENDIF
    UnpackRawBytes block,blockAt,value\Float4;
    blockAt:=blockAt+4;
    RETURN value;
  ERROR
    RAISE;
  ENDFUNC

  ! A length, and 32 characters.
  PROC ReadText(INOUT string text)
    VAR num length;
    VAR string part;
    length:=ReadValue();
    text:="";
    FOR i FROM 1 TO 8 DO
      IF blockAt>RawBytesLen(block) THEN
        ReadRawBytes file,block;
        blockAt:=1;
      ENDIF
      UnpackRawBytes block,blockAt,part\ASCII:=4;
      blockAt:=blockAt+4;
      text:=text+part;
    ENDFOR
    IF length<0 OR length>32 RAISE ERR_ARGVALERR;
    text:=StrPart(text,1,length);
  ERROR
    RAISE;
  ENDPROC

  FUNC pose ReadPose()
    VAR pose value;
    value.trans.x:=ReadValue();
    value.trans.y:=ReadValue();
    value.trans.z:=ReadValue();
    value.rot.q1:=ReadValue();
    value.rot.q2:=ReadValue();
    value.rot.q3:=ReadValue();
    value.rot.q4:=ReadValue();
    ! Numbers of 32 bits are not exactly of length 1.
    value.rot:=NOrient(value.rot);
    RETURN value;
  ERROR
    RAISE;
  ENDFUNC

  FUNC loaddata ReadLoad()
    VAR loaddata value;
    value.mass:=ReadValue();
    value.cog.x:=ReadValue();
    value.cog.y:=ReadValue();
    value.cog.z:=ReadValue();
    value.aom.q1:=ReadValue();
    value.aom.q2:=ReadValue();
    value.aom.q3:=ReadValue();
    value.aom.q4:=ReadValue();
    value.ix:=ReadValue();
    value.iy:=ReadValue();
    value.iz:=ReadValue();
    RETURN value;
  ERROR
    RAISE;
  ENDFUNC

  FUNC robtarget ReadTarget()
    VAR robtarget value;
    VAR pose place;
    place:=ReadPose();
    value.trans:=place.trans;
    value.rot:=place.rot;
    value.robconf.cf1:=ReadValue();
    value.robconf.cf4:=ReadValue();
    value.robconf.cf6:=ReadValue();
    value.robconf.cfx:=ReadValue();
    value.extax:=ReadExternal();
    RETURN value;
  ERROR
    RAISE;
  ENDFUNC

  FUNC jointtarget ReadJoints()
    VAR jointtarget value;
    value.robax.rax_1:=ReadValue();
    value.robax.rax_2:=ReadValue();
    value.robax.rax_3:=ReadValue();
    value.robax.rax_4:=ReadValue();
    value.robax.rax_5:=ReadValue();
    value.robax.rax_6:=ReadValue();
    value.extax:=ReadExternal();
    RETURN value;
  ERROR
    RAISE;
  ENDFUNC

  FUNC extjoint ReadExternal()
    VAR extjoint value;
    value.eax_a:=ReadValue();
    value.eax_b:=ReadValue();
    value.eax_c:=ReadValue();
    value.eax_d:=ReadValue();
    value.eax_e:=ReadValue();
    value.eax_f:=ReadValue();
    RETURN value;
  ERROR
    RAISE;
  ENDFUNC

  FUNC speeddata ReadSpeed()
    VAR speeddata value;
    value.v_tcp:=ReadValue();
    value.v_ori:=ReadValue();
    value.v_leax:=ReadValue();
    value.v_reax:=ReadValue();
    RETURN value;
  ERROR
    RAISE;
  ENDFUNC

  FUNC zonedata ReadZone()
    VAR zonedata value;
    value.finep:=ReadValue()<>0;
    value.pzone_tcp:=ReadValue();
    value.pzone_ori:=ReadValue();
    value.pzone_eax:=ReadValue();
    value.zone_ori:=ReadValue();
    value.zone_leax:=ReadValue();
    value.zone_reax:=ReadValue();
    RETURN value;
  ERROR
    RAISE;
  ENDFUNC

  ! Commands

  ! FALSE: there are no more.
  FUNC bool NextCommand()
    IF blockAt>RawBytesLen(block) THEN
      ReadRawBytes file,block;
      blockAt:=1;
    ENDIF
    command:=ReadValue();
    IF first SetAO motion_program_queued_cmd_num,command;
    RETURN TRUE;
  ERROR
    IF ERRNO=ERR_RANYBIN_EOF THEN
      SkipWarn;
      RETURN FALSE;
    ENDIF
    RAISE;
  ENDFUNC

  ! Continues with another file behind the command that a client has named.
  PROC Preempt()
    VAR num wanted;
    wanted:=AOutput(motion_program_preempt);
    IF wanted<=preempted OR command<>AOutput(motion_program_preempt_cmd_num) RETURN;
    Close file;
    OpenFile "_p"+NumToStr(wanted,0);
    preempted:=wanted;
    IF first SetAO motion_program_preempt_current,wanted;
  ERROR
    RAISE;
  ENDPROC

  PROC Execute()
    VAR num code;
    code:=ReadValue();
    TEST code
    CASE 1:
      DoMoveAbsJ;
    CASE 2:
      DoMoveJ;
    CASE 3:
      DoMoveL;
    CASE 4:
      DoMoveC;
    CASE 5:
      WaitTime\InPos,ReadValue();
    CASE 6:
      DoCirPathMode ReadValue();
    CASE 7:
      ! By name: with a single arm there is no MotionProgramSync.
      %"MpSyncBegin"%;
      synchronised:=TRUE;
    CASE 8:
      %"MpSyncEnd"%;
      synchronised:=FALSE;
    CASE 50001,50002,50003,50004:
      %"MpGuidedMove"% code;
    DEFAULT:
      RAISE ERR_ARGVALERR;
    ENDTEST
  ERROR
    RAISE;
  ENDPROC

  PROC DoMoveAbsJ()
    VAR jointtarget joints;
    VAR speeddata speed;
    VAR zonedata zone;
    joints:=ReadJoints();
    speed:=ReadSpeed();
    zone:=ReadZone();
    Announce;
    IF synchronised THEN
      TriggAbsJ joints\ID:=command,speed,atBeginning,zone,mpTool\WObj:=mpWobj;
    ELSE
      TriggAbsJ joints,speed,atBeginning,zone,mpTool\WObj:=mpWobj;
    ENDIF
  ERROR
    RAISE;
  ENDPROC

  PROC DoMoveJ()
    VAR robtarget target;
    VAR speeddata speed;
    VAR zonedata zone;
    target:=ReadTarget();
    speed:=ReadSpeed();
    zone:=ReadZone();
    Announce;
    IF synchronised THEN
      TriggJ target\ID:=command,speed,atBeginning,zone,mpTool\WObj:=mpWobj;
    ELSE
      TriggJ target,speed,atBeginning,zone,mpTool\WObj:=mpWobj;
    ENDIF
  ERROR
    RAISE;
  ENDPROC

  PROC DoMoveL()
    VAR robtarget target;
    VAR speeddata speed;
    VAR zonedata zone;
    target:=ReadTarget();
    speed:=ReadSpeed();
    zone:=ReadZone();
    Announce;
    IF synchronised THEN
      TriggL target\ID:=command,speed,atBeginning,zone,mpTool\WObj:=mpWobj;
    ELSE
      TriggL target,speed,atBeginning,zone,mpTool\WObj:=mpWobj;
    ENDIF
  ERROR
    RAISE;
  ENDPROC

  PROC DoMoveC()
    VAR robtarget via;
    VAR robtarget target;
    VAR speeddata speed;
    VAR zonedata zone;
    via:=ReadTarget();
    target:=ReadTarget();
    speed:=ReadSpeed();
    zone:=ReadZone();
    Announce;
    IF synchronised THEN
      TriggC via,target\ID:=command,speed,atBeginning,zone,mpTool\WObj:=mpWobj;
    ELSE
      TriggC via,target,speed,atBeginning,zone,mpTool\WObj:=mpWobj;
    ENDIF
  ERROR
    RAISE;
  ENDPROC

  PROC DoCirPathMode(num mode)
    TEST mode
    CASE 1:
      CirPathMode\PathFrame;
    CASE 2:
      CirPathMode\ObjectFrame;
    CASE 3:
      CirPathMode\CirPointOri;
    CASE 4:
      CirPathMode\Wrist45;
    CASE 5:
      CirPathMode\Wrist46;
    CASE 6:
      CirPathMode\Wrist56;
    DEFAULT:
      RAISE ERR_ARGVALERR;
    ENDTEST
  ERROR
    RAISE;
  ENDPROC

  ! The command of a move that will begin after those asked for before it.
  PROC Announce()
    coming{comingLast}:=command;
    comingLast:=comingLast MOD QUEUE+1;
  ENDPROC

  TRAP CommandBegins
    IF comingFirst<>comingLast THEN
      IF first SetAO motion_program_current_cmd_num,coming{comingFirst};
      comingFirst:=comingFirst MOD QUEUE+1;
    ENDIF
  ENDTRAP
ENDMODULE
