MODULE sockets
VAR socketdev server;
VAR socketdev client;
PROC serve()
  VAR string text;
  VAR rawbytes data;
  SocketCreate server;
  SocketBind server, "127.0.0.1", 5000;
  SocketListen server;
  SocketAccept server, client \Time:=WAIT_MAX;
  SocketReceive client \Str:=text \Time:=5;
  SocketReceive client \RawData:=data;
  SocketSend client \Str:="ok" + "\0D\0A";
  SocketClose client;
  SocketClose server;
ERROR
  IF ERRNO = ERR_SOCK_TIMEOUT THEN
    RETRY;
  ELSEIF ERRNO = ERR_SOCK_CLOSED THEN
    RETURN;
  ENDIF
ENDPROC
ENDMODULE
