! expects n = 2
MODULE compact_if
VAR num n;
PROC main()
  IF n = 0 n := 1;
  IF n = 1 Incr n;
  IF n = 3 RETURN;
ENDPROC
ENDMODULE
