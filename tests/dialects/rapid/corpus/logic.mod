! expects n = 1
MODULE logic
VAR num n;
FUNC bool touch(bool value)
  n := n + 1;
  RETURN value;
ENDFUNC
PROC main()
  IF FALSE AND touch(TRUE) THEN
    n := 100;
  ENDIF
  IF TRUE OR touch(TRUE) THEN
    n := n + 0;
  ENDIF
  IF TRUE XOR touch(TRUE) n := 50;
ENDPROC
ENDMODULE
