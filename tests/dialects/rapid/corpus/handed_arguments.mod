! expects s = "5b7!"
MODULE handed_arguments
VAR string s;
PROC show(num a \num b \switch loud)
  s := NumToStr(a, 0);
  IF Present(b) s := s + "b" + NumToStr(b, 0);
  IF Present(loud) s := s + "!";
ENDPROC
PROC hand(\num b \switch loud)
  show 5 \b?b \loud?loud;
ENDPROC
PROC main()
  hand \b:=7 \loud;
ENDPROC
ENDMODULE
