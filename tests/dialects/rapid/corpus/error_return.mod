! expects n = -1
MODULE error_return
VAR num n;
FUNC num safe(num by)
  RETURN 1 / by;
ERROR
  RETURN -1;
ENDFUNC
PROC main()
  n := safe(0);
ENDPROC
ENDMODULE
