! expects n = 11
MODULE interrupts
VAR intnum tick;
VAR intnum seen;
PERS num level := 0;
VAR num n;
TRAP on_tick
  n := n + 1;
ENDTRAP
TRAP on_level
  n := n + 10;
ENDTRAP
PROC main()
  IDelete tick;
  level := 0;
  CONNECT tick WITH on_tick;
  CONNECT seen WITH on_level;
  ITimer \Single, 0.1, tick;
  IPers level, seen;
  level := 5;
  WaitTime 0.3;
ERROR
  IF ERRNO = ERR_UNKINO TRYNEXT;
ENDPROC
ENDMODULE
