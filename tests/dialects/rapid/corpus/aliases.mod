! expects l = 4
MODULE aliases
ALIAS num level;
CONST level lowest := 1;
VAR level l := 3;
PROC main()
  l := l + lowest;
ENDPROC
ENDMODULE
