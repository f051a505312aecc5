! expects n = 3
MODULE waits
VAR num n;
VAR clock c;
PROC main()
  VAR bool late;
  ClkReset c;
  ClkStart c;
  WaitTime 0.5;
  WaitTime \InPos, 0.1;
  WaitUntil ClkRead(c) > 0.7;
  ClkStop c;
  IF ClkRead(c) < 0.8 n := 1;
  WaitUntil FALSE \MaxTime:=0.1 \TimeFlag:=late;
  IF late n := n + 1;
  WaitUntil n = 100 \MaxTime:=0.1;
ERROR
  IF ERRNO = ERR_WAIT_MAXTIME n := n + 1;
  TRYNEXT;
ENDPROC
ENDMODULE
