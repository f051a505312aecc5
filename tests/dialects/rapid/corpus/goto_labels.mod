! expects n = 5
MODULE goto_labels
VAR num n;
PROC main()
  again:
  n := n + 1;
  IF n < 5 THEN
    GOTO again;
  ENDIF
  WHILE TRUE DO
    GOTO out;
  ENDWHILE
  n := 99;
  out:
ENDPROC
ENDMODULE
