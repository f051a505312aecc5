! expects n = 2
MODULE error_numbers
VAR num n;
PROC main()
  n := 1 / n;
  n := n + 1;
ERROR (ERR_SOCK_TIMEOUT, ERR_FILEOPEN)
  n := 50;
  TRYNEXT;
ERROR (ERR_DIVZERO)
  n := 1;
  TRYNEXT;
ENDPROC
ENDMODULE
