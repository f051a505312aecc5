MODULE files
VAR iodev log;
PROC keep()
  VAR string line;
  Open "HOME:" \File:="log.csv", log \Append;
  Write log, "x=" \Num:=1.5 \NoNewLine;
  Close log;
  Open "HOME:/log.csv", log \Read;
  line := ReadStr(log \RemoveCR);
  IF line = EOF THEN
    Rewind log;
  ENDIF
  Close log;
  RemoveFile "HOME:/log.csv";
ERROR
  IF ERRNO = ERR_FILEOPEN OR ERRNO = ERR_FILEACC TRYNEXT;
ENDPROC
ENDMODULE
