! expects s = "[[1,2.5,-3],[1,0,0,0]] 1.23457"
MODULE values_in_text
VAR string s;
PROC main()
  VAR pose p;
  VAR bool ok;
  ok := StrToVal("[[1,2.5,-3],[1,0,0,0]]", p);
  IF ok s := ValToStr(p) + " " + ValToStr(1.23456789);
ENDPROC
ENDMODULE
