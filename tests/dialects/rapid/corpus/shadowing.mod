! expects n = 5
MODULE shadowing
VAR num n := 1;
VAR num m := 1;
PROC main()
  VAR num m;
  m := 4;
  n := n + m;
ENDPROC
ENDMODULE
