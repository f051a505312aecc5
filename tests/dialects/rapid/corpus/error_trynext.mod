! expects n = 7
MODULE error_trynext
VAR num n;
PROC main()
  n := 1 / (n * 0);
  n := n + 7;
ERROR
  IF ERRNO = ERR_DIVZERO THEN
    TRYNEXT;
  ENDIF
ENDPROC
ENDMODULE
