! expects n = 3
MODULE component_named
VAR stoppointdata sp := [1, FALSE, [50, 50, 0, 2], 0, 0, ""];
VAR num n;
PROC main()
  sp.type := 3;
  n := sp.type;
ENDPROC
ENDMODULE
