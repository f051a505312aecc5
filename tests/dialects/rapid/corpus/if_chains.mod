! expects s = "two"
MODULE if_chains
VAR string s;
PROC main()
  VAR num n := 2;
  IF n = 1 THEN
    s := "one";
  ELSEIF n = 2 THEN
    s := "two";
  ELSEIF n = 2 THEN
    s := "again";
  ELSE
    s := "none";
  ENDIF
ENDPROC
ENDMODULE
