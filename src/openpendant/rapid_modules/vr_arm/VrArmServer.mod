MODULE VrArmServer
  ! Takes requests from the network, one connection each. Task: one in the background.
  ! Only pause and resume are served while a request is being executed; all others are answered with "error".

  ! To be adapted: the controller's own address.
  PERS string vrAddress:="127.0.0.1";
  CONST num PORT:=5000;
  CONST num POLL_TIME:=0.02;
  CONST num READ_TIME:=2;
  CONST num MAX_TEXT:=80;

  ! Shared with VrArm and VrArmStream.
  PERS num vrRequest:=0;
  PERS num vrDone:=0;
  PERS string vrText:="";
  PERS string vrReply:="";
  PERS string vrViewer:="127.0.0.1";

  VAR socketdev serverSocket;
  ! One waits for the end of its request while the other serves whoever comes next.
  VAR socketdev clientSocket{2};
  VAR num nextClient:=1;
  VAR num waitingClient:=0;
  VAR num waitingFor:=0;

  PROC main()
    waitingClient:=0;
    nextClient:=1;
    SocketClose clientSocket{1};
    SocketClose clientSocket{2};
    SocketClose serverSocket;
    SocketCreate serverSocket;
    SocketBind serverSocket,vrAddress,PORT;
    SocketListen serverSocket;
    TPWrite "Waiting for requests at "+vrAddress+":"+NumToStr(PORT,0);
    WHILE TRUE DO
      IF ClientCame() Serve;
      IF waitingClient>0 THEN
        IF vrDone=waitingFor THEN
          Answer waitingClient,vrReply;
          waitingClient:=0;
        ENDIF
      ENDIF
    ENDWHILE
  ENDPROC

  FUNC bool ClientCame()
    VAR string address;
    SocketAccept serverSocket,clientSocket{nextClient}\ClientAddress:=address\Time:=POLL_TIME;
    vrViewer:=address;
    RETURN TRUE;
  ERROR
    IF ERRNO=ERR_SOCK_TIMEOUT THEN
      SkipWarn;
      RETURN FALSE;
    ENDIF
  ENDFUNC

  PROC Serve()
    VAR string text;
    IF NOT Read(text) THEN
      SocketClose clientSocket{nextClient};
      RETURN;
    ENDIF
    TEST text
    CASE "pause":
      StopMove\AllMotionTasks;
      Answer nextClient,"paused";
    CASE "resume":
      StartMove\AllMotionTasks;
      Answer nextClient,"resumed";
    DEFAULT:
      IF text="" OR waitingClient>0 THEN
        Answer nextClient,"error";
      ELSE
        waitingClient:=nextClient;
        nextClient:=3-nextClient;
        waitingFor:=vrRequest+1;
        ! The number comes last: with it VrArm begins.
        vrText:=text;
        vrRequest:=waitingFor;
      ENDIF
    ENDTEST
  ENDPROC

  ! Reads one request, however the network has cut it; what follows is dropped. Empty: it is none. FALSE: no
  ! request has come in time, or the client has left.
  FUNC bool Read(INOUT string text)
    VAR rawbytes data;
    VAR string part;
    VAR num length;
    VAR num size;
    VAR num last;
    VAR clock waiting;
    text:="";
    ClkReset waiting;
    ClkStart waiting;
    WHILE TRUE DO
      IF ClkRead(waiting)>READ_TIME RETURN FALSE;
      ClearRawBytes data;
      SocketReceive clientSocket{nextClient}\RawData:=data\Time:=READ_TIME;
      size:=RawBytesLen(data);
      length:=MAX_TEXT-StrLen(text);
      IF size<length length:=size;
      UnpackRawBytes data,1,part\ASCII:=length;
      text:=text+part;
      last:=EndOfRequest(text);
      IF last>0 THEN
        text:=StrPart(text,1,last);
        RETURN TRUE;
      ENDIF
      IF last<0 OR StrLen(text)>=MAX_TEXT THEN
        text:="";
        RETURN TRUE;
      ENDIF
    ENDWHILE
  ERROR
    ! Silence, or a client that has left, ends this connection only.
    SkipWarn;
    RETURN FALSE;
  ENDFUNC

  ! Returns the last character of the request at the beginning of a text; 0: more has to come; -1: it is none.
  FUNC num EndOfRequest(string text)
    VAR num length;
    length:=StrLen(text);
    IF length=0 RETURN 0;
    TEST StrPart(text,1,1)
    CASE "I":
      RETURN 1;
    CASE "Y":
      IF length<2 RETURN 0;
      IF StrPart(text,2,1)="T" OR StrPart(text,2,1)="F" RETURN 2;
      RETURN -1;
    CASE "p":
      RETURN EndOfWord(text,"pause");
    CASE "r":
      RETURN EndOfWord(text,"resume");
    CASE "X":
      IF length<4 RETURN 0;
      IF StrPart(text,2,1)="C" RETURN EndOfFields(text);
      IF StrPart(text,4,1)="J" OR StrPart(text,4,1)="L" RETURN EndOfFields(text);
      RETURN -1;
    CASE "A":
      IF length<4 RETURN 0;
      IF StrPart(text,2,1)="C" AND StrPart(text,3,1)<>"[" RETURN -1;
      IF StrPart(text,2,1)<>"C" AND StrPart(text,4,1)<>"[" RETURN -1;
      IF StrFind(text,1,"]")<=length RETURN StrFind(text,1,"]");
      RETURN 0;
    DEFAULT:
      RETURN -1;
    ENDTEST
  ENDFUNC

  FUNC num EndOfWord(string text,string word)
    VAR num length;
    length:=StrLen(text);
    IF length>StrLen(word) length:=StrLen(word);
    IF StrPart(text,1,length)<>StrPart(word,1,length) RETURN -1;
    IF length<StrLen(word) RETURN 0;
    RETURN length;
  ENDFUNC

  ! The end of the tenth field, each with a semicolon behind it.
  FUNC num EndOfFields(string text)
    VAR num place:=0;
    FOR i FROM 1 TO 10 DO
      place:=StrFind(text,place+1,";");
      IF place>StrLen(text) RETURN 0;
    ENDFOR
    RETURN place;
  ENDFUNC

  PROC Answer(num client,string text)
    SocketSend clientSocket{client}\Str:=text;
    SocketClose clientSocket{client};
  ERROR
    ! The client has left: its request is done all the same.
    SkipWarn;
    TRYNEXT;
  ENDPROC
ENDMODULE
