! expects n = 4
MODULE error_retry
VAR num n;
PROC main()
  VAR num by;
  n := 8 / by;
ERROR
  TEST ERRNO
  CASE ERR_DIVZERO:
    by := 2;
    RETRY;
  DEFAULT:
    RAISE;
  ENDTEST
ENDPROC
ENDMODULE
