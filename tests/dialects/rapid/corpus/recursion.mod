! expects n = 120
MODULE recursion
VAR num n;
FUNC num factorial(num k)
  IF k <= 1 RETURN 1;
  RETURN k * factorial(k - 1);
ENDFUNC
PROC main()
  n := factorial(5);
ENDPROC
ENDMODULE
