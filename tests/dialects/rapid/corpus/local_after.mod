! expects b = 7
MODULE local_after
PROC main()
  b := plus(3, 4);
ENDPROC
LOCAL FUNC num plus(num x, num y)
  RETURN x + y;
ENDFUNC
LOCAL VAR num hidden := 2;
VAR num b;
ENDMODULE
