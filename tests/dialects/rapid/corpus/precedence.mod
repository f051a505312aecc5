! expects ok = TRUE
MODULE precedence
VAR bool ok;
PROC main()
  ok := 1 + 2 * 3 = 7 AND -2 * 3 = -6 AND 7 DIV 2 = 3 AND 7 MOD 3 = 1 AND (NOT FALSE) AND NOT (TRUE AND FALSE);
ENDPROC
ENDMODULE
