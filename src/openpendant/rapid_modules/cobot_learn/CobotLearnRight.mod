MODULE CobotLearnRight
  ! Records where the hands of an operator go, and plays it. Task: the one of the right arm (T_ROB_R).
  ! CobotLearnLeft moves the left arm.

  ! To be adapted: the controller's own address, whose hand moves which arm, limits and smallest step in mm.
  PERS string learnAddress:="127.0.0.1";
  ! TRUE: as in a mirror, the operator's left hand moves the right arm. FALSE: left moves left.
  PERS bool learnMirror:=TRUE;
  PERS num rightLowest{3}:=[-600,-300,-300];
  PERS num rightHighest{3}:=[600,300,300];
  CONST num MIN_TRANS:=5;
  CONST num PORT:=55555;
  CONST num SILENCE:=60;
  CONST num POLL_TIME:=0.2;

  ! TRUE: leave recording or playing, as command 06 does. May be set from outside.
  PERS bool learnLeave:=FALSE;
  ! Shared with CobotLearnLeft: it makes one move for each flag.
  PERS num leftHand{3}:=[0,0,0];
  PERS bool leftHandOn:=FALSE;
  PERS bool leftHome:=FALSE;
  PERS bool learnDone:=FALSE;
  PERS tasks learnTasks{2}:=[["T_ROB_R"],["T_ROB_L"]];
  VAR syncident learnBegin;
  VAR syncident learnEnd;

  CONST jointtarget homeJoints:=[[0,-130,30,0,40,0],[-135,9E9,9E9,9E9,9E9,9E9]];
  CONST num CMD_LEFT:=1;
  CONST num CMD_RIGHT:=2;
  CONST num CMD_BOTH:=3;
  CONST num CMD_HOME:=4;
  CONST num CMD_START:=5;
  CONST num CMD_STOP:=6;
  CONST num CMD_RESET:=7;
  CONST num MAX_FRAME:=54;

  VAR bool first:=TRUE;
  VAR robtarget initialTarget;
  VAR pos lastStep;
  VAR bool outside;
  VAR string fileName:="";
  VAR iodev file;
  VAR socketdev server;
  VAR socketdev client;
  VAR rawbytes data;
  VAR num dataAt:=1;
  VAR string frame:="";
  VAR num silent:=0;
  ! The newest packet or line: command, left wrist, right wrist.
  VAR num control;
  VAR num wrist{6};

  PROC main()
    VAR num function;
    ! What the last round has said stays on the screen.
    IF first TPErase;
    first:=FALSE;
    learnLeave:=FALSE;
    learnDone:=FALSE;
    leftHandOn:=FALSE;
    leftHome:=FALSE;
    WaitSyncTask learnBegin,learnTasks;
    MoveHome;
    WaitRob\InPos;
    initialTarget:=CRobT(\Tool:=tool0\WObj:=wobj0);
    TPReadFK function,"Cobot learning: choose a function",stEmpty,stEmpty,"Delete File","Play","Recording";
    AskFileName;
    TEST function
    CASE 3:
      DeleteFile;
    CASE 4:
      Play;
    CASE 5:
      Record;
    ENDTEST
    learnDone:=TRUE;
    WaitSyncTask learnEnd,learnTasks;
  ENDPROC

  PROC AskFileName()
    VAR num number:=-1;
    TPWrite "Choose a number for the file name (only numbers are allowed)";
    WHILE number<0 OR number>999 OR number<>Trunc(number) DO
      TPReadNum number,"Enter 3 digits for the file name";
    ENDWHILE
    fileName:="HOME:CobotLearn"+NumToStr(number,0)+".csv";
  ENDPROC

  PROC DeleteFile()
    RemoveFile fileName;
    TPWrite fileName+" deleted";
  ERROR
    TPWrite fileName+" is not there";
    SkipWarn;
    RETURN;
  ENDPROC

  ! Recording

  PROC Record()
    ClearFile;
    ServerCreate;
    WHILE NOT learnLeave DO
      IF PacketCame() Obey;
    ENDWHILE
    ServerClose;
    TPWrite "Recording ended: "+fileName;
  ENDPROC

  PROC Obey()
    TEST control
    CASE CMD_LEFT,CMD_RIGHT,CMD_BOTH,CMD_HOME:
      SelectFunc;
      WriteData;
    CASE CMD_START:
      TPWrite "Recording: "+fileName;
    CASE CMD_STOP:
      learnLeave:=TRUE;
    CASE CMD_RESET:
      ClearFile;
      control:=CMD_HOME;
      SelectFunc;
    ENDTEST
  ENDPROC

  PROC ClearFile()
    Open fileName,file\Write;
    Close file;
  ENDPROC

  PROC WriteData()
    Open fileName,file\Append;
    Write file,"0"+NumToStr(control,0)+",L"\NoNewLine;
    FOR i FROM 1 TO 3 DO
      Write file,","+NumToStr(wrist{i},2)\NoNewLine;
    ENDFOR
    Write file,",R"\NoNewLine;
    FOR i FROM 4 TO 6 DO
      Write file,","+NumToStr(wrist{i},2)\NoNewLine;
    ENDFOR
    Write file,"";
    Close file;
  ENDPROC

  ! Playing

  PROC Play()
    VAR num mode:=0;
    VAR num lines;
    TPWrite "Continuous or single play";
    WHILE mode<>1 AND mode<>2 DO
      TPReadNum mode,"Enter 1 for continuous play or 2 for single play";
    ENDWHILE
    Open fileName,file\Read;
    WHILE NOT learnLeave DO
      lines:=PlayOnce();
      IF mode=2 OR lines=0 THEN
        WaitRob\InPos;
        TPWrite "End of File Reached";
        learnLeave:=TRUE;
      ENDIF
      IF NOT learnLeave THEN
        control:=CMD_HOME;
        SelectFunc;
        Rewind file;
      ENDIF
    ENDWHILE
    Close file;
  ERROR
    IF ERRNO=ERR_FILEACC OR ERRNO=ERR_FILEOPEN THEN
      TPWrite fileName+" cannot be read";
      SkipWarn;
      RETURN;
    ENDIF
  ENDPROC

  ! Returns how many lines were played.
  FUNC num PlayOnce()
    VAR string line;
    VAR num lines:=0;
    WHILE NOT learnLeave DO
      line:=ReadStr(file\RemoveCR);
      IF line=EOF RETURN lines;
      IF DecodeLine(line) THEN
        SelectFunc;
        lines:=lines+1;
      ELSE
        TPWrite "A line that is none: "+StrPart(line,1,Min(StrLen(line),40));
      ENDIF
    ENDWHILE
    RETURN lines;
  ENDFUNC

  ! 01,L,-152.89,307.35,-229.63,R,40.27,24.14,5.92
  FUNC bool DecodeLine(string line)
    VAR num place:=1;
    VAR num comma;
    VAR num value;
    VAR string field;
    FOR i FROM 1 TO 9 DO
      IF place>StrLen(line) RETURN FALSE;
      comma:=StrFind(line,place,",");
      IF i<9 AND comma>StrLen(line) RETURN FALSE;
      field:=StrPart(line,place,comma-place);
      place:=comma+1;
      TEST i
      CASE 2:
        IF field<>"L" RETURN FALSE;
      CASE 6:
        IF field<>"R" RETURN FALSE;
      DEFAULT:
        ! RAPID writes no plus.
        IF StrLen(field)>1 THEN
          IF StrPart(field,1,1)="+" field:=StrPart(field,2,StrLen(field)-1);
        ENDIF
        IF NOT StrToVal(field,value) RETURN FALSE;
        IF i=1 THEN
          IF value<CMD_LEFT OR value>CMD_HOME OR value<>Trunc(value) RETURN FALSE;
          control:=value;
        ELSEIF i<6 THEN
          wrist{i-2}:=value;
        ELSE
          wrist{i-3}:=value;
        ENDIF
      ENDTEST
    ENDFOR
    RETURN place>StrLen(line);
  ENDFUNC

  FUNC num Min(num one,num other)
    IF one<other RETURN one;
    RETURN other;
  ENDFUNC

  ! Motion

  PROC SelectFunc()
    VAR num own;
    VAR num others;
    own:=0;
    others:=3;
    IF NOT learnMirror THEN
      own:=3;
      others:=0;
    ENDIF
    IF control=CMD_HOME THEN
      AwaitLeft;
      leftHome:=TRUE;
      MoveHome;
      AwaitLeft;
      RETURN;
    ENDIF
    IF control=CMD_LEFT OR control=CMD_BOTH THEN
      ! The left arm takes one place after the other; none is lost.
      AwaitLeft;
      FOR i FROM 1 TO 3 DO
        leftHand{i}:=wrist{others+i};
      ENDFOR
      leftHandOn:=TRUE;
    ENDIF
    IF control=CMD_RIGHT OR control=CMD_BOTH MoveRightArm wrist{own+1},wrist{own+2},wrist{own+3};
  ENDPROC

  PROC AwaitLeft()
    WaitUntil NOT (leftHandOn OR leftHome)\PollRate:=0.01;
  ENDPROC

  PROC MoveHome()
    lastStep:=[0,0,0];
    MoveAbsJ homeJoints\NoEOffs,v1000\T:=3,z100,tool0\WObj:=wobj0;
  ENDPROC

  ! x, y and z are those of the camera.
  PROC MoveRightArm(num x,num y,num z)
    VAR pos step;
    IF x<rightLowest{1} OR x>rightHighest{1} OR y<rightLowest{2} OR y>rightHighest{2} RETURN;
    IF z<rightLowest{3} OR z>rightHighest{3} RETURN;
    step:=[-y,-x,z];
    IF Distance(step,lastStep)<MIN_TRANS RETURN;
    IF NOT Reachable(step) RETURN;
    lastStep:=step;
    MoveJ RelTool(initialTarget,step.x,step.y,step.z),v1000,z30,tool0;
  ENDPROC

  ! A move out of reach would stop both arms.
  FUNC bool Reachable(pos step)
    VAR jointtarget joints;
    joints:=CalcJointT(RelTool(initialTarget,step.x,step.y,step.z),tool0);
    outside:=FALSE;
    RETURN TRUE;
  ERROR
    SkipWarn;
    IF NOT outside TPWrite "Right arm: out of reach";
    outside:=TRUE;
    RETURN FALSE;
  ENDFUNC

  ! Connection

  PROC ServerCreate()
    VAR string clientIp;
    VAR num waited:=0;
    SocketClose client;
    SocketClose server;
    SocketCreate server;
    SocketBind server,learnAddress,PORT;
    SocketListen server;
    frame:="";
    ClearRawBytes data;
    dataAt:=1;
    silent:=0;
    TPWrite "Waiting for incoming connection from "+learnAddress+":"+NumToStr(PORT,0);
    WHILE NOT learnLeave DO
      IF ClientCame(clientIp) THEN
        TPWrite "Connected to client "+clientIp;
        SocketSend client\Str:="Connect to"+learnAddress;
        RETURN;
      ENDIF
      waited:=waited+POLL_TIME;
      IF waited>=SILENCE THEN
        TPWrite "ERROR: no client has connected. Retrying...";
        waited:=0;
      ENDIF
    ENDWHILE
  ERROR
    IF ERRNO=ERR_SOCK_CLOSED THEN
      SkipWarn;
      RETURN;
    ENDIF
  ENDPROC

  FUNC bool ClientCame(INOUT string address)
    SocketAccept server,client\ClientAddress:=address\Time:=POLL_TIME;
    RETURN TRUE;
  ERROR
    IF ERRNO=ERR_SOCK_TIMEOUT THEN
      SkipWarn;
      RETURN FALSE;
    ENDIF
  ENDFUNC

  PROC ServerClose()
    SocketClose client;
    SocketClose server;
    WaitTime 2;
  ENDPROC

  ! Takes the next packet out of what has come, however the network has cut or merged it. FALSE: not yet.
  FUNC bool PacketCame()
    VAR string character;
    WHILE dataAt<=RawBytesLen(data) DO
      UnpackRawBytes data,dataAt,character\ASCII:=1;
      dataAt:=dataAt+1;
      IF character="S" THEN
        ! Neither S nor E can be inside a packet: the one before was cut short.
        frame:="S";
      ELSEIF frame<>"" THEN
        frame:=frame+character;
        IF character="E" THEN
          IF DecodePacket(frame) THEN
            frame:="";
            RETURN TRUE;
          ENDIF
          frame:="";
        ELSEIF StrLen(frame)>=MAX_FRAME THEN
          frame:="";
        ENDIF
      ENDIF
    ENDWHILE
    ReceiveMore;
    RETURN FALSE;
  ENDFUNC

  PROC ReceiveMore()
    ClearRawBytes data;
    dataAt:=1;
    SocketReceive client\RawData:=data\Time:=POLL_TIME;
    silent:=0;
  ERROR
    SkipWarn;
    IF ERRNO=ERR_SOCK_TIMEOUT THEN
      silent:=silent+POLL_TIME;
      IF silent>=SILENCE THEN
        TPWrite "No packets. Retrying.";
        silent:=0;
      ENDIF
      RETURN;
    ENDIF
    IF learnLeave RETURN;
    TPWrite "Connection lost.";
    ServerCreate;
    RETURN;
  ENDPROC

  ! S01,-152.89,+307.35,-229.63,+040.27,+024.14,+005.92E, perhaps with commas behind S and before E; +0 is zero.
  FUNC bool DecodePacket(string packet)
    VAR num place:=2;
    VAR num length;
    VAR num code;
    VAR num values{6};
    length:=StrLen(packet);
    IF length<22 RETURN FALSE;
    IF StrPart(packet,2,1)="," place:=3;
    IF NOT (StrMemb(packet,place,STR_DIGIT) AND StrMemb(packet,place+1,STR_DIGIT)) RETURN FALSE;
    IF NOT StrToVal(StrPart(packet,place,2),code) RETURN FALSE;
    IF code<CMD_LEFT OR code>CMD_RESET RETURN FALSE;
    place:=place+2;
    FOR i FROM 1 TO 6 DO
      IF place+3>length RETURN FALSE;
      IF StrPart(packet,place,1)<>"," RETURN FALSE;
      place:=place+1;
      IF StrPart(packet,place,2)="+0" AND NOT StrMemb(packet,place+2,STR_DIGIT) THEN
        values{i}:=0;
        place:=place+2;
      ELSE
        IF place+7>length RETURN FALSE;
        IF NOT DecodeNumber(StrPart(packet,place,7),values{i}) RETURN FALSE;
        place:=place+7;
      ENDIF
    ENDFOR
    IF StrPart(packet,place,1)="," place:=place+1;
    IF place<>length RETURN FALSE;
    control:=code;
    wrist:=values;
    RETURN TRUE;
  ENDFUNC

  ! A sign, three digits, a point, two digits.
  FUNC bool DecodeNumber(string text,INOUT num value)
    IF NOT StrMemb(text,1,"+-") RETURN FALSE;
    FOR i FROM 2 TO 7 DO
      IF i=5 THEN
        IF StrPart(text,5,1)<>"." RETURN FALSE;
      ELSEIF NOT StrMemb(text,i,STR_DIGIT) THEN
        RETURN FALSE;
      ENDIF
    ENDFOR
    IF NOT StrToVal(StrPart(text,2,6),value) RETURN FALSE;
    IF StrPart(text,1,1)="-" value:=-value;
    RETURN TRUE;
  ENDFUNC
ENDMODULE
