! expects s = "CAB|3|6|TRUE|2.50"
MODULE strings
VAR string s;
PROC main()
  VAR bool ok;
  VAR num n;
  s := StrMap(StrPart("xcaby", 2, 3), STR_LOWER, STR_UPPER) + "|";
  s := s + NumToStr(StrFind("ab,cd", 1, ","), 0) + "|" + NumToStr(StrMatch("abcde", 1, "xx"), 0) + "|";
  ok := StrToVal("2.5", n);
  s := s + ValToStr(ok) + "|" + NumToStr(n, 2);
ENDPROC
ENDMODULE
