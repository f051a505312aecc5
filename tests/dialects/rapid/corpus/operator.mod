! expects n = 1
MODULE operator
VAR num n;
PROC main()
  TPErase;
  TPWrite "Part " \Num:=3;
  TPWrite "ready: " + ValToStr(TRUE);
  TPReadFK n, "Go on?", "Yes", "No", "", "", "";
ENDPROC
ENDMODULE
