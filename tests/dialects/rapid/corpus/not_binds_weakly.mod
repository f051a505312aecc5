! expects ok = TRUE
MODULE not_binds_weakly
VAR bool ok;
PROC main()
  ok := NOT TRUE AND FALSE;
ENDPROC
ENDMODULE
