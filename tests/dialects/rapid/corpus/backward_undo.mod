! expects n = 1
MODULE backward_undo
VAR num n;
PROC main()
  n := 1;
BACKWARD
  n := 2;
ERROR
  RETURN;
UNDO
  n := 3;
ENDPROC
ENDMODULE
