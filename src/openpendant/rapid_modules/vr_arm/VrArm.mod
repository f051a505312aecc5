MODULE VrArm
  ! Executes the requests of a PC, one at a time. Task: the one that moves the arm (T_ROB1).
  ! VrArmServer takes them from the network, VrArmStream shows the joints while the arm moves.

  ! To be adapted: the tool, and what opens and closes it (UpdateToolState below).
  PERS tooldata vrTool:=[TRUE,[[0,0,0],[1,0,0,0]],[0.001,[0,0,0.001],[1,0,0,0],0,0,0]];
  CONST num INIT_TIME:=5;

  ! Shared with VrArmServer and VrArmStream.
  PERS num vrRequest:=0;
  PERS num vrDone:=0;
  PERS string vrText:="";
  PERS string vrReply:="";
  PERS bool vrExecuting:=FALSE;

  CONST string DONE:="success";
  CONST string FAILED:="error";
  CONST string INITIALISED:="initialised";
  CONST string NO_EXTERNAL:=",[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]]";
  CONST num MAX_JOINTS:=40;
  CONST num FIELDS:=10;

  VAR robtarget robotTarget;
  VAR jointtarget angleTarget:=[[0,0,0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]];
  VAR jointtarget jointDataResult;

  PROC main()
    VAR num number;
    ! A request from before the last stop is not executed any more.
    vrExecuting:=FALSE;
    vrReply:=FAILED;
    vrDone:=vrRequest;
    ConfL\Off;
    WHILE TRUE DO
      WaitUntil vrDone<>vrRequest\PollRate:=0.01;
      number:=vrRequest;
      vrReply:=Reply(vrText);
      vrDone:=number;
    ENDWHILE
  ENDPROC

  FUNC string Reply(string text)
    TEST StrPart(text,1,1)
    CASE "I":
      RETURN Initialise();
    CASE "X":
      RETURN ReplyToPose(text);
    CASE "A":
      RETURN ReplyToJoints(text);
    CASE "Y":
      UpdateToolState StrPart(text,2,1)="T";
      RETURN DONE;
    DEFAULT:
      RETURN FAILED;
    ENDTEST
  ENDFUNC

  FUNC string Initialise()
    UpdateToolState FALSE;
    vrExecuting:=TRUE;
    WaitTime INIT_TIME;
    vrExecuting:=FALSE;
    RETURN INITIALISED;
  ENDFUNC

  ! XC... checks a pose, X<speed><precision><J or L>... moves there.
  FUNC string ReplyToPose(string text)
    IF StrPart(text,2,1)="C" THEN
      IF StringToTarget(text,3) THEN
        IF PoseReachable() RETURN JointsToString(jointDataResult);
      ENDIF
      RETURN FAILED;
    ENDIF
    IF NOT StringToTarget(text,5) RETURN FAILED;
    ! A move that fails would stop the program: what cannot be reached is refused before.
    IF NOT PoseReachable() RETURN FAILED;
    Show StrPart(text,2,1),StrPart(text,3,1),"Move"+StrPart(text,4,1);
    vrExecuting:=TRUE;
    IF StrPart(text,4,1)="L" THEN
      MoveL robotTarget,GetSpeed(StrPart(text,2,1)),GetPrecision(StrPart(text,3,1)),vrTool\WObj:=wobj0;
    ELSE
      MoveJ robotTarget,GetSpeed(StrPart(text,2,1)),GetPrecision(StrPart(text,3,1)),vrTool\WObj:=wobj0;
    ENDIF
    WaitRob\InPos;
    vrExecuting:=FALSE;
    RETURN DONE;
  ENDFUNC

  ! AC[...] checks joints, A<speed><precision>[...] moves there.
  FUNC string ReplyToJoints(string text)
    IF StrPart(text,2,1)="C" THEN
      IF StringToJoints(text,3) THEN
        IF JointsReachable() RETURN JointsToString(jointDataResult);
      ENDIF
      RETURN FAILED;
    ENDIF
    IF NOT StringToJoints(text,4) RETURN FAILED;
    IF NOT JointsReachable() RETURN FAILED;
    Show StrPart(text,2,1),StrPart(text,3,1),"MoveAbsJ";
    vrExecuting:=TRUE;
    MoveAbsJ angleTarget,GetSpeed(StrPart(text,2,1)),GetPrecision(StrPart(text,3,1)),vrTool;
    WaitRob\InPos;
    vrExecuting:=FALSE;
    RETURN DONE;
  ENDFUNC

  FUNC bool PoseReachable()
    jointDataResult:=CalcJointT(robotTarget,vrTool\WObj:=wobj0);
    RETURN TRUE;
  ERROR
    ! ERR_ROBLIMIT and ERR_OUTSIDE_REACH.
    SkipWarn;
    RETURN FALSE;
  ENDFUNC

  ! CalcRobT alone reports no limits.
  FUNC bool JointsReachable()
    robotTarget:=CalcRobT(angleTarget,vrTool\WObj:=wobj0);
    jointDataResult:=CalcJointT(robotTarget,vrTool\WObj:=wobj0);
    RETURN TRUE;
  ERROR
    SkipWarn;
    RETURN FALSE;
  ENDFUNC

  PROC UpdateToolState(bool opened)
    IF opened THEN
      IF DOutput(pinzaOutput1)<>0 SetDO pinzaOutput1,0;
      IF DOutput(pinzaOutput0)<>1 SetDO pinzaOutput0,1;
    ELSE
      IF DOutput(pinzaOutput0)<>0 SetDO pinzaOutput0,0;
      IF DOutput(pinzaOutput1)<>1 SetDO pinzaOutput1,1;
    ENDIF
  ENDPROC

  FUNC speeddata GetSpeed(string code)
    IF code="2" RETURN v400;
    IF code="3" RETURN v2000;
    RETURN v50;
  ENDFUNC

  FUNC zonedata GetPrecision(string code)
    IF code="1" RETURN fine;
    IF code="2" RETURN z50;
    RETURN z200;
  ENDFUNC

  ! 1 is the most precise: the arm stops at the point.
  PROC Show(string speed,string precision,string move)
    VAR string words;
    words:=move+", speed low (v50)";
    IF speed="2" words:=move+", speed medium (v400)";
    IF speed="3" words:=move+", speed high (v2000)";
    IF precision="1" THEN
      TPWrite words+", precision high (fine)";
    ELSEIF precision="2" THEN
      TPWrite words+", precision medium (z50)";
    ELSE
      TPWrite words+", precision low (z200)";
    ENDIF
  ENDPROC

  ! x;y;z;rx;ry;rz;cf1;cf4;cf6;cfx; from a character on.
  FUNC bool StringToTarget(string text,num first)
    VAR num value{10};
    VAR num start;
    VAR num separator;
    start:=first;
    FOR i FROM 1 TO FIELDS DO
      IF start>StrLen(text) RETURN FALSE;
      separator:=StrFind(text,start,";");
      IF separator>StrLen(text) RETURN FALSE;
      IF NOT StrToVal(StrPart(text,start,separator-start),value{i}) RETURN FALSE;
      IF i>6 AND value{i}<>Trunc(value{i}) RETURN FALSE;
      start:=separator+1;
    ENDFOR
    robotTarget.trans:=[value{1},value{2},value{3}];
    robotTarget.rot:=OrientZYX(value{6},value{5},value{4});
    robotTarget.robconf:=[value{7},value{8},value{9},value{10}];
    robotTarget.extax:=[9E9,9E9,9E9,9E9,9E9,9E9];
    RETURN TRUE;
  ENDFUNC

  ! [a1,a2,a3,a4,a5,a6] from a character on. A string holds 80 characters.
  FUNC bool StringToJoints(string text,num first)
    VAR num length;
    length:=StrLen(text)-first+1;
    IF length<2 OR length>MAX_JOINTS RETURN FALSE;
    RETURN StrToVal("["+StrPart(text,first,length)+NO_EXTERNAL,angleTarget);
  ENDFUNC

  ! Whole degrees with semicolons between them.
  FUNC string JointsToString(jointtarget joints)
    VAR string text;
    text:=Whole(joints.robax.rax_1)+";"+Whole(joints.robax.rax_2)+";"+Whole(joints.robax.rax_3);
    text:=text+";"+Whole(joints.robax.rax_4)+";"+Whole(joints.robax.rax_5);
    RETURN text+";"+Whole(joints.robax.rax_6);
  ENDFUNC

  FUNC string Whole(num value)
    ! Without the sum, -0.2 would be written "-0".
    RETURN NumToStr(Round(value)+0,0);
  ENDFUNC
ENDMODULE
