! expects s = "too long"
MODULE string_limit
VAR string s := "0123456789";
PROC main()
  WHILE TRUE DO
    s := s + s;
  ENDWHILE
ERROR
  IF ERRNO = ERR_STRTOOLNG s := "too long";
  RETURN;
ENDPROC
ENDMODULE
