! expects s = "3-5-"
MODULE optional_arguments
VAR string s;
PROC show(num a \num b | num c \switch loud)
  s := s + NumToStr(a, 0) + "-";
  IF Present(b) s := s + "b" + NumToStr(b, 0);
  IF Present(c) s := s + "c" + NumToStr(c, 0);
  IF Present(loud) s := s + "!";
ENDPROC
PROC hand(\num b \switch loud)
  show 5 \b?b \loud?loud;
ENDPROC
PROC main()
  show 3;
  hand;
ENDPROC
ENDMODULE
