! expects n = 3
MODULE error_raise
VAR num n;
VAR errnum ERR_MINE := -1;
PROC inner()
  BookErrno ERR_MINE;
  RAISE ERR_MINE;
ERROR
  n := n + 1;
  RAISE;
ENDPROC
PROC main()
  inner;
  n := 100;
ERROR
  IF ERRNO = ERR_MINE n := n + 2;
  RETURN;
ENDPROC
ENDMODULE
